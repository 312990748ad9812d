#pragma once

#include <postage/schedule/algorithms.hpp>

namespace postage {

/// The collective's vector, cut into blocks of whole elements.
[[nodiscard]] inline BlockLayout cut_vector(const ScheduleRequest& request, Index blocks) {
  return BlockLayout::split(blocks, request.bytes / request.element_bytes, request.element_bytes);
}

/// The same blocks for every pair: of a vector of `count` blocks all, if not said otherwise.
[[nodiscard]] inline BlockSpan fixed_blocks(Index count, Index first = 0) {
  return {.constant = first, .count = count};
}

/// A vector in one block.
[[nodiscard]] inline BlockSpan whole_vector() {
  return fixed_blocks(1);
}

/// The run of `count` blocks, starting at a multiple of `count`, in which the source's (target's) own block lies; cut
/// off at `limit` blocks where that is not 0.
[[nodiscard]] inline BlockSpan run_of_source(Index count, Index limit = 0) {
  return {.by_source = 1, .align = count, .count = count, .limit = limit};
}
[[nodiscard]] inline BlockSpan run_of_target(Index count, Index limit = 0) {
  return {.by_target = 1, .align = count, .count = count, .limit = limit};
}

/// Virtual ranks are ranks.
[[nodiscard]] inline Numbering as_ranks(Index ranks) {
  return LinearNumbering{.ranks = ranks};
}

/// Virtual rank 0 is the root, the others follow around the ring.
[[nodiscard]] inline Numbering from_root(const ScheduleRequest& request) {
  return LinearNumbering{.offset = request.root, .ranks = request.ranks};
}

/// Virtual rank v is rank v*stride.
[[nodiscard]] inline Numbering leaders(Index stride, Index ranks) {
  return LinearNumbering{.stride = stride, .ranks = ranks};
}

/// One message among ranks.
[[nodiscard]] inline Pattern single_message(Index source, Index target, const BlockSelector& blocks, Index ranks) {
  return {.pairs = AffinePairs{.count = 1, .source_first = source, .target_first = target},
          .numbering = as_ranks(ranks),
          .blocks = blocks};
}

}  // namespace postage
