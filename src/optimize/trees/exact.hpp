#pragma once

#include "optimize/trees/edge_costs.hpp"

#include <vector>

namespace postage {

/// Parents of the best tree of each root, for up to kMostExactRanks ranks, by dynamic programming: what a rank r takes
/// to serve a set S is the least over its first (going up: last) child c and the set A of c's sub-tree of
///   busy(r, c, A) + max(rest(r, c, A) + T(c, A - c), T(r, S - A)).
/// Exact, since a sub-tree's time does not depend on when it begins. For messages that cost what they cost alone, none
/// of which needs its receiver's port, and which no rule of FanLimits is for. O(P 3^P) in
/// LMO, where all of a rank's messages of one size keep it busy for as long, else O(P^2 3^P) at most; a ninth of it for
/// one root.
[[nodiscard]] std::vector<std::vector<Rank>> exact_trees(const std::vector<Rank>& roots, const EdgeCosts& costs);

}  // namespace postage
