#pragma once

#include <postage/schedule/algorithms.hpp>

#include <vector>

namespace postage {

/// A tree over all ranks, along which messages go up to its root or down from it.
struct ExplicitTree {
  /// parents[r] is the rank above r; -1 for the root of the request.
  std::vector<Rank> parents;
  /// All ranks, in the order in which a parent scatters to its children (it gathers in the reverse order). Empty:
  /// larger sub-trees first, then lower ranks.
  std::vector<Rank> order{};
  /// Ranks whose children have a round each, in their order. Other ranks' messages to or from all of their children go
  /// together, so that a gather takes in first what arrives first.
  std::vector<Rank> one_by_one{};
};

/// gather (scatter) along the tree: one message an edge, with the blocks of the whole sub-tree below it. A rank sends
/// upwards when all its children's blocks have come. A round for each level of the tree, or for each child. O(P *
/// depth) time and memory. Throws UsageError unless every rank hangs from the root and `order` lists every rank once.
[[nodiscard]] Schedule gather_along_tree(const ScheduleRequest& request, const ExplicitTree& tree);
[[nodiscard]] Schedule scatter_along_tree(const ScheduleRequest& request, const ExplicitTree& tree);

/// bcast (reduce) along the tree: the whole vector over every edge. A reduce takes in one child's in a round, in the
/// order of the tree: throws UsageError for an operation that does not commute, and as above.
[[nodiscard]] Schedule bcast_along_tree(const ScheduleRequest& request, const ExplicitTree& tree);
[[nodiscard]] Schedule reduce_along_tree(const ScheduleRequest& request, const ExplicitTree& tree);

/// allgather: all blocks go up the tree `up` to its root, and from there, together, down the tree `down`, which must
/// have the same root. `request.root` is not used. Throws as above.
[[nodiscard]] Schedule allgather_along_trees(const ScheduleRequest& request, const ExplicitTree& up,
                                             const ExplicitTree& down);

}  // namespace postage
