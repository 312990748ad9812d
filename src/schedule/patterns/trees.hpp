#pragma once

#include <postage/schedule/schedule.hpp>

#include <vector>

namespace postage {

/// A level of a tree, parent -> child: element i has the parents' i-th children of the level.
using TreeLevel = std::vector<AffinePairs>;

/// A tree over virtual ranks with root 0, its levels in the order in which a message comes down. The same levels,
/// backwards, collect.
using Tree = std::vector<TreeLevel>;

/// radix 2: the binomial tree. Level with distance d = radix^k, the largest first: of every d*radix ranks the first is
/// the parent of those d, 2d, ..., (radix-1)*d further. Every sub-tree is a run of consecutive ranks, the farthest
/// child's the largest. Levels with d >= `below` are left out where that is not 0: then the tree is one for each run of
/// `below` ranks.
[[nodiscard]] Tree knomial_tree(Index ranks, Index radix, Index below = 0);
[[nodiscard]] Tree binomial_tree(Index ranks, Index below = 0);

/// Level k: each of the first 2^k ranks is the parent of the one 2^k further: who has the message doubles.
[[nodiscard]] Tree doubling_tree(Index ranks);

/// Level k has 2^k ranks, one after the other; rank v of it is the parent of v + 2^k and v + 2*2^k, so that the root's
/// two sub-trees are the odd and the even ranks.
[[nodiscard]] Tree binary_tree(Index ranks);

/// The same shape in other numbers: rank v is the parent of 2v + 1 and 2v + 2.
[[nodiscard]] Tree heap_tree(Index ranks);

/// Every parent sends `blocks` to its children: a round for each level.
[[nodiscard]] std::vector<Round> downward(const Tree& tree, const Numbering& numbering, const BlockSelector& blocks);

/// Every child sends `blocks` to its parent, which combines them: the levels backwards, and a round for each element of
/// a level, because a parent combines what one child sends before what the next one sends. Where sub-trees are runs of
/// consecutive ranks, kReduceRight combines them in rank order.
[[nodiscard]] std::vector<Round> upward(const Tree& tree, const Numbering& numbering, const BlockSelector& blocks,
                                        Combine combine);

/// Binomial scatter from virtual rank 0: each child's own block and those of the ranks under it, which are the blocks
/// of their virtual ranks.
[[nodiscard]] std::vector<Round> binomial_scatter(Index ranks, const Numbering& numbering);

/// Number of terms below `limit` of first, first + stride, ...
[[nodiscard]] Index terms_below(Index limit, Index first, Index stride);

}  // namespace postage
