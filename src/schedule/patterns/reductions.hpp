#pragma once

#include <postage/schedule/schedule.hpp>

#include <vector>

namespace postage {

/// Every rank sends its vector to `root`, which combines one after the other in rank order: the higher ranks upwards,
/// then the lower ranks downwards. An iteration for each.
[[nodiscard]] Stage linear_reduction(Index ranks, Index root, const BlockSelector& blocks);

/// A binary tree in which a rank stands between its two sub-trees, which it combines on its left and on its right.
/// Ranks counted from 1, a rank's height is the number of its trailing zero bits, and its children are the roots of the
/// ranks up to 2^height - 1 below and above it. Rank in_order_root(ranks) ends with the result.
[[nodiscard]] std::vector<Round> in_order_reduction(Index ranks, const BlockSelector& blocks);
[[nodiscard]] Index in_order_root(Index ranks);

/// Adds a last step to a stage that reduces to `holder`: it sends the result to `root`. A step of the same stage, so
/// that segments go on while later ones are still reduced.
void hand_over(Stage& stage, Index holder, Index root, Index ranks, const BlockSelector& blocks);

}  // namespace postage
