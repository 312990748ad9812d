#pragma once

#include "predict/flows/flow_chance.hpp"
#include "predict/flows/flow_intake.hpp"
#include "predict/flows/flow_order.hpp"
#include "predict/flows/flow_penalties.hpp"
#include "predict/flows/flow_portions.hpp"
#include "predict/flows/flow_shares.hpp"
#include "predict/flows/flow_state.hpp"

#include <postage/predict/flows/flows.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace postage {

/// The rules of flows.hpp as a simulation by events: bytes of a message begin to move, or all have moved. How those
/// under way share what they have in common is `Sharing`'s: max-min fairly (FlowShares), or each resource in equal
/// portions (FlowPortions).
template <typename Sharing>
class FlowEngine {
 public:
  /// Each message is as slow as given; all as the model says where nothing is.
  FlowEngine(const FlowProgram& program, const FlowClasses& classes, const Flow& model, const FlowChance& chance,
             std::vector<Slowness> slowness)
      : program_(program),
        classes_(classes),
        slowness_(std::move(slowness)),
        model_(model),
        shares_(classes),
        penalties_(program, classes, model.penalties),
        intake_(program),
        order_(program),
        transits_(program_.messages.size()),
        ranks_(program_.steps.size()) {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      ranks_[rank].clock = start_of(rank, model, chance);
      for (const FlowStep& step : program_.steps[rank]) {
        ranks_[rank].missing.push_back(static_cast<std::uint32_t>(step.receives.size()));
        post(step, program_.receives_first ? ranks_[rank].clock : kNever, 0);
      }
    }
  }

  Timeline run() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      advance(static_cast<Rank>(rank));
    }
    while (!events_.empty()) {
      now_ = events_.top().time;
      while (!events_.empty() && events_.top().time <= now_ + kSameMoment) {
        const FlowEvent event = events_.top();
        events_.pop();
        handle(event);
      }
      penalties_.settle([&](FlowClassId id, double most) { shares_.bound(id, most); });
      shares_.settle(now_, [&](std::uint32_t number, std::uint32_t version, Seconds time) {
        events_.push({time, number, version, FlowEventKind::kFlowEnds});
      });
    }
    return {.finish = clocks_of(ranks_)};
  }

 private:
  /// As far as the rank gets with what has arrived and what has been sent.
  void advance(Rank r) {
    FlowRank& rank = state(r);
    const auto& steps = program_.steps[static_cast<std::size_t>(r)];
    while (rank.step < steps.size()) {
      const FlowStep& step = steps[rank.step];
      const bool is_before = rank.phase == StepPhase::kBefore;
      if (intake_.keeps(r) || (is_before && step.waits_for_earlier_sends && !rank.has_sent())) {
        return;
      }
      if (is_before) {
        enter(rank, steps);
      }
      if (rank.phase == StepPhase::kSent) {
        if (rank.missing[rank.step] > 0) {
          return;
        }
        receive(rank, step);
      }
      if (step.waits_for_sends && !rank.has_sent()) {
        return;
      }
      combine(rank, step);
    }
    rank.has_sent();
  }

  void enter(FlowRank& rank, const std::vector<FlowStep>& steps) {
    const FlowStep& step = steps[rank.step];
    const Seconds begun = rank.clock;
    rank.clock += model_.host.executor + step.before_sends;
    if (!step.sends.empty()) {
      const bool exchanges = !step.receives.empty();
      delay_sends(rank, model_.host, exchanges ? std::optional(largest_eager(program_, step)) : std::nullopt);
    }
    for (const MessageId id : step.sends) {
      const FlowMessage& message = program_.messages[id];
      rank.clock += message.send_overhead;
      rank.kept_by += (message.is_rendezvous() ? 1 : 0) + (is_get(message.protocol) ? 1 : 0);
      transits_[id].begun = begun;
      transits_[id].sent = rank.clock;
      depart(id);
    }
    const Seconds sent = rank.clock;
    rank.clock += step.meanwhile;
    post(step, begun, step.before_sends + step.meanwhile);
    if (rank.step + 1 < steps.size() && steps[rank.step + 1].receives_start_early) {
      post(steps[rank.step + 1], sent, step.meanwhile);
    }
    rank.phase = StepPhase::kSent;
  }

  /// A rank that is busy for so long answers no request meanwhile, also where it had posted the receive before.
  void post(const FlowStep& step, Seconds time, Seconds busy) {
    for (const MessageId id : step.receives) {
      const FlowMessage& message = program_.messages[id];
      const Seconds delay = message.is_rendezvous() ? busy : 0;
      if (transits_[id].posted == kNever || (delay > 0 && !transits_[id].has_departed)) {
        transits_[id].posted = time + delay;
        depart(id);
      }
    }
  }

  void receive(FlowRank& rank, const FlowStep& step) {
    arrivals_.assign(step.receives.begin(), step.receives.end());
    std::ranges::stable_sort(arrivals_, {}, [&](MessageId id) { return transits_[id].arrival; });
    for (const MessageId id : arrivals_) {
      const FlowMessage& message = program_.messages[id];
      rank.clock = std::max(rank.clock, transits_[id].arrival) + message.receive_overhead;
    }
    acknowledge(rank, step);
    rank.has_received = rank.has_received || !step.receives.empty();
    rank.phase = StepPhase::kReceived;
  }

  void acknowledge(FlowRank& rank, const FlowStep& step) {
    for (const MessageId id : step.receives) {
      const FlowMessage& message = program_.messages[id];
      if (is_get(message.protocol)) {
        rank.clock += message.acknowledge_overhead;
        const Seconds arrival = rank.clock + message.acknowledge_latency * slowness(id).latency;
        events_.push({arrival + message.acknowledged_overhead, id, 0, FlowEventKind::kReplies});
      }
    }
  }

  void combine(FlowRank& rank, const FlowStep& step) {
    for (const MessageId id : step.receives) {
      const FlowMessage& message = program_.messages[id];
      rank.clock += message.operations * model_.combine_per_byte * static_cast<double>(message.bytes);
    }
    rank.clock += step.after;
    ++rank.step;
    rank.phase = StepPhase::kBefore;
  }

  /// Once the message is sent, and posted where it is awaited.
  void depart(MessageId id) {
    const FlowMessage& message = program_.messages[id];
    const MessageTransit& transit = transits_[id];
    const bool is_awaited = message.is_awaited();
    if (transit.sent == kNever || (is_awaited && transit.posted == kNever) || transit.has_departed) {
      return;
    }
    transits_[id].has_departed = true;
    // A rank that waits for the message before it waits for this one, too.
    const bool is_late = transit.is_posted_late(kStartSpread) && state(message.target).step == message.target_step;
    const Seconds departed = is_awaited ? std::max(transit.sent, transit.posted) : transit.sent;
    transits_[id].ready = departed + (is_late ? message.unawaited : 0);
    if (!FlowIntake::concerns(message) || intake_.admit(id)) {
      set_off(id, transits_[id].ready);
    }
  }

  /// It spends this share of its latency; its target, which fetches it only while it waits, that in which it is kept
  /// (R).
  void set_off(MessageId id, Seconds time, double share = 1) {
    const FlowMessage& message = program_.messages[id];
    time = intake_.release(message, time);
    if (model_.penalties.any()) {
      events_.push({time, id, 0, FlowEventKind::kDeparts});
    }
    const Seconds latency =
        (message.link->latency - classes_.envelope_of(message) * message.link->seconds_per_byte) * slowness(id).latency;
    const Seconds busy = FlowIntake::concerns(message) ? state(message.target).clock - time : 0;
    const Seconds under_way = std::max(share * latency, busy + std::min(share, message.link->in_turn) * latency);
    const Seconds extra = message.written + message.handshake + message.spilled + intake_.meet_others(id, transits_);
    events_.push({time + under_way + extra, id, 0, FlowEventKind::kBegins});
  }

  /// After others that the target took in: what it does for this one, too, is r, or G m and a share of L.
  void set_off_further(MessageId id, Seconds time) {
    const FurtherMessage further = further_message(program_.messages[id]);
    transits_[id].moved = further.moved;
    set_off(id, time + further.longer * slowness(id).latency, further.share);
  }

  void handle(const FlowEvent& event) {
    switch (event.kind) {
      case FlowEventKind::kBegins:
        if (const Seconds late = std::exchange(transits_[event.number].late, 0); late > 0) {
          return events_.push({event.time + late, event.number, 0, FlowEventKind::kBegins});
        }
        return order_.admits(event.number) ? begin(event.number, event.time) : void();
      case FlowEventKind::kEnds:
        return end(event.number, event.time);
      case FlowEventKind::kDeparts:
        return penalties_.start(event.number);
      case FlowEventKind::kReplies:
        return release(program_.messages[event.number].source, event.time);
      case FlowEventKind::kFlowEnds:
        return shares_.end(event.number, event.version, now_, kSameMoment,
                           [&](MessageId id, Seconds time) { end_at(id, time); });
    }
  }

  /// A message that is slower than others has the same share of what it uses, and does less with it.
  void begin(MessageId id, Seconds time) {
    const FlowMessage& message = program_.messages[id];
    const double bytes =
        (static_cast<double>(message.bytes) + classes_.envelope_of(message)) * slowness(id).bytes * transits_[id].moved;
    if (const FlowClassId flow = classes_.of(id); flow != FlowClasses::kNoClass) {
      shares_.start(flow, id, bytes, now_);
    } else {
      events_.push({time + bytes * message.link->seconds_per_byte, id, 0, FlowEventKind::kEnds});
    }
  }

  void end_at(MessageId id, Seconds time) {
    if (time > now_ + kSameMoment) {
      events_.push({time, id, 0, FlowEventKind::kEnds});
    } else {
      end(id, time);
    }
  }

  void end(MessageId id, Seconds time) {
    const FlowMessage& message = program_.messages[id];
    transits_[id].arrival = time;
    penalties_.end(id);
    if (const auto next = order_.next_after(id)) {
      begin(*next, time);
    }
    if (message.is_rendezvous()) {
      release(message.source, time + message.acknowledged);
    }
    FlowRank& target = state(message.target);
    const bool is_last = --target.missing[message.target_step] == 0;
    if (FlowIntake::concerns(message)) {
      target.clock = intake_.keeps(message.target) ? std::max(target.clock, time) : target.clock;
      const auto next = intake_.next(message.target, [&](MessageId one) { return transits_[one].begun < time; });
      advance(message.target);
      if (next) {
        set_off_further(*next, std::max({time, transits_[*next].ready, target.clock}));
      }
    } else if (is_last && target.phase == StepPhase::kSent && target.step == message.target_step) {
      advance(message.target);
    }
  }

  /// One of the messages that keep a rank where it waits for its sends has arrived.
  void release(Rank r, Seconds time) {
    FlowRank& rank = state(r);
    rank.kept_until = std::max(rank.kept_until, time);
    if (--rank.kept_by == 0 && rank.phase != StepPhase::kSent) {
      advance(r);
    }
  }

  [[nodiscard]] FlowRank& state(Rank rank) { return ranks_[static_cast<std::size_t>(rank)]; }

  [[nodiscard]] Slowness slowness(MessageId id) const { return slowness_.empty() ? Slowness{} : slowness_[id]; }

  const FlowProgram& program_;
  const FlowClasses& classes_;
  std::vector<Slowness> slowness_;
  const Flow& model_;
  Sharing shares_;
  PenaltyCounts penalties_;
  FlowIntake intake_;
  FlowOrder order_;
  std::vector<MessageTransit> transits_;
  std::vector<FlowRank> ranks_;
  std::priority_queue<FlowEvent, std::vector<FlowEvent>, std::greater<>> events_;
  std::vector<MessageId> arrivals_;
  Seconds now_ = 0;
};

}  // namespace postage
