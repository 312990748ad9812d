#pragma once

#include "predict/timeline/clocks.hpp"
#include "predict/timeline/fans.hpp"
#include "predict/timeline/get_burst.hpp"
#include "predict/timeline/moment_queue.hpp"

#include <queue>
#include <utility>

namespace postage {

/// The rules of timeline.hpp by events, in the order of time: a port serves messages in the order in which they arrive,
/// also where one of a later round overtakes another. A tracer learns of each message why it did not start or end
/// earlier. O(m log m) for m messages.
template <typename Tracer>
class EventTimeline {
 public:
  /// `limits`: those of the model's fans, or none. `gets`: ModelProperties::gets_data.
  EventTimeline(const MessageList& list, const FanLimits* limits, bool gets, Tracer& tracer)
      : list_(list),
        limits_(limits),
        gets_(gets),
        tracer_(tracer),
        ranks_(static_cast<std::size_t>(list.ranks())),
        waits_(list.steps().size()),
        ends_(list.messages().size()),
        next_arrived_(list.messages().size(), kNoMessage),
        delays_(limits_ != nullptr ? ends_.size() : 1) {
    for (std::size_t step = 0; step < waits_.size(); ++step) {
      waits_[step].missing = list.steps()[step].receives;
    }
  }

  /// When each rank has finished.
  std::vector<Seconds> run() {
    for (Rank rank = 0; rank < list_.ranks(); ++rank) {
      RankState& first = state(rank);
      first.step = list_.first_step(rank);
      start_sends(first);
      go_on(first);
    }
    while (!later_.empty()) {
      moment_ends_ = later_.take_moment(now_);
      serve_moment();
    }
    std::vector<Seconds> finish;
    for (const RankState& rank : ranks_) {
      finish.push_back(rank.clocks.processor);
    }
    return finish;
  }

 private:
  struct RankState {
    RankClocks clocks;
    StepNumber step = kNoMessage;
  };
  /// What has come of a step's messages, in the order of its arrival.
  struct Wait {
    std::uint32_t missing = 0;
    MessageNumber first = kNoMessage;
    MessageNumber last = kNoMessage;
    std::uint32_t unacknowledged = 0;  ///< of the step's own messages, for which the rank waits
    bool taken_in = false;
  };
  /// Marks the number of a message whose acknowledgement arrives.
  static constexpr MessageNumber kAcknowledgement = MessageNumber{1} << 31;

