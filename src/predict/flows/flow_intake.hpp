#pragma once

#include "predict/flows/flow_program.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace postage {

/// What ranks take in whose processors move the bytes of a rendezvous (R): one message at a time. With D a rank also
/// takes in what others had begun to send to it meanwhile before it goes on, as an MPI library does that looks for
/// arrived messages until there are none. So ranks that exchange message after message get out of step, and then fetch
/// in turns.
class FlowIntake {
 public:
  explicit FlowIntake(const FlowProgram& program) : program_(program), ranks_(program.steps.size()) {}

  [[nodiscard]] static bool concerns(const FlowMessage& message) {
    return message.link->in_turn > 0 && message.is_rendezvous();
  }

  /// False where the message's target takes in another one: it has to wait for its turn.
  bool admit(MessageId id) {
    Own& own = of(program_.messages[id].target);
    if (own.current) {
      own.waiting.push_back(id);
      return false;
    }
    take_in(own, id);
    return true;
  }

  /// The next one's turn, if any waits, after another. `had_begun(id)`: whether it was under way by now.
  template <typename HadBegun>
  std::optional<MessageId> next(Rank rank, const HadBegun& had_begun) {
    Own& own = of(rank);
    std::erase(of(program_.messages[*own.current].source).left_by, *own.current);
    own.current.reset();
    own.keeps_rank = false;
    if (!own.waiting.empty()) {
      take_in(own, own.waiting.front());
      own.waiting.pop_front();
      own.keeps_rank = program_.messages[*own.current].link->drains && had_begun(*own.current);
    }
    return own.current;
  }

  /// True while it takes in what came before it could go on.
  [[nodiscard]] bool keeps(Rank rank) const { return ranks_[static_cast<std::size_t>(rank)].keeps_rank; }

  /// Calls `visit(other)` for what the message's source takes in now, and for what others take in from its target.
  template <typename Visit>
  void for_crossing(const FlowMessage& message, const Visit& visit) const {
    if (const auto& taken_in = ranks_[static_cast<std::size_t>(message.source)].current) {
      visit(*taken_in);
    }
    for (const MessageId other : ranks_[static_cast<std::size_t>(message.target)].left_by) {
      visit(other);
    }
  }

 private:
  struct Own {
    std::optional<MessageId> current{};
    bool keeps_rank = false;
    std::deque<MessageId> waiting{};
    std::vector<MessageId> left_by{};  ///< what others take in from this rank
  };

  void take_in(Own& own, MessageId id) {
    own.current = id;
    of(program_.messages[id].source).left_by.push_back(id);
  }

  [[nodiscard]] Own& of(Rank rank) { return ranks_[static_cast<std::size_t>(rank)]; }

  const FlowProgram& program_;
  std::vector<Own> ranks_;
};

}  // namespace postage
