#pragma once

#include <postage/base/error.hpp>
#include <postage/predict/timeline/timeline.hpp>

#include <fmt/format.h>

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
      : schedule_(schedule), channels_(channels), model_(model), tracer_(tracer) {
    if (!channels.is_single() && channels.mapping().capacity() < schedule.ranks) {
      throw Error(fmt::format("the mapping has places for {} ranks, but P is {}", channels.mapping().capacity(),
                              schedule.ranks));
    }
    const auto ranks = static_cast<std::size_t>(schedule.ranks);
    processor_.assign(ranks, 0);
    send_port_.assign(ranks, 0);
    receive_port_.assign(ranks, 0);
    last_receiver_round_.assign(ranks, 0);
  }

  Timeline run() {
    for_each_round(schedule_, [&](const RoundPosition& position) { play_round(position); });
    return {std::move(processor_)};
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
    const ChannelId channel = channels_.channel_of(transfer.source, transfer.target);
    TransferCost c = cost(model_, {.source = channels_.measured_rank(transfer.source),
                                   .target = channels_.measured_rank(transfer.target),
                                   .channel = channel,
                                   .bytes = transfer.bytes});
    if (transfer.pattern->combine != Combine::kCopy) {
      c.receiver_busy += combine_cost(model_, transfer.bytes);
    }
    Seconds& processor = processor_[static_cast<std::size_t>(transfer.source)];
    Seconds& port = send_port_[static_cast<std::size_t>(transfer.source)];
    const bool port_decides = port > processor;
    const Seconds begin = std::max(processor, port);
    processor = begin + c.sender_busy;
    port = begin + c.gap;
    flights_.push_back({messages_++, transfer.source, transfer.target, transfer.bytes, channel, c, begin,
                        begin + c.sender_busy + c.wire});
    tracer_.started(position, flights_.back(), port_decides);
  }

  void finish(const Flight& flight) {
    Seconds& processor = processor_[static_cast<std::size_t>(flight.target)];
    Seconds& port = receive_port_[static_cast<std::size_t>(flight.target)];
    const bool port_decides = port > flight.arrival;
    const Seconds arrived = std::max(flight.arrival, port);
    port = arrived + flight.cost.gap;
    const bool processor_decides = processor > arrived;
    processor = std::max(arrived, processor) + flight.cost.receiver_busy;
    tracer_.finished(flight, arrived, port_decides, processor_decides, processor);
  }

  const Schedule& schedule_;
  const ChannelMap& channels_;
  const Model& model_;
  Tracer& tracer_;
  std::vector<Seconds> processor_;     ///< when each rank's processor is free
  std::vector<Seconds> send_port_;     ///< when its next message may start
  std::vector<Seconds> receive_port_;  ///< when its next arrival may end
  std::vector<std::int64_t> last_receiver_round_;
  std::vector<Flight> flights_;
  std::int64_t round_ = 0;
  std::size_t messages_ = 0;
};

}  // namespace postage
