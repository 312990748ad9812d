#include "schedule/mirror.hpp"
#include "schedule/span_sums.hpp"

#include <postage/schedule/schedule.hpp>

#include <algorithm>
#include <limits>
#include <optional>

namespace postage {
namespace {

/// A pattern whose blocks are a span, in one iteration.
struct SpanPattern {
  const Pairs& pairs;
  const BlockSpan& span;
  const BlockLayout& layout;
  Index iteration;

  /// Bytes of the spans of pairs whose sources and targets make two progressions.
  [[nodiscard]] Bytes bytes(const Progression& sources, const Progression& targets) const {
    const Index first =
        span.constant + span.by_source * sources.first + span.by_target * targets.first + span.by_iteration * iteration;
    const Index step = span.by_source * sources.step + span.by_target * targets.step;
    return bytes_of_spans(span, layout, {first, step, sources.count});
  }
};

/// How many steps a value in [0, modulus) takes before it leaves that range.
Index steps_to_wrap(Index value, Index stride, Index modulus) {
  if (modulus == 0 || stride == 0) {
    return std::numeric_limits<Index>::max();
  }
  return stride > 0 ? (modulus - value + stride - 1) / stride : value / -stride + 1;
}

/// Piece after piece in which neither sources nor targets wrap.
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

/// Tile by tile, or place by place within the tiles, whichever are fewer.
Bytes tiled_bytes(const SpanPattern& pattern, const TiledPairs& p) {
  const Index tiles = (p.count + p.width - 1) / p.width;
  const Index in_last = p.count - (tiles - 1) * p.width;
  const auto bytes = [&](Index place, Index step, Index count) {
    return pattern.bytes({p.source_first + place, step, count}, {p.target_first + place, step, count});
  };
  Bytes sum = 0;
  if (tiles <= p.width) {
    for (Index tile = 0; tile < tiles; ++tile) {
      sum += bytes(tile * p.stride, 1, tile + 1 < tiles ? p.width : in_last);
    }
    return sum;
  }
  for (Index place = 0; place < p.width; ++place) {
    sum += bytes(place, p.stride, place < in_last ? tiles : tiles - 1);
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
std::optional<Bytes> mirror_bytes(const SpanPattern& pattern, const MirrorPairs& p) {
  if (pattern.span.by_source != 0) {
    return std::nullopt;
  }
  const Mirror mirror(p);
  const auto bytes = [&](Index first, Index count) { return pattern.bytes({0, 0, count}, {first, 1, count}); };
  Bytes sum = bytes(0, mirror.ranks());
  for (Index i = 0; i < mirror.palindromes(); ++i) {
    sum -= bytes(mirror.rank_of_palindrome(i), 1);
  }
  return sum;
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
  if (const auto* p = std::get_if<MirrorPairs>(&pattern.pairs)) {
    return mirror_bytes(pattern, *p);
  }
  return std::nullopt;
}

/// How often each virtual rank in [0, ring) is the source (and the target) of a pair; 0 where not all are equally
/// often.
Index turns_of(const Pairs& pairs, Index ring) {
  if (const auto* p = std::get_if<AffinePairs>(&pairs)) {
    const auto unit = [](Index stride) { return stride == 1 || stride == -1; };
    return p->modulus == ring && p->count == ring && unit(p->source_stride) && unit(p->target_stride) ? 1 : 0;
  }
  if (const auto* p = std::get_if<XorPairs>(&pairs)) {
    return p->count == ring ? 1 : 0;
  }
  const auto* p = std::get_if<ShiftPairs>(&pairs);
  return p != nullptr && p->ranks == ring ? p->distances : 0;
}

/// How often one iteration of a pattern sends every block, where its spans meet all of them equally often, as those of
/// every rank of a ring do: then sizes, even listed ones, need no visit. 0 where they do not.
Index times_every_block(const Pattern& pattern, const BlockSpan& span, Index blocks) {
  const Index units = blocks - span.doubled;
  const Index slope = span.by_source + span.by_target;
  const bool one_each = (span.by_source == 0 || span.by_target == 0) && (slope == 1 || slope == -1);
  if (!one_each || span.limit != 0 || span.stride != 1) {
    return 0;
  }
  const bool wraps = span.align == 1 && span.modulus == units;
  const bool tiles = span.align == span.count && units % span.align == 0 && span.modulus == 0;
  return wraps || tiles ? span.count * turns_of(pattern.pairs, units) : 0;
}

/// True where each message has as many bytes as any other.
bool all_alike(const BlockSpan& span, const BlockLayout& layout) {
  return layout.is_uniform() && span.limit == 0 && span.doubled == 0;
}

Bytes visit_bytes(const Schedule& schedule, const Pattern& pattern, Index iteration) {
  Bytes bytes = 0;
  const Index count = pair_count(pattern.pairs);
  for (Index i = 0; i < count; ++i) {
    const Pair pair = pair_at(pattern.pairs, i, iteration);
    bytes += bytes_of(pattern.blocks, {pair.source, pair.target, iteration}, schedule.layout);
  }
  return bytes;
}

Bytes span_bytes(const Schedule& schedule, const Pattern& pattern, const BlockSpan& span, Index iteration) {
  const BlockLayout& layout = schedule.layout;
  if (all_alike(span, layout)) {
    return pair_count(pattern.pairs) * span.count * layout.size(0);
  }
  if (const Index times = times_every_block(pattern, span, layout.blocks()); times > 0) {
    return times * layout.total();
  }
  const auto bytes =
      layout.has_formula() ? formula_bytes({pattern.pairs, span, layout, iteration}) : std::optional<Bytes>();
  return bytes ? *bytes : visit_bytes(schedule, pattern, iteration);
}

/// All pairs of one distance carry equally many blocks.
Bytes digit_bytes(const Schedule& schedule, const Pattern& pattern, Index iteration) {
  const auto* p = std::get_if<ShiftPairs>(&pattern.pairs);
  if (p == nullptr || !schedule.layout.is_uniform()) {
    return visit_bytes(schedule, pattern, iteration);
  }
  Index blocks = 0;
  for (Index distance = 0; distance < p->distances; ++distance) {
    const Pair pair = pair_at(pattern.pairs, distance * p->ranks, iteration);
    blocks += p->ranks * block_count(pattern.blocks, {pair.source, pair.target, iteration});
  }
  return blocks * schedule.layout.size(0);
}

Bytes iteration_bytes(const Schedule& schedule, const Pattern& pattern, Index iteration) {
  if (const auto* span = std::get_if<BlockSpan>(&pattern.blocks)) {
    return span_bytes(schedule, pattern, *span, iteration);
  }
  if (std::holds_alternative<DigitBlocks>(pattern.blocks)) {
    return digit_bytes(schedule, pattern, iteration);
  }
  return std::holds_alternative<Token>(pattern.blocks) ? 0 : visit_bytes(schedule, pattern, iteration);
}

/// True where the bytes of an iteration cannot depend on which one it is.
bool same_every_iteration(const Schedule& schedule, const Pattern& pattern) {
  const auto* span = std::get_if<BlockSpan>(&pattern.blocks);
  if (span == nullptr) {
    return !std::holds_alternative<DigitBlocks>(pattern.blocks);
  }
  const bool constant = span->by_source == 0 && span->by_target == 0 && span->by_iteration == 0;
  return constant || all_alike(*span, schedule.layout) ||
         times_every_block(pattern, *span, schedule.layout.blocks()) > 0;
}

/// One pair that walks without wrapping takes its iterations as other patterns take their pairs.
std::optional<Bytes> walk_bytes(const Schedule& schedule, const Pattern& pattern, const IndexRange& iterations) {
  const auto* span = std::get_if<BlockSpan>(&pattern.blocks);
  const auto* p = std::get_if<AffinePairs>(&pattern.pairs);
  if (span == nullptr || p == nullptr || p->count != 1 || p->modulus != 0) {
    return std::nullopt;
  }
  const Pair first = pair_at(pattern.pairs, 0, iterations.first);
  const Index start = span->constant + span->by_source * first.source + span->by_target * first.target +
                      span->by_iteration * iterations.first;
  const Index step = span->by_source * p->source_step + span->by_target * p->target_step + span->by_iteration;
  return bytes_of_spans(*span, schedule.layout, {start, step, iterations.count});
}

/// The iterations of its stage in which a pattern takes part.
IndexRange active_iterations(const Pattern& pattern, Index iterations) {
  const Index end = std::min(pattern.active.end, iterations);
  return {pattern.active.begin, std::max<Index>(end - pattern.active.begin, 0)};
}

Bytes pattern_bytes(const Schedule& schedule, const Pattern& pattern, const IndexRange& iterations) {
  if (iterations.count == 0) {
    return 0;
  }
  if (same_every_iteration(schedule, pattern)) {
    return iterations.count * iteration_bytes(schedule, pattern, iterations.first);
  }
  if (const auto bytes = walk_bytes(schedule, pattern, iterations)) {
    return *bytes;
  }
  Bytes bytes = 0;
  for (Index t = 0; t < iterations.count; ++t) {
    bytes += iteration_bytes(schedule, pattern, iterations.first + t);
  }
  return bytes;
}

}  // namespace

Traffic traffic_of(const Schedule& schedule) {
  Traffic traffic;
  for (const Stage& stage : schedule.stages) {
    traffic.rounds += stage.iterations * stage.segments * static_cast<Index>(stage.rounds.size());
    for (const Round& round : stage.rounds) {
      for (const Pattern& pattern : round.patterns) {
        const IndexRange iterations = active_iterations(pattern, stage.iterations);
        traffic.messages += pair_count(pattern.pairs) * iterations.count * stage.segments;
        // Segments cut messages; together they carry the same bytes.
        traffic.bytes += pattern_bytes(schedule, pattern, iterations);
      }
    }
  }
  return traffic;
}

}  // namespace postage
