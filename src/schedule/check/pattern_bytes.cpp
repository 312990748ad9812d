#include "schedule/check/pattern_bytes.hpp"

#include "schedule/check/span_pattern.hpp"
#include "schedule/check/span_sums.hpp"

#include <optional>

namespace postage {
namespace {

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

Bytes visit_bytes(const Pattern& pattern, const BlockLayout& layout, Index iteration) {
  Bytes bytes = 0;
  const Index count = pair_count(pattern.pairs);
  for (Index i = 0; i < count; ++i) {
    const Pair pair = pair_at(pattern.pairs, i, iteration);
    bytes += bytes_of(pattern.blocks, {pair.source, pair.target, iteration}, layout);
  }
  return bytes;
}

Bytes span_bytes(const Pattern& pattern, const BlockSpan& span, const BlockLayout& layout, Index iteration) {
  if (all_alike(span, layout)) {
    return pair_count(pattern.pairs) * span.count * layout.size(0);
  }
  if (const Index times = times_every_block(pattern, span, layout.blocks()); times > 0) {
    return times * layout.total();
  }
  const auto bytes =
      layout.has_formula() ? formula_bytes({pattern.pairs, span, layout, iteration}) : std::optional<Bytes>();
  return bytes ? *bytes : visit_bytes(pattern, layout, iteration);
}

/// All pairs of one distance carry equally many blocks.
Bytes digit_bytes(const Pattern& pattern, const BlockLayout& layout, Index iteration) {
  const auto* p = std::get_if<ShiftPairs>(&pattern.pairs);
  if (p == nullptr || !layout.is_uniform()) {
    return visit_bytes(pattern, layout, iteration);
  }
  Index blocks = 0;
  for (Index distance = 0; distance < p->distances; ++distance) {
    const Pair pair = pair_at(pattern.pairs, distance * p->ranks, iteration);
    blocks += p->ranks * block_count(pattern.blocks, {pair.source, pair.target, iteration});
  }
  return blocks * layout.size(0);
}

Bytes iteration_bytes(const Pattern& pattern, const BlockLayout& layout, Index iteration) {
  if (const auto* span = std::get_if<BlockSpan>(&pattern.blocks)) {
    return span_bytes(pattern, *span, layout, iteration);
  }
  if (std::holds_alternative<DigitBlocks>(pattern.blocks)) {
    return digit_bytes(pattern, layout, iteration);
  }
  return std::holds_alternative<Token>(pattern.blocks) ? 0 : visit_bytes(pattern, layout, iteration);
}

/// True where the bytes of an iteration cannot depend on which one it is.
bool same_every_iteration(const Pattern& pattern, const BlockLayout& layout) {
  const auto* span = std::get_if<BlockSpan>(&pattern.blocks);
  if (span == nullptr) {
    return std::holds_alternative<Token>(pattern.blocks) || std::holds_alternative<ExplicitBlocks>(pattern.blocks);
  }
  const bool constant = span->by_source == 0 && span->by_target == 0 && span->by_iteration == 0;
  return constant || all_alike(*span, layout) || times_every_block(pattern, *span, layout.blocks()) > 0;
}

/// One pair that walks without wrapping takes its iterations as other patterns take their pairs.
std::optional<Bytes> walk_bytes(const Pattern& pattern, const BlockLayout& layout, const IndexRange& iterations) {
  const auto* span = std::get_if<BlockSpan>(&pattern.blocks);
  const auto* p = std::get_if<AffinePairs>(&pattern.pairs);
  if (span == nullptr || p == nullptr || p->count != 1 || p->modulus != 0) {
    return std::nullopt;
  }
  const Pair first = pair_at(pattern.pairs, 0, iterations.first);
  const Index start = span->constant + span->by_source * first.source + span->by_target * first.target +
                      span->by_iteration * iterations.first;
  const Index step = span->by_source * p->source_step + span->by_target * p->target_step + span->by_iteration;
  return bytes_of_spans(*span, layout, {start, step, iterations.count});
}

/// The same value in the variant that knows groups.
template <typename Any, typename Plain>
Any widened(const Plain& plain) {
  return std::visit([](const auto& value) -> Any { return value; }, plain);
}

/// A vector's shares: the inner span with every number times the blocks in a share. Nothing for other expansions.
std::optional<BlockSpan> scaled(const GroupedBlocks& blocks) {
  const auto* span = std::get_if<BlockSpan>(&blocks.inner);
  const BlockExpansion& e = *blocks.expansion;
  const bool shares = e.base == 0 && e.group_stride == 0 && e.stride == 1 && e.block_stride == e.count && !e.starts &&
                      !e.members && e.limit == 0 && blocks.stand_for == MemberBlocks::kOwn;
  if (span == nullptr || span->stride != 1 || !shares) {
    return std::nullopt;
  }
  BlockSpan whole = *span;
  for (Index BlockSpan::*number :
       {&BlockSpan::constant, &BlockSpan::by_source, &BlockSpan::by_target, &BlockSpan::by_iteration, &BlockSpan::align,
        &BlockSpan::count, &BlockSpan::limit, &BlockSpan::rotation, &BlockSpan::modulus, &BlockSpan::doubled}) {
    whole.*number *= e.count;
  }
  return whole;
}

/// One group's bytes times the groups, where each has the same; nothing where that is not known.
std::optional<Bytes> grouped_bytes(const Pattern& pattern, const BlockLayout& layout, const IndexRange& iterations) {
  const auto* blocks = std::get_if<GroupedBlocks>(&pattern.blocks);
  const auto* pairs = std::get_if<GroupedPairs>(&pattern.pairs);
  if (blocks == nullptr || pairs == nullptr) {
    return std::nullopt;
  }
  Pattern inner{.pairs = widened<Pairs>(pairs->each)};
  if (layout.is_uniform() && blocks->weights.blocks() > 0) {
    inner.blocks = widened<BlockSelector>(blocks->inner);
    return pairs->groups * layout.size(0) * pattern_bytes(inner, blocks->weights, iterations);
  }
  if (const auto span = scaled(*blocks)) {
    inner.blocks = *span;
    return pairs->groups * pattern_bytes(inner, layout, iterations);
  }
  return std::nullopt;
}

}  // namespace

Bytes pattern_bytes(const Pattern& pattern, const BlockLayout& layout, const IndexRange& iterations) {
  if (iterations.count == 0) {
    return 0;
  }
  if (const auto bytes = grouped_bytes(pattern, layout, iterations)) {
    return *bytes;
  }
  if (same_every_iteration(pattern, layout)) {
    return iterations.count * iteration_bytes(pattern, layout, iterations.first);
  }
  if (const auto bytes = walk_bytes(pattern, layout, iterations)) {
    return *bytes;
  }
  Bytes bytes = 0;
  for (Index t = 0; t < iterations.count; ++t) {
    bytes += iteration_bytes(pattern, layout, iterations.first + t);
  }
  return bytes;
}

}  // namespace postage
