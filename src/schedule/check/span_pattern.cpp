#include "schedule/check/span_pattern.hpp"

#include "schedule/patterns/reflected_pairs.hpp"

#include <postage/schedule/patterns/modular.hpp>

#include <algorithm>
#include <limits>

namespace postage {
namespace {

/// How many steps a value in [0, modulus) takes before it leaves that range.
Index steps_to_wrap(Index value, Index stride, Index modulus) {
  if (modulus == 0 || stride == 0) {
    return std::numeric_limits<Index>::max();
  }
  return stride > 0 ? (modulus - value + stride - 1) / stride : value / -stride + 1;
}

/// Run after run in which neither sources nor targets wrap.
Bytes affine_bytes(const SpanPattern& pattern, const AffinePairs& p) {
  const auto steps = [&](Index by, Index value, Index stride) {
    return by == 0 ? p.count : steps_to_wrap(value, stride, p.modulus);
  };
  Bytes bytes = 0;
  for (Index i = 0; i < p.count;) {
    const Pair at = pair_at(pattern.pairs, i, pattern.iteration);
    const Index count = std::min({p.count - i, steps(pattern.span.by_source, at.source, p.source_stride),
                                  steps(pattern.span.by_target, at.target, p.target_stride)});
    bytes += pattern.bytes({at.source, p.source_stride, count}, {at.target, p.target_stride, count});
    i += count;
  }
  return bytes;
}

/// True where all pairs of a tile carry the same run: a butterfly's partners on one side.
bool same_in_tile(const SpanPattern& pattern, const TiledPairs& p) {
  const BlockSpan& span = pattern.span;
  const Index first = span.constant + span.by_source * p.source_first + span.by_target * p.target_first +
                      span.by_iteration * pattern.iteration;
  const Index slope = span.by_source + span.by_target;
  return floor_to(span.align, first) == floor_to(span.align, first + slope * (p.width - 1)) &&
         slope * p.stride % span.align == 0;
}

/// Tile by tile, or column by column of the tiles, whichever are fewer.
Bytes tiled_bytes(const SpanPattern& pattern, const TiledPairs& p) {
  const Index tiles = (p.count + p.width - 1) / p.width;
  const Index in_last = p.count - (tiles - 1) * p.width;
  const auto bytes = [&](Index column, Index step, Index count) {
    return pattern.bytes({p.source_first + column, step, count}, {p.target_first + column, step, count});
  };
  if (same_in_tile(pattern, p)) {
    const Index whole = p.count / p.width;
    return p.width * bytes(0, p.stride, whole) + p.count % p.width * bytes(whole * p.stride, 0, 1);
  }
  Bytes sum = 0;
  if (tiles <= p.width) {
    for (Index tile = 0; tile < tiles; ++tile) {
      sum += bytes(tile * p.stride, 1, tile + 1 < tiles ? p.width : in_last);
    }
    return sum;
  }
  for (Index column = 0; column < p.width; ++column) {
    sum += bytes(column, p.stride, column < in_last ? tiles : tiles - 1);
  }
  return sum;
}

/// Nothing where both ends of a pair decide on its blocks. Every virtual rank is a source once (a target once) for each
/// distance.
std::optional<Bytes> one_sided_bytes(const SpanPattern& pattern, Index ranks, Index times) {
  if (pattern.span.by_source != 0 && pattern.span.by_target != 0) {
    return std::nullopt;
  }
  return times * pattern.bytes({0, 1, ranks}, {0, 1, ranks});
}

/// All ranks are targets but those whose own unit is already with them.
std::optional<Bytes> reflected_bytes(const SpanPattern& pattern, const ReflectedPairs& p) {
  if (pattern.span.by_source != 0) {
    return std::nullopt;
  }
  const Reflection reflection(p);
  const auto bytes = [&](Index first, Index count) { return pattern.bytes({0, 0, count}, {first, 1, count}); };
  Bytes sum = bytes(0, reflection.ranks());
  for (Index i = 0; i < reflection.palindromes(); ++i) {
    sum -= bytes(reflection.rank_of_palindrome(i), 1);
  }
  return sum;
}

}  // namespace

Bytes SpanPattern::bytes(const Progression& sources, const Progression& targets) const {
  const Index first =
      span.constant + span.by_source * sources.first + span.by_target * targets.first + span.by_iteration * iteration;
  const Index step = span.by_source * sources.step + span.by_target * targets.step;
  return bytes_of_spans(span, layout, {first, step, sources.count});
}

std::optional<Bytes> formula_bytes(const SpanPattern& pattern) {
  if (const auto* p = std::get_if<AffinePairs>(&pattern.pairs)) {
    return affine_bytes(pattern, *p);
  }
  if (const auto* p = std::get_if<TiledPairs>(&pattern.pairs)) {
    return tiled_bytes(pattern, *p);
  }
  if (const auto* p = std::get_if<XorPairs>(&pattern.pairs)) {
    return one_sided_bytes(pattern, p->count, 1);
  }
  if (const auto* p = std::get_if<ShiftPairs>(&pattern.pairs)) {
    return one_sided_bytes(pattern, p->ranks, p->distances);
  }
  if (const auto* p = std::get_if<ReflectedPairs>(&pattern.pairs)) {
    return reflected_bytes(pattern, *p);
  }
  return std::nullopt;
}

}  // namespace postage
