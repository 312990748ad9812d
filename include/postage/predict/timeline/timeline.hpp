#pragma once

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/schedule/schedule.hpp>

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

}  // namespace postage
