#include <postage/program/interval_map.hpp>
#include <postage/program/program.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace postage {
namespace {

struct Busy {};

/// Ranges of the memories that a program may write to.
class BusyRanges {
 public:
  void insert(const Region& region) {
    if (region.at.memory != Memory::kSend) {
      of(region).assign(region.at.offset, region.at.offset + region.bytes, Busy{});
    }
  }

  void insert(const std::vector<Message>& messages) {
    for (const Message& message : messages) {
      insert(message.where);
    }
  }

  /// What the operations read and write.
  void insert(const std::vector<LocalOperation>& operations) {
    for (const LocalOperation& operation : operations) {
      insert(operation.from);
      insert(operation.target());
    }
  }

  [[nodiscard]] bool meet(const Region& region) const {
    return region.at.memory != Memory::kSend && of(region).meets(region.at.offset, region.at.offset + region.bytes);
  }

  [[nodiscard]] bool meet(const std::vector<Message>& messages) const {
    return std::any_of(messages.begin(), messages.end(), [&](const Message& message) { return meet(message.where); });
  }

  [[nodiscard]] bool meet_targets(const std::vector<LocalOperation>& operations) const {
    return std::any_of(operations.begin(), operations.end(),
                       [&](const LocalOperation& operation) { return meet(operation.target()); });
  }

  void clear() {
    for (auto& memory : busy_) {
      memory.clear();
    }
  }

 private:
  [[nodiscard]] IntervalMap<Busy>& of(const Region& region) {
    return busy_[region.at.memory == Memory::kReceive ? 0 : 1];
  }
  [[nodiscard]] const IntervalMap<Busy>& of(const Region& region) const {
    return busy_[region.at.memory == Memory::kReceive ? 0 : 1];
  }

  std::array<IntervalMap<Busy>, 2> busy_;
};

/// More than one call for a message.
bool has_protocols(const Step& step) {
  const auto has_protocol = [](const Message& message) { return message.protocol != Protocol::kDefault; };
  return std::any_of(step.sends.begin(), step.sends.end(), has_protocol) ||
         std::any_of(step.receives.begin(), step.receives.end(), has_protocol);
}

/// Every step for itself.
void block(Program& program) {
  for (Step& step : program.steps) {
    step.waits_for_earlier_sends = false;
    step.receives_start_early = false;
    step.waits_for_sends = !step.sends.empty();
    step.after.insert(step.after.begin(), step.meanwhile.begin(), step.meanwhile.end());
    step.meanwhile.clear();
    step.uses_blocking_call = !has_protocols(step) && step.sends.size() + step.receives.size() == 1;
  }
  program.waits_before_finish = false;
}

/// Follows a program with the sends that may still be under way.
class Overlap {
 public:
  explicit Overlap(Program& program) : program_(program) {}

  void decide() {
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      Step& step = program_.steps[i];
      enter(step);
      if (i + 1 < program_.steps.size()) {
        look_at_next(step, program_.steps[i + 1]);
      }
      leave(step);
    }
    program_.waits_before_finish = sends_.meet_targets(program_.finish);
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      program_.steps[i].uses_blocking_call =
          !has_protocols(program_.steps[i]) && (is_lone_receive(i) || is_lone_last_send(i));
    }
  }

 private:
  /// The next step's receives may be posted when this one's sends are under way, if nothing that follows in this step
  /// touches their memory.
  void look_at_next(const Step& step, Step& next) {
    touched_.clear();
    touched_.insert(step.receives);
    touched_.insert(step.meanwhile);
    touched_.insert(step.after);
    next.receives_start_early = !next.receives.empty() && !sends_.meet(next.receives) && !touched_.meet(next.receives);
  }

  void enter(Step& step) {
    step.waits_for_earlier_sends =
        (!step.receives_start_early && sends_.meet(step.receives)) || sends_.meet_targets(step.before_sends);
    if (step.waits_for_earlier_sends) {
      sends_.clear();
    }
    sends_.insert(step.sends);
    if (sends_.meet_targets(step.meanwhile)) {
      step.after.insert(step.after.begin(), step.meanwhile.begin(), step.meanwhile.end());
      step.meanwhile.clear();
    }
  }

  void leave(Step& step) {
    const bool is_ordered = std::any_of(step.sends.begin(), step.sends.end(), [](const Message& message) {
      return message.protocol == Protocol::kAcknowledged;
    });
    const bool blocks = program_.calls == Calls::kBlockingSends && !step.sends.empty();
    step.waits_for_sends = is_ordered || blocks || sends_.meet_targets(step.after);
    if (step.waits_for_sends) {
      sends_.clear();
    }
  }

  /// A leaf of a tree has no more: to block costs half of what posting and waiting cost for a small message.
  [[nodiscard]] bool is_lone_receive(std::size_t i) const {
    const Step& step = program_.steps[i];
    const bool is_alone = i + 1 == program_.steps.size() || !program_.steps[i + 1].receives_start_early;
    return is_alone && step.receives.size() == 1 && step.sends.empty() && step.meanwhile.empty() &&
           !step.receives_start_early;
  }

  [[nodiscard]] bool is_lone_last_send(std::size_t i) const {
    const Step& step = program_.steps[i];
    return i + 1 == program_.steps.size() && step.sends.size() == 1 && step.receives.empty() &&
           step.meanwhile.empty() && program_.finish.empty();
  }

  Program& program_;
  BusyRanges sends_;    ///< that sends under way read
  BusyRanges touched_;  ///< until this step's end
};

}  // namespace

void decide_overlap(Program& program) {
  program.calls == Calls::kBlocking ? block(program) : Overlap(program).decide();
}

}  // namespace postage