  [[nodiscard]] RankState& state(Rank rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const TransferCost& cost_of(MessageNumber number) const {
    return list_.costs()[list_.messages()[number].cost];
  }

  /// Arrivals of one moment, in the schedule's order, with those that they bring about in no time.
  void serve_moment() {
    for (std::size_t i = 0; i < now_.size() || !at_once_.empty();) {
      if (i < now_.size() && (at_once_.empty() || now_[i] < at_once_.top())) {
        serve(now_[i]);
        ++i;
      } else {
        const MessageNumber number = at_once_.top();
        at_once_.pop();
        serve(number);
      }
    }
  }

  void serve(MessageNumber number) {
    if ((number & kAcknowledgement) != 0) {
      hear_acknowledgement(number - kAcknowledgement);
    } else {
      arrive(number);
    }
  }

  void hear_acknowledgement(MessageNumber number) {
    RankState& source = state(list_.messages()[number].source);
    if (ends_[number] > source.clocks.processor) {
      wait_until(source.clocks, ends_[number]);
      tracer_.acknowledged(number);
    }
    if (--waits_[source.step].unacknowledged == 0) {
      go_on(source);
    }
  }

  /// The target has just taken the message in.
  void acknowledge(const RankState& target, MessageNumber number) {
    if (cost_of(number).source_waits) {
      ends_[number] = acknowledged_at(target.clocks, cost_of(number));
      queue(number | kAcknowledgement, ends_[number]);
    }
  }

  void arrive(MessageNumber number) {
    const ListedMessage& message = list_.messages()[number];
    const TransferCost& cost = cost_of(number);
    RankState& target = state(message.target);
    const bool is_signal = gets_ && cost.acknowledgement == 0;
    const Seconds gap = is_signal ? cost.gap_of_acks : cost.receive_gap();
    const bool port_decides = target.clocks.receive_port + gap > ends_[number];
    ends_[number] = end_arrival(target.clocks, ends_[number], gap);
    tracer_.arrived(number, ends_[number], port_decides);
    Wait& wait = waits_[message.target_step];
    (wait.first == kNoMessage ? wait.first : next_arrived_[wait.last]) = number;
    wait.last = number;
    if (--wait.missing == 0 && target.step == message.target_step) {
      go_on(target);
    }
  }

  void start_sends(RankState& rank) {
    const MessageNumber first = rank.step == kNoMessage ? kNoMessage : list_.steps()[rank.step].first_sent;
    if (limits_ != nullptr && first != kNoMessage) {
      start_fan(rank, first);
      return;
    }
    if (gets_ && first != kNoMessage) {
      start_gets(rank, first);
      return;
    }
    for (MessageNumber number = first; number != kNoMessage; number = list_.messages()[number].next_sent) {
      const TransferCost& cost = cost_of(number);
      waits_[rank.step].unacknowledged += cost.source_waits ? 1 : 0;
      leave(number, start(rank, number, cost) + cost.sender_busy + cost.wire);
    }
  }

  /// Messages of a round leave when all of them have been sent.
  void start_fan(RankState& rank, MessageNumber first) {
    FanOut fan;
    std::vector<std::pair<MessageNumber, Seconds>> begins;
    for (MessageNumber number = first; number != kNoMessage; number = list_.messages()[number].next_sent) {
      const TransferCost& cost = cost_of(number);
      waits_[rank.step].unacknowledged += cost.source_waits ? 1 : 0;
      delays_[number].starts_serialised = fan.prepare(rank.clocks);
      begins.emplace_back(number, start(rank, number, cost));
      fan.started(begins.back().second, cost, limits_->serialises_fan_out(list_.messages()[number].bytes), number);
    }
    for (const auto& [number, begin] : begins) {
      const TransferCost& cost = cost_of(number);
      const bool is_small = !limits_->serialises_fan_out(list_.messages()[number].bytes);
      if (fan.is_fan() && is_small) {
        const bool by_large = fan.serialised_until > rank.clocks.processor;
        delays_[number].released_by = by_large ? fan.last_large : fan.last;
        delays_[number].released_after = fan.released(rank.clocks) - rank.clocks.processor;
        leave(number, fan.released(rank.clocks) + cost.wire);
      } else {
        leave(number, begin + cost.sender_busy + cost.wire);
      }
    }
    fan.close(rank.clocks);
  }

  /// They become part of the burst that the rank has begun, if it has not waited since.
  void start_gets(RankState& rank, MessageNumber first) {
    if (!burst_.takes(cost_of(first))) {
      release();
    }
    burst_.begin_round();
    for (MessageNumber number = first; number != kNoMessage; number = list_.messages()[number].next_sent) {
      const TransferCost& cost = cost_of(number);
      waits_[rank.step].unacknowledged += cost.source_waits ? 1 : 0;
      const bool port_decides = burst_.is_empty() && rank.clocks.send_port > rank.clocks.processor;
      burst_.start(rank.clocks, number, list_.messages()[number].channel, cost);
      tracer_.started(number, cost, burst_.begin(), port_decides);
    }
  }

  void release() {
    burst_.release([&](MessageNumber number, Seconds arrival, Seconds shared) {
      tracer_.shared_source(number, shared);
      leave(number, arrival);
    });
  }

  /// Goes through the steps for which nothing is missing, up to one that waits.
  void go_on(RankState& rank) {
    while (rank.step != kNoMessage && waits_[rank.step].missing == 0) {
      if (list_.steps()[rank.step].receives > 0) {
        release();
      }
      Wait& wait = waits_[rank.step];
      if (!std::exchange(wait.taken_in, true)) {
        take_in_step(rank, wait.first);
      }
      if (wait.unacknowledged > 0) {
        break;
      }
      rank.step = list_.steps()[rank.step].next;
      start_sends(rank);
    }
    release();
  }

  void take_in_step(RankState& rank, MessageNumber first) {
    if (limits_ != nullptr && list_.steps()[rank.step].receives > 1) {
      take_in_fan(rank, first);
    } else {
      take_in_all(rank, first);
    }
  }

  void take_in_all(RankState& rank, MessageNumber number) {
    for (; number != kNoMessage; number = next_arrived_[number]) {
      const bool processor_decides = rank.clocks.processor > ends_[number];
      take_in(rank.clocks, ends_[number], cost_of(number));
      tracer_.taken_in(number, delays_[limits_ != nullptr ? number : 0], processor_decides);
      acknowledge(rank, number);
    }
  }

  void take_in_fan(RankState& rank, MessageNumber first) {
    FanIn fan;
    for (MessageNumber number = first; number != kNoMessage; number = next_arrived_[number]) {
      fan.expect(*limits_, list_.messages()[number].bytes, ends_[number], number);
    }
    for (const bool is_large : {false, true}) {
      for (MessageNumber number = first; number != kNoMessage; number = next_arrived_[number]) {
        if (limits_->serialises_fan_in(list_.messages()[number].bytes) == is_large) {
          take_in_fan(rank, number, fan);
        }
      }
    }
  }

  void take_in_fan(RankState& rank, MessageNumber number, FanIn& fan) {
    const ListedMessage& message = list_.messages()[number];
    const Seconds free = rank.clocks.processor;
    Seconds arrival = ends_[number];
    FanDelays delays = fan.take_in(rank.clocks, *limits_, message.bytes, arrival, cost_of(number), number);
    delays.starts_serialised = delays_[number].starts_serialised;
    delays.released_by = delays_[number].released_by;
    delays.released_after = delays_[number].released_after;
    tracer_.taken_in(number, delays, free > arrival);
    acknowledge(rank, number);
  }

  /// Returns when it begins.
  Seconds start(RankState& source, MessageNumber number, const TransferCost& cost) {
    const bool port_decides = source.clocks.send_port > source.clocks.processor;
    const Seconds begin = start_message(source.clocks, cost);
    tracer_.started(number, cost, begin, port_decides);
    return begin;
  }

  void leave(MessageNumber number, Seconds arrival) {
    ends_[number] = arrival;
    queue(number, arrival);
  }

  void queue(MessageNumber number, Seconds time) {
    if (time <= moment_ends_) {
      at_once_.push(number);
    } else {
      later_.push(time, number);
    }
  }

  const MessageList& list_;
  const FanLimits* limits_;
  bool gets_;
  Tracer& tracer_;
  std::vector<RankState> ranks_;
  std::vector<Wait> waits_;    ///< [step]
  std::vector<Seconds> ends_;  ///< [message]: of arrivals, then of what the port served, then of acknowledgements
  std::vector<MessageNumber> next_arrived_;  ///< [message]: of the same step
  std::vector<FanDelays> delays_;            ///< [message]: of its start, where there are limits
  GetBurst burst_;                           ///< of the rank that goes on
  MomentQueue later_;
  std::vector<MessageNumber> now_;
  std::priority_queue<MessageNumber, std::vector<MessageNumber>, std::greater<>> at_once_;
  Seconds moment_ends_ = RankClocks::kNever;
};

}  // namespace postage
