#pragma once

#include <postage/schedule/patterns/numbering.hpp>

#include <memory>
#include <variant>
#include <vector>

namespace postage {

/// A run of integers first, first+1, ..., first+count-1.
struct IndexRange {
  Index first = 0;
  Index count = 0;
};

/// Numbers of pairs: first, first + stride, ..., `count` of them, ascending; those from the `jump_at`-th on lie `jump`
/// further.
struct PairIndices {
  Index first = 0;
  Index count = 0;
  Index stride = 1;
  Index jump_at = 0;
  Index jump = 0;

  [[nodiscard]] Index at(Index k) const { return first + k * stride + (k >= jump_at ? jump : 0); }
};

/// Pair i of `count`, in iteration t of its stage:
///   source = source_first + i*source_stride + t*source_step,  target = target_first + i*target_stride + t*target_step,
/// both reduced mod `modulus` where that is not 0. Covers shifts (0+i -> k+i), tree levels (2di -> 2di+d), stars
/// (0 -> 1+i), heap children (v -> 2v+1) and walks (t -> t+1).
struct AffinePairs {
  Index count = 0;
  Index source_first = 0;
  Index source_stride = 0;
  Index target_first = 0;
  Index target_stride = 0;
  Index source_step = 0;
  Index target_step = 0;
  Index modulus = 0;
  bool operator==(const AffinePairs&) const = default;
};

/// v -> v xor (mask + t*mask_step) for every v in [0, count); `count` is a power of two above every mask.
struct XorPairs {
  Index count = 0;
  Index mask = 0;
  Index mask_step = 0;
  bool operator==(const XorPairs&) const = default;
};

/// Pair i of `count`, in runs of `width` that start every `stride`:
///   source = source_first + (i / width)*stride + i % width,  target = target_first + (i / width)*stride + i % width.
/// With width d and stride 2d one direction of a butterfly of distance d, for any number of ranks.
struct TiledPairs {
  Index count = 0;
  Index width = 1;
  Index stride = 1;
  Index source_first = 0;
  Index target_first = 0;
  bool operator==(const TiledPairs&) const = default;
};

/// v -> v + d mod `ranks` for every v and each of `distances` distances d = first + j*stride + t*step, all to one
/// distance before those to the next: everybody's direct messages to everybody, or to a window of others. Requires
/// distances*|stride| <= ranks: the distances of an iteration stay within one turn of the ring.
struct ShiftPairs {
  Index ranks = 1;
  Index distances = 1;
  Index first = 0;
  Index stride = 1;
  Index step = 0;
  bool operator==(const ShiftPairs&) const = default;
};

/// Between ranks that a butterfly of 2^bits units has left with the units in bit-reversed order: unit u is at the rank
/// that keeps the folded unit reverse_bits(u), and belongs to the rank(s) folded into unit u (FoldedNumbering,
/// keep_odd: the first `remainder` units are two ranks each). One pair from there to each of these ranks, but none from
/// a rank to itself.
struct ReflectedPairs {
  int bits = 0;
  Index remainder = 0;
  bool operator==(const ReflectedPairs&) const = default;
};

struct Pair {
  Index source = 0;
  Index target = 0;
  bool operator==(const Pair&) const = default;
};

/// Any pairs in which no one is a source twice nor a target twice, as a table sorted by source. Only for patterns that
/// no formula describes. Look-ups are O(log pairs).
struct ExplicitPairs {
  std::shared_ptr<const std::vector<Pair>> pairs;
  std::shared_ptr<const std::vector<Index>> by_target;  ///< positions in `pairs`, sorted by target
  bool operator==(const ExplicitPairs&) const = default;
};

[[nodiscard]] ExplicitPairs explicit_pairs(std::vector<Pair> pairs);

/// The pairs that one group of ranks may have.
using PlainPairs = std::variant<AffinePairs, XorPairs, TiledPairs, ShiftPairs, ReflectedPairs, ExplicitPairs>;

/// The same pairs inside each of `groups` groups (GroupedNumbering), one group's after another's.
struct GroupedPairs {
  PlainPairs each;
  Index groups = 1;
  bool operator==(const GroupedPairs&) const = default;
};

/// Who sends to whom in one pattern, in virtual ranks.
using Pairs = std::variant<AffinePairs, XorPairs, TiledPairs, ShiftPairs, ReflectedPairs, ExplicitPairs, GroupedPairs>;

[[nodiscard]] Index pair_count(const Pairs& pairs);

/// Pair `i` in iteration `t`. O(1).
[[nodiscard]] Pair pair_at(const Pairs& pairs, Index i, Index t);

/// The i whose source (target) is virtual rank v in iteration t. O(1).
[[nodiscard]] PairIndices pairs_from(const Pairs& pairs, Index v, Index t);
[[nodiscard]] PairIndices pairs_to(const Pairs& pairs, Index v, Index t);

/// The number of the pair v -> w in iteration t; -1 where there is none. O(1).
[[nodiscard]] Index pair_between(const Pairs& pairs, Index v, Index w, Index t);

/// The iterations in [0, iterations) in which virtual rank v can be a source (target): all of them, none, or the one
/// that solves the walk's equation (also where several walk side by side, each over its own stretch), so that a rank
/// lists its own operations without visiting the others' iterations. O(1).
[[nodiscard]] IndexRange iterations_from(const Pairs& pairs, Index v, Index iterations);
[[nodiscard]] IndexRange iterations_to(const Pairs& pairs, Index v, Index iterations);

}  // namespace postage
