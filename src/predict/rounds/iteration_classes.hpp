#pragma once

#include "predict/node_ranks.hpp"

namespace postage {

/// Iterations of a stage that are alike: one of them, and how many there are.
struct IterationClass {
  Index representative = 0;
  Index count = 0;
};

/// Groups a stage's iterations by what they look like from the nodes: those that an arithmetic pattern repeats with the
/// mapping's period, each edge on its own. O(ranks a node) classes for block and cyclic mappings; else one class for
/// each iteration. A pairwise exchange by masks on nodes whose size (block) or number (cyclic) is no power of two has
/// no period: of more than 64 iterations all but the first are taken to be alike, since in each of them some messages,
/// and of some nodes all, leave their node.
[[nodiscard]] std::vector<IterationClass> iteration_classes(const Stage& stage, const NodeRanks& nodes);

}  // namespace postage
