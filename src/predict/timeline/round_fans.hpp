#pragma once

#include "predict/timeline/fans.hpp"
#include "predict/timeline/port_order.hpp"

#include <algorithm>
#include <vector>

namespace postage {

/// The fans of one round after the other, for all ranks; nothing to do where there are no limits. A Flight has source,
/// target, bytes, cost and arrival.
class RoundFans {
 public:
  RoundFans(const FanLimits* limits, std::size_t ranks)
      : limits_(limits), out_(limits != nullptr ? ranks : 0), in_(out_.size()) {}

  /// Before a message of `source` starts, which waits until a large one before it is taken in.
  void prepare(Rank source, RankClocks& clocks) {
    if (limits_ != nullptr) {
      out(source).prepare(clocks);
    }
  }
  template <typename Flight>
  void started(const Flight& flight, Seconds begin) {
    if (limits_ != nullptr) {
      out(flight.source).started(begin, flight.cost, limits_->serialises_fan_out(flight.bytes), 0);
    }
  }

  /// When all sends of a round have started: says when small messages of a fan are transmitted.
  template <typename Flight>
  void meet(std::vector<Flight>& flights, std::vector<OrderedRank>& ranks) {
    if (limits_ == nullptr) {
      return;
    }
    for (Flight& flight : flights) {
      const FanOut& fan = out(flight.source);
      if (fan.is_fan() && !limits_->serialises_fan_out(flight.bytes)) {
        flight.arrival = fan.released(clocks_of(flight.source, ranks)) + flight.cost.wire;
      }
    }
    for (const Flight& flight : flights) {
      out(flight.source).close(clocks_of(flight.source, ranks));
      out(flight.source) = {};
      in(flight.target).expect(*limits_, flight.bytes, flight.arrival, 0);
    }
  }

  /// Of messages in the order of arrival: a rank takes the large ones of a fan in after all others.
  template <typename Flight>
  void put_large_ones_last(std::vector<Flight>& flights) const {
    if (limits_ != nullptr) {
      std::stable_partition(flights.begin(), flights.end(),
                            [&](const Flight& flight) { return !limits_->serialises_fan_in(flight.bytes); });
    }
  }

  /// Takes a message in where it is one of several of its target; else does nothing and returns false.
  template <typename Flight>
  bool take_in(const Flight& flight, OrderedRank& rank) {
    if (limits_ == nullptr || !in(flight.target).is_fan()) {
      return false;
    }
    Seconds arrival = flight.arrival;
    in(flight.target).take_in(rank.clocks, *limits_, flight.bytes, arrival, flight.cost, 0);
    rank.latest_arrival = std::max(rank.latest_arrival, arrival);
    return true;
  }

  /// When all have been taken in.
  template <typename Flight>
  void leave(const std::vector<Flight>& flights) {
    for (std::size_t i = 0; limits_ != nullptr && i < flights.size(); ++i) {
      in(flights[i].target) = {};
    }
  }

 private:
  [[nodiscard]] FanOut& out(Rank rank) { return out_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] FanIn& in(Rank rank) { return in_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] static RankClocks& clocks_of(Rank rank, std::vector<OrderedRank>& ranks) {
    return ranks[static_cast<std::size_t>(rank)].clocks;
  }

  const FanLimits* limits_;
  std::vector<FanOut> out_;
  std::vector<FanIn> in_;
};

}  // namespace postage
