#include <postage/schedule/schedule.hpp>

#include <algorithm>

namespace postage {
namespace {

/// The largest block: the one that needs the most segments.
Bytes largest_block(const BlockLayout& layout) {
  Bytes largest = 0;
  const Index blocks = layout.has_formula() ? std::min<Index>(layout.blocks(), 1) : layout.blocks();
  for (Index block = 0; block < blocks; ++block) {
    largest = std::max(largest, layout.size(block));
  }
  return largest;
}

}  // namespace

Bytes bytes_at(const Schedule& schedule, const RoundPosition& position, const Pattern& pattern,
               const TransferPosition& at) {
  const Stage& stage = schedule.stages[position.stage];
  if (stage.segments == 1) {
    return bytes_of(pattern.blocks, at, schedule.layout);
  }
  const Bytes element = schedule.layout.element_bytes();
  if (schedule.layout.is_uniform() && !std::holds_alternative<Token>(pattern.blocks)) {
    return block_count(pattern.blocks, at) * segment_bytes(stage, schedule.layout.size(0), position.segment, element);
  }
  Bytes bytes = 0;
  for_each_run(pattern.blocks, at, [&](BlockRun run) {
    const Bytes size = schedule.layout.size(run.first);
    if (schedule.layout.has_formula() && size == schedule.layout.size(run.first + run.count - 1)) {
      bytes += run.count * segment_bytes(stage, size, position.segment, element);
      return;
    }
    for (Index block = run.first; block < run.first + run.count; ++block) {
      bytes += segment_bytes(stage, schedule.layout.size(block), position.segment, element);
    }
  });
  return bytes;
}

std::optional<Bytes> common_bytes(const Schedule& schedule, const RoundPosition& position, const Pattern& pattern) {
  if (std::holds_alternative<Token>(pattern.blocks)) {
    return 0;
  }
  const auto* span = std::get_if<BlockSpan>(&pattern.blocks);
  const bool alike = span != nullptr && span->limit == 0 && span->doubled == 0 && schedule.layout.is_uniform();
  if (!alike) {
    return std::nullopt;
  }
  const Bytes size = schedule.layout.size(0);
  const Stage& stage = schedule.stages[position.stage];
  return span->count *
         (stage.segments == 1 ? size : segment_bytes(stage, size, position.segment, schedule.layout.element_bytes()));
}

Transfer transfer_at(const Schedule& schedule, const RoundPosition& position, const Pattern& pattern, Index i) {
  const Pair pair = pair_at(pattern.pairs, i, position.iteration);
  const TransferPosition at{pair.source, pair.target, position.iteration};
  return {static_cast<Rank>(rank_of(pattern.numbering, pair.source)),
          static_cast<Rank>(rank_of(pattern.numbering, pair.target)), bytes_at(schedule, position, pattern, at),
          &pattern, at};
}

Index pair_count(const Pattern& pattern, Index iteration) {
  const bool active = pattern.active.begin <= iteration && iteration < pattern.active.end;
  return active ? pair_count(pattern.pairs) : 0;
}

Schedule segmented(Schedule schedule, Bytes bytes, SegmentOrder order) {
  const Bytes element = schedule.layout.element_bytes();
  const Bytes wanted = std::max(bytes / element, Bytes{1}) * element;
  const Bytes largest = largest_block(schedule.layout);
  const Index segments = bytes == 0 ? 1 : std::max<Index>((largest + wanted - 1) / wanted, 1);
  for (Stage& stage : schedule.stages) {
    if (stage.may_be_segmented) {
      stage.segments = segments;
      stage.segment_bytes = segments == 1 ? 0 : wanted;
      stage.segment_order = order;
    }
  }
  return schedule;
}

Schedule with_protocol(Schedule schedule, Protocol protocol) {
  for (Stage& stage : schedule.stages) {
    for (Round& round : stage.rounds) {
      for (Pattern& pattern : round.patterns) {
        pattern.protocol = protocol;
      }
    }
  }
  return schedule;
}

Bytes segment_bytes(const Stage& stage, Bytes bytes, Index segment, Bytes element_bytes) {
  const Bytes elements = bytes / element_bytes;
  const Bytes full =
      stage.segment_bytes > 0 ? stage.segment_bytes : (elements + stage.segments - 1) / stage.segments * element_bytes;
  return std::clamp<Bytes>(bytes - segment * full, 0, full);
}

}  // namespace postage
