#include "transport/instructions.hpp"

#include <utility>

namespace postage {
namespace {

/// The most pending sends: libraries slow down when they have to search many.
constexpr std::int32_t kMostSends = 256;

class Writer {
 public:
  std::vector<Instruction> write(const Program& program) {
    operate(program.start);
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      step(program.steps[i], i + 1 < program.steps.size() ? &program.steps[i + 1] : nullptr);
    }
    if (program.waits_before_finish) {
      wait_for_sends();
    }
    operate(program.finish);
    wait_for_sends();
    return std::move(list_);
  }

 private:
  using Kind = Instruction::Kind;

  void step(const Step& step, const Step* next) {
    if (step.waits_for_earlier_sends) {
      wait_for_sends();
    }
    if (step.uses_blocking_call) {
      operate(step.before_sends);
      send(step, Kind::kSend);
      receive(step, Kind::kReceive);
    } else {
      if (!step.receives_start_early) {
        receive(step, Kind::kStartReceive);
      }
      operate(step.before_sends);
      send(step, Kind::kStartSend);
      if (next != nullptr && next->receives_start_early) {
        receive(*next, Kind::kStartReceive);
      }
      operate(step.meanwhile);
      if (!step.receives.empty()) {
        list_.push_back({.kind = Kind::kWaitForReceives, .count = static_cast<std::int32_t>(step.receives.size())});
        acknowledge(step);
      }
    }
    if (step.waits_for_sends) {
      wait_for_sends();
    }
    operate(step.after);
  }

  void send(const Step& step, Kind kind) {
    bool any_acknowledged = false;
    for (const Message& message : step.sends) {
      const bool acknowledged = is_get(message.protocol);
      const bool meets = acknowledged || message.protocol == Protocol::kRendezvous;
      add(message, step.tag, meets ? Kind::kRendezvous : kind);
      list_.back().is_acknowledged = acknowledged;
      under_way_ += (meets || kind == Kind::kStartSend ? 1 : 0) + (acknowledged ? 1 : 0);
      any_acknowledged = any_acknowledged || acknowledged;
    }
    // Whoever acknowledges may wait for this rank to acknowledge what it has not received yet.
    if (under_way_ > kMostSends && !any_acknowledged) {
      wait_for_sends(under_way_ - kMostSends / 2);
    }
  }

  void acknowledge(const Step& step) {
    for (const Message& message : step.receives) {
      if (is_get(message.protocol)) {
        list_.push_back({.kind = Kind::kAcknowledge, .tag = step.tag, .peer = message.peer});
      }
    }
  }

  void receive(const Step& step, Kind kind) {
    for (const Message& message : step.receives) {
      add(message, step.tag, kind);
    }
  }

  /// A send reads, and a receive writes, where the message lies.
  void add(const Message& message, int tag, Kind kind) {
    const Address& where = message.where.at;
    list_.push_back({.kind = kind,
                     .from_memory = where.memory,
                     .to_memory = where.memory,
                     .tag = tag,
                     .peer = message.peer,
                     .from = where.offset,
                     .to = where.offset,
                     .bytes = message.where.bytes});
  }

  void operate(const std::vector<LocalOperation>& operations) {
    for (const LocalOperation& operation : operations) {
      if (operation.from.bytes > 0) {
        list_.push_back({.kind = operation.combines ? Kind::kCombine : Kind::kCopy,
                         .from_memory = operation.from.at.memory,
                         .to_memory = operation.to.memory,
                         .from = operation.from.at.offset,
                         .to = operation.to.offset,
                         .bytes = operation.from.bytes});
      }
    }
  }

  void wait_for_sends() { wait_for_sends(under_way_); }

  void wait_for_sends(std::int32_t count) {
    if (count > 0) {
      list_.push_back({.kind = Kind::kWaitForSends, .count = count});
      under_way_ -= count;
    }
  }

  std::vector<Instruction> list_;
  std::int32_t under_way_ = 0;  ///< requests of sends
};

}  // namespace

std::vector<Instruction> instructions_of(const Program& program) {
  return Writer().write(program);
}

}  // namespace postage
