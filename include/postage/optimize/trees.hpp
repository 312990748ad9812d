#pragma once

#include <postage/predict/prediction.hpp>
#include <postage/schedule/tree_file.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Ways to choose who passes a collective's blocks on to whom. All of them but kExact are for up to kMostTreeRanks.
enum class TreeMethod {
  /// The root with everybody else below it.
  kFlat,
  /// The binomial tree with the ranks in their order.
  kBinomial,
  /// A. Lastovetsky, V. Rychkov, IJHPCA 23(2), 2009, section 3: the roots of the largest sub-trees first, each the rank
  /// left that is the fastest to reach from its parent's rank with the sub-tree's blocks.
  kMappedBinomial,
  /// The same with the slowest: what a mapping can cost.
  kWorstBinomial,
  /// P. Bhat, V. Prasanna, C. Raghavendra, J. Parallel and Distributed Computing 63(3), 2003: grow the tree by the edge
  /// with the shortest message; by the fastest rank left, from whoever reaches it first; by the edge whose message
  /// would be over first.
  kFastestEdgeFirst,
  kFastestNodeFirst,
  kEarliestEdgeFirst,
  /// J. Hatta, S. Shibusawa, WPP 2000, for gather: grow it, from the root, by the edge with the widest bandwidth.
  kWidestEdgeLast,
  /// The best form for ranks that are all alike, by dynamic programming, with the fastest ranks where the sub-trees are
  /// large.
  kFormForEqualRanks,
  /// The best of the above (but for kWorstBinomial), improved by moving sub-trees and exchanging ranks.
  kOptimised,
  /// The best tree there is, in the best order of each rank's children: by dynamic programming over sets of ranks, up
  /// to kMostExactRanks; or, where what a message takes depends on others, by trying all trees, up to kMostTriedRanks:
  /// under models with contention, and going up where models have gaps, in which order decides what a message waits
  /// for: later may be better. An allgather then has pairs of trees, up to kMostTriedPairRanks.
  kExact,
};

inline constexpr Rank kMostTreeRanks = 1 << 14;
inline constexpr Rank kMostExactRanks = 16;
inline constexpr Rank kMostTriedRanks = 7;
inline constexpr Rank kMostTriedPairRanks = 4;

/// "flat", "binomial", "mapped-binomial", ... and back; parse_tree_method throws UsageError listing the valid names.
[[nodiscard]] std::string_view name_of(TreeMethod method);
[[nodiscard]] TreeMethod parse_tree_method(std::string_view name);

/// The tree or trees of a collective that goes along them (tree_directions), from the costs of single messages by the
/// platform's model. Sub-trees' messages leave (arrive) one after another at each rank, in the best order for the form.
/// A rank's children get a round each; only where one of several gets more than S, or sends M_1 or more, they go
/// together and the model's rules for fans hold (FanLimits). Nothing else contends. An allgather's root is chosen, too:
/// every rank's for kExact and up to 16 ranks, else the first, the fastest and the request's.
///
/// O(P^2) time, but for kFastestEdgeFirst to kWidestEdgeLast, O(P^2 log P), and kExact, O(P 3^P) or O(P^2 3^P). Throws
/// UsageError for collectives without trees, an invalid request, more than kMostTreeRanks, and kExact of more ranks
/// than it is for or of messages that may reach those limits.
[[nodiscard]] CollectiveTree build_tree(TreeMethod method, Collective collective, const ScheduleRequest& request,
                                        const PlatformModel& platform);

/// What the search takes a tree to last: its seconds by the rules above, without segments.
[[nodiscard]] Seconds tree_seconds(const CollectiveTree& tree, const PlatformModel& platform);

/// A tree, and the time that `predict` gives for it.
struct TreeCandidate {
  TreeMethod method = TreeMethod::kOptimised;
  CollectiveTree tree;
  Prediction prediction{};
};

/// One for each method, in their order, whole. Where what a message takes depends on others (see kExact) and P is at
/// most 128, kOptimised is the best of all of these by predicted time, improved by it; about 100,000 messages are
/// predicted for that. kOptimised is also cut into segments where these are predicted to be faster
/// or to keep clear of escalations (FanLimits): medium blocks of gathers and scatters into pieces below M_1 and S.
[[nodiscard]] std::vector<TreeCandidate> tree_candidates(const std::vector<TreeMethod>& methods, Collective collective,
                                                         const ScheduleRequest& request, const PlatformModel& platform);

}  // namespace postage
