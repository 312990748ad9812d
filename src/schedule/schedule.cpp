#include <postage/schedule/schedule.hpp>

#include <algorithm>

namespace postage {
namespace {

template <typename Visit>
void visit_round(const Schedule& schedule, const RoundPosition& position, const Visit& visit) {
  for (const Pattern& pattern : schedule.stages[position.stage].rounds[position.round].patterns) {
    const Index count = pair_count(pattern, position.iteration);
    for (Index i = 0; i < count; ++i) {
      visit(transfer_at(schedule, position, pattern, i));
    }
  }
}

/// Segments outside the iterations and rounds, and segments inside: one of the two is 1.
struct SegmentLoops {
  Index outer;
  Index inner;
};

SegmentLoops loops_of(const Stage& stage) {
  return stage.segment_order == SegmentOrder::kPipeline ? SegmentLoops{stage.segments, 1}
                                                        : SegmentLoops{1, stage.segments};
}

template <typename Visit>
void visit_iteration(const Stage& stage, std::size_t s, Index outer, Index t, const Visit& visit) {
  const Index inner = loops_of(stage).inner;
  for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
    for (Index segment = 0; segment < inner; ++segment) {
      visit(RoundPosition{s, t, outer + segment, r});
    }
  }
}

template <typename Visit>
void visit_positions(const Schedule& schedule, const Visit& visit) {
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    const Stage& stage = schedule.stages[s];
    for (Index outer = 0; outer < loops_of(stage).outer; ++outer) {
      for (Index t = 0; t < stage.iterations; ++t) {
        visit_iteration(stage, s, outer, t, visit);
      }
    }
  }
}

/// What two ranges share.
IndexRange clipped(IndexRange range, const IterationWindow& window) {
  const Index first = std::max(range.first, window.begin);
  return {first, std::max<Index>(std::min(range.first + range.count, window.end) - first, 0)};
}

/// The iterations of a stage in which a rank may take part, as the ranges that its patterns give.
std::vector<IndexRange> own_iterations(const Stage& stage, Rank rank) {
  std::vector<IndexRange> ranges;
  for (const Round& round : stage.rounds) {
    for (const Pattern& pattern : round.patterns) {
      if (const auto v = virtual_of(pattern.numbering, rank)) {
        const Index end = std::min(stage.iterations, pattern.active.end);
        for (const IndexRange range :
             {iterations_from(pattern.pairs, *v, end), iterations_to(pattern.pairs, *v, end)}) {
          if (const IndexRange own = clipped(range, pattern.active); own.count > 0) {
            ranges.push_back(own);
          }
        }
      }
    }
  }
  return ranges;
}

/// The smallest index at or after `from` that lies in one of the ranges; -1 if none does.
Index next_in(const std::vector<IndexRange>& ranges, Index from) {
  Index next = -1;
  for (const IndexRange range : ranges) {
    if (from < range.first + range.count) {
      const Index candidate = std::max(from, range.first);
      next = next < 0 ? candidate : std::min(next, candidate);
    }
  }
  return next;
}

void append_transfers(const Schedule& schedule, const RoundPosition& position, const Pattern& pattern,
                      const PairIndices& pairs, std::vector<Transfer>& out) {
  for (Index k = 0; k < pairs.count; ++k) {
    out.push_back(transfer_at(schedule, position, pattern, pairs.at(k)));
  }
}

void collect_round(const Schedule& schedule, Rank rank, RankRound& round) {
  round.sends.clear();
  round.receives.clear();
  for (const Pattern& pattern : schedule.stages[round.position.stage].rounds[round.position.round].patterns) {
    if (pair_count(pattern, round.position.iteration) == 0) {
      continue;
    }
    if (const auto v = virtual_of(pattern.numbering, rank)) {
      append_transfers(schedule, round.position, pattern, pairs_from(pattern.pairs, *v, round.position.iteration),
                       round.sends);
      append_transfers(schedule, round.position, pattern, pairs_to(pattern.pairs, *v, round.position.iteration),
                       round.receives);
    }
  }
}

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
  const Index segments = schedule.stages[position.stage].segments;
  if (segments == 1) {
    return bytes_of(pattern.blocks, at, schedule.layout);
  }
  const Bytes element = schedule.layout.element_bytes();
  Bytes bytes = 0;
  for_each_run(pattern.blocks, at, [&](BlockRun run) {
    const Bytes size = schedule.layout.size(run.first);
    if (schedule.layout.has_formula() && size == schedule.layout.size(run.first + run.count - 1)) {
      bytes += run.count * segment_bytes(size, position.segment, segments, element);
      return;
    }
    for (Index block = run.first; block < run.first + run.count; ++block) {
      bytes += segment_bytes(schedule.layout.size(block), position.segment, segments, element);
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
  const Index segments = schedule.stages[position.stage].segments;
  return span->count *
         (segments == 1 ? size : segment_bytes(size, position.segment, segments, schedule.layout.element_bytes()));
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
  const Bytes piece = std::max(bytes / element, Bytes{1}) * element;
  const Bytes largest = largest_block(schedule.layout);
  const Index segments = bytes == 0 ? 1 : std::max<Index>((largest + piece - 1) / piece, 1);
  for (Stage& stage : schedule.stages) {
    if (stage.may_be_segmented) {
      stage.segments = segments;
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

Bytes segment_bytes(Bytes bytes, Index segment, Index segments, Bytes element_bytes) {
  const Bytes elements = bytes / element_bytes;
  const Bytes piece = (elements + segments - 1) / segments * element_bytes;
  return std::clamp<Bytes>(bytes - segment * piece, 0, piece);
}

void for_each_round(const Schedule& schedule, const std::function<void(const RoundPosition&)>& visit) {
  visit_positions(schedule, visit);
}

void for_each_transfer(const Schedule& schedule, const RoundPosition& position,
                       const std::function<void(const Transfer&)>& visit) {
  visit_round(schedule, position, visit);
}

void for_each_transfer(const Schedule& schedule,
                       const std::function<void(const RoundPosition&, const Transfer&)>& visit) {
  visit_positions(schedule, [&](const RoundPosition& position) {
    visit_round(schedule, position, [&](const Transfer& transfer) { visit(position, transfer); });
  });
}

void for_each_rank_round(const Schedule& schedule, Rank rank, const std::function<void(const RankRound&)>& visit) {
  RankRound round;
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    const Stage& stage = schedule.stages[s];
    const std::vector<IndexRange> ranges = own_iterations(stage, rank);
    const auto visit_position = [&](const RoundPosition& position) {
      round.position = position;
      collect_round(schedule, rank, round);
      if (!round.sends.empty() || !round.receives.empty()) {
        visit(round);
      }
    };
    for (Index outer = 0; outer < loops_of(stage).outer; ++outer) {
      for (Index t = next_in(ranges, 0); t >= 0; t = next_in(ranges, t + 1)) {
        visit_iteration(stage, s, outer, t, visit_position);
      }
    }
  }
}

}  // namespace postage
