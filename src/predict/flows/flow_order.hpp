#pragma once

#include "predict/flows/flow_program.hpp"

#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace postage {

/// Messages from one rank to another whose bytes move one after another, see FlowLink::in_order. O(log pairs) a
/// message.
class FlowOrder {
 public:
  explicit FlowOrder(const FlowProgram& program) : program_(program) {}

  /// Whether its bytes may move now; if not, `next_after` will say when.
  [[nodiscard]] bool admits(MessageId id) {
    if (!program_.messages[id].link->in_order) {
      return true;
    }
    Pair& pair = pairs_[ends_of(id)];
    if (pair.is_busy) {
      pair.waiting.push_back(id);
      return false;
    }
    pair.is_busy = true;
    return true;
  }

  /// The message that waited for the end of this one, if any.
  [[nodiscard]] std::optional<MessageId> next_after(MessageId id) {
    if (!program_.messages[id].link->in_order) {
      return std::nullopt;
    }
    Pair& pair = pairs_[ends_of(id)];
    if (pair.waiting.empty()) {
      pair.is_busy = false;
      return std::nullopt;
    }
    const MessageId next = pair.waiting.front();
    pair.waiting.pop_front();
    return next;
  }

 private:
  struct Pair {
    bool is_busy = false;
    std::deque<MessageId> waiting{};
  };

  [[nodiscard]] std::pair<Rank, Rank> ends_of(MessageId id) const {
    return {program_.messages[id].source, program_.messages[id].target};
  }

  const FlowProgram& program_;
  std::map<std::pair<Rank, Rank>, Pair> pairs_;
};

}  // namespace postage
