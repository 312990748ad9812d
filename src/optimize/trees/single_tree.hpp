#pragma once

#include "optimize/trees/edge_costs.hpp"

#include <postage/optimize/trees.hpp>

namespace postage {

/// A tree of messages in one direction, and what it takes.
struct SingleTree {
  ExplicitTree tree;
  Seconds seconds = 0;
};

[[nodiscard]] SingleTree build_single_tree(TreeMethod method, Rank root, const EdgeCosts& costs);

/// `work` bounds what the search of kOptimised looks at; 0 for what build_single_tree takes.
[[nodiscard]] SingleTree optimise_single_tree(Rank root, const EdgeCosts& costs, std::size_t work);

}  // namespace postage
