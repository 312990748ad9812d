#pragma once

#include "optimize/trees/edge_costs.hpp"

#include <postage/optimize/trees.hpp>

#include <vector>

namespace postage {

/// A tree of messages in one direction, and what it takes.
struct SingleTree {
  ExplicitTree tree;
  Seconds seconds = 0;
};

/// One for each root.
[[nodiscard]] std::vector<SingleTree> build_single_trees(TreeMethod method, const std::vector<Rank>& roots,
                                                         const EdgeCosts& costs);

/// `work` bounds what the search of kOptimised looks at.
[[nodiscard]] SingleTree optimise_single_tree(Rank root, const EdgeCosts& costs, std::size_t work);

}  // namespace postage
