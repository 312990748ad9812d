#pragma once

#include "predict/flows/flow_program.hpp"
#include "predict/flows/flow_state.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

namespace postage {

/// What a receiver's processor does for a message that waited while it took in others.
struct FurtherMessage {
  double share = 1;    ///< of its latency
  Seconds longer = 0;  ///< beside that
  double moved = 1;    ///< share of its bytes whose time it takes
};

/// r; without it R L + G m.
[[nodiscard]] inline FurtherMessage further_message(const FlowMessage& message) {
  const FlowLink& link = *message.link;
  if (link.further.points().empty()) {
    return {.share = link.in_turn};
  }
  const auto bytes = static_cast<double>(message.bytes);
  const Seconds whole = link.further.at(bytes);
  const Seconds moving = link.seconds_per_byte * bytes;
  return {.share = 0, .longer = std::max(whole - moving, 0.0), .moved = moving > whole ? whole / moving : 1};
}

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

  /// When a message that is ready by `time` can be fetched, since others are fetched from its source.
  Seconds release(const FlowMessage& message, Seconds time) {
    if (!(message.link->release > 0) || !concerns(message)) {
      return time;
    }
    Seconds& free = of(message.source).released;
    const Seconds start = std::max(time, free);
    free = start + message.link->release;
    return start;
  }

  /// What the message takes longer since its source takes in another one just now, or others take in one from its
  /// target. Those take longer, too.
  Seconds meet_others(MessageId id, std::vector<MessageTransit>& transits) {
    const FlowMessage& message = program_.messages[id];
    if (!concerns(message)) {
      return 0;
    }
    bool meets = false;
    const auto meet = [&](MessageId other) {
      transits[other].late += transits[other].meet(program_.messages[other].crossing);
      meets = true;
    };
    if (const auto& taken_in = of(message.source).current) {
      meet(*taken_in);
    }
    for (const MessageId other : of(message.target).left_by) {
      meet(other);
    }
    return meets ? transits[id].meet(message.crossing) : 0;
  }

 private:
  struct Own {
    std::optional<MessageId> current{};
    bool keeps_rank = false;
    std::deque<MessageId> waiting{};
    std::vector<MessageId> left_by{};  ///< what others take in from this rank
    Seconds released = 0;              ///< from when on a further message can be fetched from it
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
