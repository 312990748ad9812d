#pragma once

#include "optimize/trees/edge_costs.hpp"

#include <vector>

namespace postage {

/// Parents of a tree that grows from its root by one edge after another.
enum class Growth { kFastestEdge, kWidestEdge, kFastestNode, kEarliestEdge };

/// Of messages of a rank's own block. O(P^2) time, kEarliestEdge O(P^3); O(P^2) memory.
[[nodiscard]] std::vector<Rank> grow_tree(Growth growth, Rank root, const EdgeCosts& costs);

}  // namespace postage
