#include "predict/flows/flow_memory.hpp"

#include <postage/program/interval_map.hpp>
#include <postage/program/program.hpp>

#include <array>
#include <variant>

namespace postage {
namespace {

/// Places that a rank has written.
class WrittenPlaces {
 public:
  void insert(const Region& region) { of(region).assign(region.at.offset, region.at.offset + region.bytes, {}); }
  void erase(const Region& region) { of(region).erase(region.at.offset, region.at.offset + region.bytes); }

  void insert(const std::vector<LocalOperation>& operations) {
    for (const LocalOperation& operation : operations) {
      insert(operation.target());
    }
  }

  /// How much of the region.
  [[nodiscard]] Bytes bytes_of(const Region& region) const {
    Bytes bytes = 0;
    places_[index_of(region)].for_each(
        region.at.offset, region.at.offset + region.bytes,
        [&](Bytes begin, Bytes end, const std::monostate* written) { bytes += written != nullptr ? end - begin : 0; });
    return bytes;
  }

 private:
  [[nodiscard]] static std::size_t index_of(const Region& region) { return static_cast<std::size_t>(region.at.memory); }
  [[nodiscard]] IntervalMap<std::monostate>& of(const Region& region) { return places_[index_of(region)]; }

  std::array<IntervalMap<std::monostate>, 5> places_;  ///< by Memory
};

/// Visits the program's sends with their places in `written`, which goes with the program: `visit(step, send, region)`.
template <typename Visit>
void follow_writes(const Program& program, WrittenPlaces& written, const Visit& visit) {
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    written.insert(step.before_sends);
    for (std::size_t k = 0; k < step.sends.size(); ++k) {
      visit(i, k, step.sends[k].where);
    }
    written.insert(step.meanwhile);
    for (const Message& message : step.receives) {
      written.insert(message.where);
    }
    written.insert(step.after);
  }
  written.insert(program.finish);
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

  void add_written() {
    WrittenPlaces written;
    // What was written after it was last sent is still so when the collective runs again.
    follow_writes(program_, written,
                  [&](std::size_t /*step*/, std::size_t /*send*/, const Region& region) { written.erase(region); });
    follow_writes(program_, written, [&](std::size_t step, std::size_t send, const Region& region) {
      FlowMessage& message = flows_.messages[steps_[step].sends[send]];
      const Bytes bytes = written.bytes_of(region);
      message.written = bytes > 0 ? message.link->host.rewritten.at(static_cast<double>(bytes)) : 0;
    });
  }

  void add_operations() {
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      steps_[i].before_sends = time_of(program_.steps[i].before_sends);
      steps_[i].meanwhile = time_of(program_.steps[i].meanwhile);
      steps_[i].after = time_of(program_.steps[i].after);
      for (const MessageId id : steps_[i].receives) {
        flows_.messages[id].operations = 0;
      }
    }
    if (!steps_.empty()) {
      steps_.front().before_sends += time_of(program_.start);
    }
    if (const Seconds finish = time_of(program_.finish); finish > 0) {
      steps_.push_back({.waits_for_earlier_sends = program_.waits_before_finish, .after = finish});
    }
  }

 private:
  [[nodiscard]] Seconds time_of(const std::vector<LocalOperation>& operations) const {
    Seconds time = 0;
    for (const LocalOperation& operation : operations) {
      const auto bytes = static_cast<double>(operation.from.bytes);
      if (bytes > 0) {
        time += operation.combines ? model_.combine_per_byte * bytes : model_.host.copy.at(bytes);
      }
    }
    return time;
  }

  FlowProgram& flows_;
  const Flow& model_;
  std::vector<FlowStep>& steps_;
  const Program& program_;
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
    memory.add_written();
    if (has_copies(model)) {
      memory.add_operations();
    }
  }
}

}  // namespace postage
