#pragma once

#include <postage/predict/platform_model.hpp>
#include <postage/schedule/tree_file.hpp>

#include <functional>

namespace postage {

/// Every tree of `ranks` ranks below `root`, in every order of each rank's children: (P-1)! Catalan(P-1) trees.
void for_each_tree(Rank ranks, Rank root, const std::function<void(const ExplicitTree&)>& visit);

/// Of all trees, or all pairs of an allgather's with any root, the one with the least time by `predict`. For up to
/// kMostTriedRanks ranks, of an allgather kMostTriedPairRanks: 0.3 s for 7 ranks, under the model flow some seconds.
[[nodiscard]] CollectiveTree best_of_all_trees(Collective collective, const ScheduleRequest& request,
                                               const PlatformModel& platform);

}  // namespace postage
