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

/// Plays a schedule on a model. Each rank has a processor, busy for the overheads, and a port in each direction, on
/// which messages follow one another at the gap's distance:
///
///   source   |sender_busy|
///            |<-- gap, at least, to the next start -->|
///   wire                 |----- wire -----|
///   target                                |receiver_busy|
///                                         |<-- gap, at least, to the next end of an arrival -->|
///
/// A rank enters a round when its processor has done with the one before; it starts its sends in order, then takes in
/// what arrives in the order of arrival. O(messages) time where no rank receives twice in a round, O(m log m) for
/// such a round of m messages; O(ranks + messages of a round) memory.
/// Throws Error where the mapping is too small or a channel is unknown.
[[nodiscard]] Timeline play(const Schedule& schedule, const ChannelMap& channels, const Model& model);

/// About the time that `play` gives, by following of each pipeline only the first `followed` >= 2 segments and the
/// last: those between move every rank's clocks on by as much as the last of the first ones has. Exact where the
/// pipeline has settled by then. O(messages of the segments followed).
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
