#include "schedule/modular.hpp"

#include <postage/schedule/schedule.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace postage {
namespace {

/// True where each virtual rank in [0, ring) is the source (and the target) of exactly one pair.
bool covers_ring(const Pairs& pairs, Index ring) {
  if (const auto* p = std::get_if<AffinePairs>(&pairs)) {
    const auto unit = [](Index stride) { return stride == 1 || stride == -1; };
    return p->modulus == ring && p->count == ring && unit(p->source_stride) && unit(p->target_stride);
  }
  const auto* p = std::get_if<XorPairs>(&pairs);
  return p != nullptr && p->count == ring;
}

/// Bytes of one iteration of a pattern in which every rank of a ring sends `count` blocks whose starts, taken over
/// all ranks, meet every block equally often: then uneven block sizes average out and the sum needs no visit.
bool sums_to_whole_blocks(const Pattern& pattern, const BlockSpan& span, Index blocks) {
  if (span.limit != 0 || span.stride != 1 || !covers_ring(pattern.pairs, blocks)) {
    return false;
  }
  const Index slope = span.by_source + span.by_target;
  const bool one_each = (span.by_source == 0 || span.by_target == 0) && (slope == 1 || slope == -1);
  if (!one_each) {
    return false;
  }
  const bool wraps = span.align == 1 && span.modulus == blocks;
  const bool tiles = span.align == span.count && blocks % span.align == 0;
  return wraps || tiles;
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

/// In a uniform layout cut off at a limit: pairs are in order of their first block, so the cut ones form one end.
Bytes clipped_bytes(const Schedule& schedule, const Pattern& pattern, const BlockSpan& span, Index iteration) {
  const Index count = pair_count(pattern.pairs);
  const auto blocks_at = [&](Index i) {
    const Pair pair = pair_at(pattern.pairs, i, iteration);
    return block_count(pattern.blocks, {pair.source, pair.target, iteration});
  };
  Index whole = 0;
  for (Index step = count; step > 0; step /= 2) {
    while (whole + step <= count && blocks_at(whole + step - 1) == span.count) {
      whole += step;
    }
  }
  Index blocks = whole * span.count;
  for (Index i = whole; i < count; ++i) {
    blocks += blocks_at(i);
  }
  return blocks * schedule.layout.size(0);
}

bool starts_ascend(const Pattern& pattern, const BlockSpan& span) {
  const auto* p = std::get_if<AffinePairs>(&pattern.pairs);
  return p != nullptr && p->modulus == 0 && span.by_source * p->source_stride + span.by_target * p->target_stride >= 0;
}

/// `runs` runs of blocks that start at first, first + step, ... (step >= 0), each carried by `copies` transfers.
struct RowOfRuns {
  Index first = 0;
  Index step = 0;
  Index runs = 0;
  Index copies = 1;
};

using Rows = std::optional<std::vector<RowOfRuns>>;

Index start_of(const BlockSpan& span, Pair pair, Index iteration) {
  return span.constant + span.by_source * pair.source + span.by_target * pair.target + span.by_iteration * iteration;
}

Rows rows_of(const AffinePairs& pairs, const BlockSpan& span, Index iteration) {
  const Index slope = span.by_source * pairs.source_stride + span.by_target * pairs.target_stride;
  if (pairs.modulus != 0 || slope % span.align != 0) {
    return std::nullopt;
  }
  const Pair lowest = pair_at(pairs, slope < 0 ? pairs.count - 1 : 0, iteration);
  return {{{floor_to(span.align, start_of(span, lowest, iteration)), slope < 0 ? -slope : slope, pairs.count, 1}}};
}

/// Where all transfers of a tile carry the same run.
Rows rows_of(const TiledPairs& pairs, const BlockSpan& span, Index iteration) {
  const Index slope = span.by_source + span.by_target;
  const Index start = start_of(span, {pairs.source_first, pairs.target_first}, iteration);
  const Index first = floor_to(span.align, start);
  const bool same_in_tile = first == floor_to(span.align, start + slope * (pairs.width - 1));
  if (!same_in_tile || slope < 0 || slope * pairs.stride % span.align != 0) {
    return std::nullopt;
  }
  const Index whole = pairs.count / pairs.width;
  const Index step = slope * pairs.stride;
  return {{{first, step, whole, pairs.width}, {first + whole * step, 0, 1, pairs.count % pairs.width}}};
}

template <typename OtherPairs>
Rows rows_of(const OtherPairs& /*pairs*/, const BlockSpan& /*span*/, Index /*iteration*/) {
  return std::nullopt;
}

bool is_fixed(const BlockSpan& span) {
  return span.by_source == 0 && span.by_target == 0 && span.by_iteration == 0;
}

/// Nothing where the runs are no rows, or wrap around.
Rows rows_of(const Pattern& pattern, const BlockSpan& span, Index iteration) {
  if (span.stride != 1 || span.modulus != 0 || span.rotation != 0) {
    return std::nullopt;
  }
  if (is_fixed(span)) {
    return {{{floor_to(span.align, span.constant), 0, pair_count(pattern.pairs), 1}}};
  }
  return std::visit([&](const auto& pairs) { return rows_of(pairs, span, iteration); }, pattern.pairs);
}

/// Sum over i < count of min(first + i*step, limit).
Index sum_of_minimums(Index first, Index step, Index count, Index limit) {
  Index below = first < limit ? count : 0;
  if (step > 0 && first < limit) {
    below = std::min(count, (limit - first + step - 1) / step);
  }
  return below * first + step * (below * (below - 1) / 2) + (count - below) * limit;
}

/// In a layout with a formula, where block b starts at b*small + min(b, number of large blocks)*element.
Bytes row_bytes(const BlockLayout& layout, const BlockSpan& span, const RowOfRuns& row) {
  const Bytes small = layout.size(layout.blocks() - 1);
  const Index large = (layout.total() - small * layout.blocks()) / layout.element_bytes();
  const Index limit = span.limit == 0 ? layout.blocks() : span.limit;
  const auto sum_of_offsets = [&](Index first) {
    return small * sum_of_minimums(first, row.step, row.runs, limit) +
           layout.element_bytes() * sum_of_minimums(first, row.step, row.runs, std::min(limit, large));
  };
  return row.copies * (sum_of_offsets(row.first + span.count) - sum_of_offsets(row.first));
}

Bytes iteration_bytes(const Schedule& schedule, const Pattern& pattern, Index iteration) {
  const auto* span = std::get_if<BlockSpan>(&pattern.blocks);
  const BlockLayout& layout = schedule.layout;
  if (span != nullptr && layout.is_uniform() && span->limit == 0) {
    return pair_count(pattern.pairs) * span->count * layout.size(0);
  }
  if (span != nullptr && layout.is_uniform() && starts_ascend(pattern, *span)) {
    return clipped_bytes(schedule, pattern, *span, iteration);
  }
  if (span != nullptr && sums_to_whole_blocks(pattern, *span, layout.blocks())) {
    return span->count * layout.total();
  }
  if (std::holds_alternative<Token>(pattern.blocks)) {
    return 0;
  }
  if (const Rows rows = span != nullptr && layout.has_formula() ? rows_of(pattern, *span, iteration) : std::nullopt) {
    Bytes bytes = 0;
    for (const RowOfRuns& row : *rows) {
      bytes += row_bytes(layout, *span, row);
    }
    return bytes;
  }
  return visit_bytes(schedule, pattern, iteration);
}

/// True where the bytes of an iteration cannot depend on which one it is.
bool same_every_iteration(const Schedule& schedule, const Pattern& pattern) {
  const auto* span = std::get_if<BlockSpan>(&pattern.blocks);
  if (span == nullptr) {
    return true;
  }
  return is_fixed(*span) || (schedule.layout.is_uniform() && span->limit == 0) ||
         sums_to_whole_blocks(pattern, *span, schedule.layout.blocks());
}

/// The iterations of its stage in which a pattern takes part.
IndexRange active_iterations(const Pattern& pattern, Index iterations) {
  const Index end = std::min(pattern.active.end, iterations);
  return {pattern.active.begin, std::max<Index>(end - pattern.active.begin, 0)};
}

Bytes pattern_bytes(const Schedule& schedule, const Pattern& pattern, IndexRange iterations) {
  if (same_every_iteration(schedule, pattern)) {
    return iterations.count * iteration_bytes(schedule, pattern, iterations.first);
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
