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

}  // namespace

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
