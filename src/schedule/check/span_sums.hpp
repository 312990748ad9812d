#pragma once

#include <postage/schedule/patterns/blocks.hpp>

namespace postage {

/// first, first + step, ...: `count` integers.
struct Progression {
  Index first = 0;
  Index step = 0;
  Index count = 0;
};

/// Bytes of all spans that start at one of `starts` (before alignment), without visiting them. Sizes of blocks, wraps
/// and cuts make what lies before a block a piecewise linear function of its number, so that each piece's share is the
/// sum of an arithmetic series: O(turns of the ring that the starts pass through) for spans of stride 1 in layouts with
/// a formula, where alignment and step divide one another; O(starts) otherwise.
[[nodiscard]] Bytes bytes_of_spans(const BlockSpan& span, const BlockLayout& layout, const Progression& starts);

}  // namespace postage
