#pragma once

#include "predict/node_ranks.hpp"
#include "predict/timeline/clocks.hpp"
#include "predict/timeline/transfer_costs.hpp"

#include <postage/predict/timeline/timeline.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

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

  Timeline run() { return run(std::numeric_limits<Index>::max()); }

  /// Of each pipeline follows the first `followed` >= 2 segments and the last; each of those between moves every clock
  /// on by as much as the last of the first ones has.
  Timeline run(Index followed) {
    for (std::size_t s = 0; s < schedule_.stages.size(); ++s) {
      play_stage(s, followed);
    }
    Timeline timeline;
    timeline.finish.reserve(clocks_.size());
    for (const RankClocks& rank : clocks_) {
      timeline.finish.push_back(rank.processor);
    }
    return timeline;
  }

 private:
  void play_stage(std::size_t s, Index followed) {
    const Stage& stage = schedule_.stages[s];
    const bool pipelines = stage.segment_order == SegmentOrder::kPipeline;
    const Index outer = pipelines ? stage.segments : 1;
    std::vector<RankClocks> before;
    for (Index segment = 0; segment < outer; ++segment) {
      if (segment == followed - 1 && followed + 1 < outer) {
        before = clocks_;
      } else if (segment == followed && followed + 1 < outer) {
        segment = outer - 1;
        move_on(before, segment - followed);
      }
      play_iterations(s, segment, pipelines ? 1 : stage.segments);
    }
  }

  void move_on(const std::vector<RankClocks>& before, Index times) {
    for (std::size_t rank = 0; rank < clocks_.size(); ++rank) {
      for (Seconds RankClocks::*clock : {&RankClocks::processor, &RankClocks::send_port, &RankClocks::receive_port}) {
        clocks_[rank].*clock += static_cast<double>(times) * (clocks_[rank].*clock - before[rank].*clock);
      }
    }
  }

  void play_iterations(std::size_t s, Index outer, Index inner) {
    const Stage& stage = schedule_.stages[s];
    for (Index t = 0; t < stage.iterations; ++t) {
      for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
        for (Index segment = 0; segment < inner; ++segment) {
          play_round({s, t, outer + segment, r});
        }
      }
    }
  }

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
