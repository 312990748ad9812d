#pragma once

#include "predict/node_ranks.hpp"
#include "predict/timeline/clocks.hpp"
#include "predict/timeline/transfer_costs.hpp"

#include <postage/predict/timeline/timeline.hpp>

#include <algorithm>
#include <cstdint>

namespace postage {

/// A message on its way: what the engine tells a tracer.
struct Flight {
  std::size_t number = 0;  ///< in the order of starts
  Rank source = 0;
  Rank target = 0;
  Bytes bytes = 0;
  ChannelId channel = 0;
  TransferCost cost{};
  Seconds start = 0;
  Seconds arrival = 0;  ///< first moment at which it could be taken in
};

/// Watches nothing: the engine without explanation.
struct NoTracer {
  void started(const RoundPosition&, const Flight&, bool) {}
  void finished(const Flight&, Seconds, bool, bool, Seconds) {}
};

/// The rules of timeline.hpp. A tracer learns of each message why it did not start or end earlier.
template <typename Tracer>
class TimelineEngine {
 public:
  TimelineEngine(const Schedule& schedule, const ChannelMap& channels, const Model& model, Tracer& tracer)
      : schedule_(schedule), costs_(channels, model), tracer_(tracer) {
    check_capacity(channels, schedule.ranks);
    clocks_.resize(static_cast<std::size_t>(schedule.ranks));
    last_receiver_round_.resize(clocks_.size());
  }

  Timeline run() {
    for_each_round(schedule_, [&](const RoundPosition& position) { play_round(position); });
    Timeline timeline;
    timeline.finish.reserve(clocks_.size());
    for (const RankClocks& rank : clocks_) {
      timeline.finish.push_back(rank.processor);
    }
    return timeline;
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
      start(position, transfer);
      auto& last = last_receiver_round_[static_cast<std::size_t>(transfer.target)];
      several_to_one = several_to_one || last == round_;
      last = round_;
    });
    if (several_to_one) {
      std::stable_sort(flights_.begin(), flights_.end(),
                       [](const Flight& a, const Flight& b) { return a.arrival < b.arrival; });
    }
    for (const Flight& flight : flights_) {
      finish(flight);
    }
  }

  void start(const RoundPosition& position, const Transfer& transfer) {
    const ChannelId channel = costs_.channel_of(transfer.source, transfer.target);
    const TransferCost& cost =
        costs_.of(transfer.source, transfer.target, channel, transfer.bytes, transfer.pattern->combine);
    RankClocks& rank = clocks_[static_cast<std::size_t>(transfer.source)];
    const bool port_decides = rank.send_port > rank.processor;
    const Seconds begin = start_message(rank, cost);
    flights_.push_back({messages_++, transfer.source, transfer.target, transfer.bytes, channel, cost, begin,
                        begin + cost.sender_busy + cost.wire});
    tracer_.started(position, flights_.back(), port_decides);
  }

  void finish(const Flight& flight) {
    RankClocks& rank = clocks_[static_cast<std::size_t>(flight.target)];
    const bool port_decides = rank.receive_port > flight.arrival;
    const Seconds free = rank.processor;
    const Seconds arrived = take_in(rank, flight.arrival, flight.cost);
    tracer_.finished(flight, arrived, port_decides, free > arrived, rank.processor);
  }

  const Schedule& schedule_;
  TransferCosts costs_;
  Tracer& tracer_;
  std::vector<RankClocks> clocks_;
  std::vector<std::int64_t> last_receiver_round_;
  std::vector<Flight> flights_;
  std::int64_t round_ = 0;
  std::size_t messages_ = 0;
};

}  // namespace postage
