#pragma once

#include "measure/campaign/sampling_slot.hpp"
#include "measure/rank_placements.hpp"

#include <postage/measure/representatives.hpp>

#include <optional>

namespace postage {

/// What a campaign found out before it began.
struct ProbedRanks {
  PairProbes probes{};  ///< rank 0's
  Representatives representatives{};
};

/// Roundtrips of two sizes between each rank and some others, at the same time where `settings` do not ask for one
/// experiment at a time; then, while these are not what was expected, between further pairs by chance. All ranks call
/// it and learn the same representatives. It takes up to a fifth of the budget. Nothing where all pairs are to be
/// measured, or there are few.
[[nodiscard]] std::optional<ProbedRanks> probe_ranks(TaskContext& context, const RankPlacements& placements,
                                                     const MeasureSettings& settings);

}  // namespace postage
