#include "predict/timeline/in_order.hpp"

#include "predict/node_ranks.hpp"
#include "predict/timeline/arrival_order.hpp"
#include "predict/timeline/port_order.hpp"
#include "predict/timeline/round_fans.hpp"
#include "predict/timeline/transfer_costs.hpp"

#include <cstdint>
#include <utility>

namespace postage {
namespace {

/// A message on its way.
struct Flight {
  Rank source = 0;
  Rank target = 0;
  Bytes bytes = 0;
  TransferCost cost{};
  Seconds arrival = 0;  ///< first moment at which it could be let in
};

class InOrderTimeline {
 public:
  InOrderTimeline(const Schedule& schedule, const ChannelMap& channels, const Model& model)
      : schedule_(schedule),
        costs_(channels, model),
        ranks_(static_cast<std::size_t>(schedule.ranks)),
        fans_(model.fan_limits(), ranks_.size()) {
    last_receiver_round_.resize(ranks_.size());
  }

  std::optional<std::vector<Seconds>> run(const FollowedSegments& followed) {
    for_each_followed_round(schedule_, followed, [&](const RoundPosition& position) {
      if (is_in_order_) {
        play_round(position);
      }
    });
    if (!is_in_order_) {
      return std::nullopt;
    }
    std::vector<Seconds> finish;
    finish.reserve(ranks_.size());
    for (const OrderedRank& rank : ranks_) {
      finish.push_back(rank.clocks.processor);
    }
    return finish;
  }

 private:
  void play_round(const RoundPosition& position) {
    ++round_;
    flights_.clear();
    bool several_to_one = false;
    for_each_transfer(schedule_, position, [&](const Transfer& transfer) {
      if (transfer.source == transfer.target) {
        return;  // a rank needs no message to itself
      }
      start(transfer);
      auto& last = last_receiver_round_[static_cast<std::size_t>(transfer.target)];
      several_to_one = several_to_one || last == round_;
      last = round_;
    });
    fans_.meet(flights_, ranks_);
    if (several_to_one) {
      sort_by_arrival(flights_, [](const Flight& flight) { return flight.arrival; });
      fans_.put_large_ones_last(flights_);
    }
    for (const Flight& flight : flights_) {
      OrderedRank& target = ranks_[static_cast<std::size_t>(flight.target)];
      is_in_order_ =
          (fans_.take_in(flight, target) || receive_in_order(target, flight.arrival, flight.cost, costs_.has_gaps())) &&
          is_in_order_;
      if (flight.cost.source_waits) {
        waiting_.emplace_back(flight.source, acknowledged_at(target.clocks, flight.cost));
      }
    }
    fans_.leave(flights_);
    for (const auto& [source, when] : waiting_) {
      wait_until(ranks_[static_cast<std::size_t>(source)].clocks, when);
    }
    waiting_.clear();
  }

  void start(const Transfer& transfer) {
    const ChannelId channel = costs_.channel_of(transfer.source, transfer.target);
    const TransferCost& cost =
        costs_.of(transfer.source, transfer.target, channel, transfer.bytes, form_of(*transfer.pattern));
    RankClocks& source = ranks_[static_cast<std::size_t>(transfer.source)].clocks;
    fans_.prepare(transfer.source, source);
    const Seconds begin = start_message(source, cost);
    flights_.push_back({transfer.source, transfer.target, transfer.bytes, cost, begin + cost.sender_busy + cost.wire});
    fans_.started(flights_.back(), begin);
  }

  const Schedule& schedule_;
  TransferCosts costs_;
  std::vector<OrderedRank> ranks_;
  RoundFans fans_;
  std::vector<std::int64_t> last_receiver_round_;
  std::vector<Flight> flights_;
  std::vector<std::pair<Rank, Seconds>> waiting_;  ///< sources, for their acknowledgements
  std::int64_t round_ = 0;
  bool is_in_order_ = true;
};

}  // namespace

std::optional<std::vector<Seconds>> play_in_order(const Schedule& schedule, const FollowedSegments& followed,
                                                  const ChannelMap& channels, const Model& model) {
  return InOrderTimeline(schedule, channels, model).run(followed);
}

}  // namespace postage
