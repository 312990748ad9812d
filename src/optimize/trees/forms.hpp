#pragma once

#include "optimize/trees/edge_costs.hpp"

#include <vector>

namespace postage {

/// A tree's form before ranks are chosen for its places. Place 0 is the root; parents come before their children.
struct TreeForm {
  std::vector<std::size_t> parents;  ///< parents[0] counts for nothing
  std::vector<std::size_t> sizes;    ///< places of the sub-tree, its root included
};

/// Virtual rank v below v with its lowest 1 cleared, for any number of ranks.
[[nodiscard]] TreeForm binomial_form(std::size_t ranks);

/// The best form for ranks whose messages all cost what they cost on average. O(P^2).
[[nodiscard]] TreeForm form_for_equal_ranks(const EdgeCosts& costs);

/// Which of the ranks left takes a place.
enum class PlaceChoice { kInOrder, kFastest, kSlowest };

/// Parents of ranks that take the form's places: the places of the largest sub-trees first, each with the rank left
/// that is the fastest, or slowest, to reach from its parent's with the blocks of so many ranks, its own and average
/// ones. O(P^2); O(P log P) for kInOrder and above 1,024 ranks, where ranks are sorted by how fast the root reaches
/// them.
[[nodiscard]] std::vector<Rank> place_ranks(const TreeForm& form, Rank root, const EdgeCosts& costs,
                                            PlaceChoice choice);

}  // namespace postage
