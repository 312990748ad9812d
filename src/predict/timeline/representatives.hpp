#pragma once

#include "predict/timeline/rank_kinds.hpp"
#include "predict/timeline/tree_shape.hpp"

#include <postage/model/model.hpp>

#include <variant>

namespace postage {

/// The time of a schedule whose ranks' kinds are equal: see RankKinds. One rank of each kind is followed, round after
/// round while messages reach each port in the order of rounds, else in the order of time; in the former case, where a
/// stage repeats itself and the clocks of all have moved on by the same, so will they in the iterations that are left.
/// O(rounds * kinds) or less. Nothing where more than `most_work` rounds and messages of a rank would be followed.
[[nodiscard]] std::optional<Seconds> symmetric_seconds(const Schedule& schedule, const RankKinds& kinds,
                                                       const ChannelMap& channels, const Model& model, Index most_work);

/// The time of a tree, segmented or not: sub-trees of one form are followed once. One that sends up is followed
/// forwards, where each port is served in the order of arrival; one that sends down backwards, as the time that is left
/// until the end when a segment arrives, and only where no segment overtakes another. O(n log n), n = forms * children
/// * segments.
[[nodiscard]] std::optional<Seconds> tree_seconds(const Schedule& schedule, const TreeShape& shape,
                                                  const ChannelMap& channels, const Model& model);

/// Ranks that stand for all others of a schedule: their timelines are those of `play`, to rounding. For models whose
/// parameters are no single rank's.
class RepresentativeRanks {
 public:
  /// Nothing where ranks may all differ. Both arguments must outlive the object.
  [[nodiscard]] static std::optional<RepresentativeRanks> of(const Schedule& schedule, const ChannelMap& channels);

  /// Nothing where more than `most_work` messages of these ranks would be followed.
  [[nodiscard]] std::optional<Seconds> seconds(const Model& model, Index most_work) const;

 private:
  RepresentativeRanks(const Schedule& schedule, const ChannelMap& channels, std::variant<RankKinds, TreeShape> ranks)
      : schedule_(&schedule), channels_(&channels), ranks_(std::move(ranks)) {}

  const Schedule* schedule_;
  const ChannelMap* channels_;
  std::variant<RankKinds, TreeShape> ranks_;
};

}  // namespace postage
