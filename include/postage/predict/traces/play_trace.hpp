#pragma once

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/predict/traces/trace.hpp>

#include <vector>

namespace postage {

/// When each rank has done with its trace, and how long it computed, in seconds after a common start.
struct TraceTimes {
  std::vector<Seconds> finish{};
  std::vector<Seconds> computing{};

  /// Of the slowest rank.
  [[nodiscard]] Seconds seconds() const;
  [[nodiscard]] Seconds longest_computing() const;
};

/// Plays a trace on a model, by the rules of `play`: a message keeps its sender's processor for sender_busy, its ports
/// for the gap, and its receiver's processor for receiver_busy, from when it has arrived and the receive is posted. An
/// operation starts when what it waits for has ended and its processor is free, in the order in which operations become
/// ready. A send ends when its source's processor is free again, whether or not the receive is posted.
///
/// Under models that feel contention, a message is charged with those that are under way when it starts and share its
/// node's memory (over the same channel) or, between nodes, leave its source's node or enter its target's, whichever
/// are more. Messages that start later do not slow it down.
///
/// O(n log n) time for n operations, O(n) memory. Throws Error where the mapping is too small, a channel is unknown, or
/// some operation never starts, naming one: a receive whose message nobody sends, or a circle.
[[nodiscard]] TraceTimes play_trace(const Trace& trace, const ChannelMap& channels, const Model& model);

}  // namespace postage
