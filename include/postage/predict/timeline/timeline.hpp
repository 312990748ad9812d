#pragma once

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/schedule/schedule.hpp>

#include <limits>
#include <optional>
#include <vector>

namespace postage {

/// When each rank has finished its part, seconds after a common start.
struct Timeline {
  std::vector<Seconds> finish;

  /// The time of the collective: its slowest rank's.
  [[nodiscard]] Seconds seconds() const;
};

/// Plays a schedule on a model. Each rank has a processor, busy for the overheads, and a port in each direction:
///
///   source   |sender_busy|
///            |<-- gap, at least, to the next start -->|
///   wire                 |----- wire -----|
///   target                            |<- own gap, at least, from the end of the last arrival
///                                         |receiver_busy|
///
/// A port lets messages in one after another, in the order in which they reach the rank, whichever rounds they belong
/// to: an arrival ends at max(when the message reaches the rank, end of the last arrival + the message's own gap), so
/// that the port has had the time for its bytes (LogGP's g + (m-1)G). Messages that reach it at the same moment, to
/// rounding, are let in in the program's order.
///
/// The processor follows the program: a rank enters a round when it has done with the one before; it starts its sends
/// in order, then takes in the round's messages, which are awaited together, in the order in which they arrived.
///
/// O(messages) time where no message overtakes one of an earlier round on its way to the same rank and no rank receives
/// twice in a round, O(m log m) for such a round of m messages, and O(ranks + messages of a round) memory; otherwise
/// O(m log m) time and O(m) memory for all m messages.
/// Throws Error where the mapping is too small or a channel is unknown.
[[nodiscard]] Timeline play(const Schedule& schedule, const ChannelMap& channels, const Model& model);

/// About the time that `play` gives, by following of each pipeline only the first `followed` >= 2 segments and the
/// last: each of those between is taken to add as much to the whole as each of the last two of the first ones does.
/// Exact where the pipeline has settled by then. O(messages of the segments followed) for each pipeline.
[[nodiscard]] Seconds play_abridged(const Schedule& schedule, const ChannelMap& channels, const Model& model,
                                    Index followed);

/// The time that `play` gives, to rounding, by following only ranks that stand for others, where the schedule's form
/// tells which do: in rings, exchanges and disseminations one rank, or one for each slot of a node; in binomial,
/// k-nomial and binary trees one for each form of sub-tree. O(rounds * ranks a node * segments) or less, independent of
/// P but for the number of rounds. Nothing where the form does not tell, where the parameters are of single ranks, or
/// where more than `most_work` messages would be followed. Throws as `play` does.
[[nodiscard]] std::optional<Seconds> play_representatives(const Schedule& schedule, const ChannelMap& channels,
                                                          const Model& model,
                                                          Index most_work = std::numeric_limits<Index>::max());

}  // namespace postage
