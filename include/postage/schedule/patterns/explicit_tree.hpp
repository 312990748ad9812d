#pragma once

#include <postage/schedule/algorithms.hpp>

#include <vector>

namespace postage {

/// A tree over all ranks, for gathering and scattering along it.
struct ExplicitTree {
  /// parents[r] is the rank above r; -1 for the root of the request.
  std::vector<Rank> parents;
  /// All ranks, in the order in which a parent scatters to its children (it gathers in the reverse order). Empty:
  /// larger sub-trees first, then lower ranks.
  std::vector<Rank> order{};
};

/// gather (scatter) along the tree: one message an edge, with the blocks of the whole sub-tree below it. A rank sends
/// upwards when all its children's blocks have come. A round for each level of the tree. O(P * depth) time and memory.
/// Throws UsageError unless every rank hangs from the root and `order` lists every rank once.
[[nodiscard]] Schedule gather_along_tree(const ScheduleRequest& request, const ExplicitTree& tree);
[[nodiscard]] Schedule scatter_along_tree(const ScheduleRequest& request, const ExplicitTree& tree);

}  // namespace postage
