#include "predict/flows/flow_memory.hpp"

#include <postage/program/interval_map.hpp>
#include <postage/program/program.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace postage {
namespace {

/// What was done last to a byte of a rank's memory.
enum class LastUse : std::uint8_t {
  kReceived,
  kWritten,      ///< copied or combined there
  kOverwritten,  ///< the same, where another rank had fetched it before
  kFetched       ///< by another rank, out of this memory
};

struct MemoryUse {
  LastUse last = LastUse::kReceived;
  const FlowLink* link = nullptr;  ///< over which it was fetched
};

/// Of all that a rank's program works on.
class MemoryUses {
 public:
  /// Bytes of a region by what was done to them last.
  struct Counts {
    Bytes received = 0;
    Bytes written = 0;
    Bytes overwritten = 0;
    Bytes fetched = 0;
    const FlowLink* link = nullptr;  ///< over which some were fetched
  };

  void receive(const Region& region) { assign(region, {LastUse::kReceived}); }

  void send(const Region& region, const FlowMessage& message) {
    if (message.is_rendezvous()) {
      assign(region, {LastUse::kFetched, message.link});
    } else {
      of(region).erase(region.at.offset, region.at.offset + region.bytes);
    }
  }

  /// What was there before.
  Counts write(const Region& region) {
    const Counts before = counts_of(region);
    assign(region, {before.fetched > 0 ? LastUse::kOverwritten : LastUse::kWritten});
    return before;
  }

  [[nodiscard]] Counts counts_of(const Region& region) const {
    Counts counts;
    places_[index_of(region)].for_each(region.at.offset, region.at.offset + region.bytes,
                                       [&](Bytes begin, Bytes end, const MemoryUse* use) {
                                         if (use != nullptr) {
                                           count(counts, *use, end - begin);
                                         }
                                       });
    return counts;
  }

 private:
  static void count(Counts& counts, const MemoryUse& use, Bytes bytes) {
    switch (use.last) {
      case LastUse::kReceived:
        counts.received += bytes;
        return;
      case LastUse::kWritten:
        counts.written += bytes;
        return;
      case LastUse::kOverwritten:
        counts.overwritten += bytes;
        return;
      case LastUse::kFetched:
        counts.fetched += bytes;
        counts.link = use.link;
        return;
    }
  }

  void assign(const Region& region, const MemoryUse& use) {
    of(region).assign(region.at.offset, region.at.offset + region.bytes, use);
  }
  [[nodiscard]] static std::size_t index_of(const Region& region) { return static_cast<std::size_t>(region.at.memory); }
  [[nodiscard]] IntervalMap<MemoryUse>& of(const Region& region) { return places_[index_of(region)]; }

  std::array<IntervalMap<MemoryUse>, 5> places_;  ///< by Memory
};

/// What some bytes take longer than by themselves where a rank moves `moved` in all, whose times are the curve's.
Seconds beyond(const CostCurve& curve, double bytes, double moved) {
  return moved > bytes && bytes > 0 ? std::max(bytes / moved * curve.at(moved) - curve.at(bytes), 0.0) : 0;
}

/// One rank's part.
class RankMemory {
 public:
  RankMemory(FlowProgram& flows, const Flow& model, Rank rank, const Program& program)
      : flows_(flows), model_(model), steps_(flows.steps[static_cast<std::size_t>(rank)]), program_(program) {}

  /// A rank whose last step is one send makes it by a call that blocks: a rendezvous has no overhead then but the wait.
  void add_waits() {
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      const Step& from = program_.steps[i];
      FlowStep& step = steps_[i];
      step.waits_for_earlier_sends = from.waits_for_earlier_sends;
      step.receives_start_early = from.receives_start_early;
      step.waits_for_sends = from.waits_for_sends;
      if (from.uses_blocking_call && !step.sends.empty()) {
        FlowMessage& message = flows_.messages[step.sends.front()];
        message.send_overhead = message.link->is_rendezvous(message.bytes) ? 0 : message.send_overhead;
      }
    }
  }

  /// When the collective runs again, memory is as the run before left it.
  void add_memory() {
    count_moved();
    for (const FlowStep& step : steps_) {
      for (const MessageId id : step.receives) {
        FlowMessage& message = flows_.messages[id];
        message.spilled = beyond(message.link->host.spilled, static_cast<double>(message.bytes), moved_);
      }
    }
    MemoryUses uses;
    follow(uses);
    const auto [start, finish] = follow(uses);
    if (!has_copies(model_)) {
      return;
    }
    for (FlowStep& step : steps_) {
      for (const MessageId id : step.receives) {
        flows_.messages[id].operations = 0;
      }
    }
    if (!steps_.empty()) {
      steps_.front().before_sends += start;
    }
    if (finish > 0) {
      steps_.push_back({.waits_for_earlier_sends = program_.waits_before_finish, .after = finish});
    }
  }

 private:
  struct Ends {
    Seconds start = 0;
    Seconds finish = 0;
  };

  /// In larger messages than S and in operations.
  void count_moved() {
    const auto operate_on = [&](const std::vector<LocalOperation>& operations) {
      for (const LocalOperation& operation : operations) {
        moved_ += static_cast<double>(operation.from.bytes);
      }
    };
    operate_on(program_.start);
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      for (const MessageId id : steps_[i].receives) {
        const FlowMessage& message = flows_.messages[id];
        moved_ += message.is_rendezvous() ? static_cast<double>(message.bytes) : 0;
      }
      operate_on(program_.steps[i].before_sends);
      operate_on(program_.steps[i].meanwhile);
      operate_on(program_.steps[i].after);
    }
    operate_on(program_.finish);
  }

  /// One run of the program: what its steps' operations and messages take.
  Ends follow(MemoryUses& uses) {
    Ends ends{.start = operate(uses, program_.start)};
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      const Step& from = program_.steps[i];
      FlowStep& step = steps_[i];
      step.before_sends = operate(uses, from.before_sends);
      for (std::size_t k = 0; k < from.sends.size(); ++k) {
        send(uses, from.sends[k].where, flows_.messages[step.sends[k]]);
      }
      step.meanwhile = operate(uses, from.meanwhile);
      for (const Message& message : from.receives) {
        uses.receive(message.where);
      }
      step.after = operate(uses, from.after);
    }
    ends.finish = operate(uses, program_.finish);
    return ends;
  }

  static void send(MemoryUses& uses, const Region& region, FlowMessage& message) {
    const MemoryUses::Counts counts = uses.counts_of(region);
    const HostLinkOverheads& host = message.link->host;
    const Bytes bytes = counts.received + counts.written + counts.overwritten;
    const bool has_own = message.meets_by_schedule_alone() && !host.rewritten_get.points().empty();
    const CostCurve& rewritten = has_own ? host.rewritten_get : host.rewritten;
    const Seconds overwriting = host.overwriting.at(static_cast<double>(counts.overwritten));
    message.written = bytes > 0 ? std::max(rewritten.at(static_cast<double>(bytes)) - overwriting, 0.0) : 0;
    uses.send(region, message);
  }

  /// Nothing where the model does not know what copying takes.
  Seconds operate(MemoryUses& uses, const std::vector<LocalOperation>& operations) const {
    Seconds time = 0;
    for (const LocalOperation& operation : operations) {
      const auto bytes = static_cast<double>(operation.from.bytes);
      const MemoryUses::Counts before = uses.write(operation.target());
      if (bytes > 0) {
        time += operation.combines ? model_.combine_per_byte * bytes : model_.host.copy.at(bytes);
        time += beyond(model_.host.copy, bytes, moved_);
      }
      if (before.fetched > 0) {
        time += before.link->host.overwriting.at(static_cast<double>(before.fetched));
      }
    }
    return has_copies(model_) ? time : 0;
  }

  FlowProgram& flows_;
  const Flow& model_;
  std::vector<FlowStep>& steps_;
  const Program& program_;
  double moved_ = 0;  ///< bytes
};

}  // namespace

bool has_copies(const Flow& model) {
  return !model.host.copy.points().empty();
}

void follow_programs(FlowProgram& flows, const Schedule& schedule, const Flow& model) {
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    if (flows.steps[static_cast<std::size_t>(rank)].empty() && schedule.ranks > 1) {
      continue;  // its turn comes after the iterations that HubStages follows
    }
    Program program = lower(schedule, rank, {.commutative = true});
    decide_overlap(program);
    RankMemory memory(flows, model, rank, program);
    memory.add_waits();
    memory.add_memory();
  }
}

}  // namespace postage
