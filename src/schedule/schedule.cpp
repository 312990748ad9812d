#include <postage/schedule/schedule.hpp>

#include <algorithm>

namespace postage {
namespace {

/// Bytes of one segment of the blocks that a transfer carries.
Bytes message_bytes(const Schedule& schedule, const Stage& stage, Index segment, const Pattern& pattern,
                    const TransferPlace& at) {
  if (stage.segments == 1) {
    return bytes_of(pattern.blocks, at, schedule.layout);
  }
  Bytes bytes = 0;
  for_each_run(pattern.blocks, at, [&](BlockRun run) {
    for (Index block = run.first; block < run.first + run.count; ++block) {
      bytes += segment_bytes(schedule.layout.size(block), segment, stage.segments, schedule.layout.element_bytes());
    }
  });
  return bytes;
}

Transfer transfer_at(const Schedule& schedule, const Place& place, const Pattern& pattern, Index i) {
  const Pair pair = pair_at(pattern.pairs, i, place.iteration);
  const TransferPlace at{pair.source, pair.target, place.iteration};
  return {static_cast<Rank>(rank_of(pattern.numbering, pair.source)),
          static_cast<Rank>(rank_of(pattern.numbering, pair.target)),
          message_bytes(schedule, schedule.stages[place.stage], place.segment, pattern, at), &pattern, at};
}

template <typename Visit>
void visit_round(const Schedule& schedule, const Place& place, const Visit& visit) {
  for (const Pattern& pattern : schedule.stages[place.stage].rounds[place.round].patterns) {
    const Index count = pair_count(pattern.pairs);
    for (Index i = 0; i < count; ++i) {
      visit(transfer_at(schedule, place, pattern, i));
    }
  }
}

template <typename Visit>
void visit_places(const Schedule& schedule, const Visit& visit) {
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    const Stage& stage = schedule.stages[s];
    for (Index segment = 0; segment < stage.segments; ++segment) {
      for (Index t = 0; t < stage.iterations; ++t) {
        for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
          visit(Place{s, t, segment, r});
        }
      }
    }
  }
}

/// The iterations of a stage in which a rank may take part, as the ranges that its patterns give.
std::vector<IndexRange> own_iterations(const Stage& stage, Rank rank) {
  std::vector<IndexRange> ranges;
  for (const Round& round : stage.rounds) {
    for (const Pattern& pattern : round.patterns) {
      if (const auto v = virtual_of(pattern.numbering, rank)) {
        for (const IndexRange range : {iterations_from(pattern.pairs, *v, stage.iterations),
                                       iterations_to(pattern.pairs, *v, stage.iterations)}) {
          if (range.count > 0) {
            ranges.push_back(range);
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

void append_transfers(const Schedule& schedule, const Place& place, const Pattern& pattern, IndexRange range,
                      std::vector<Transfer>& out) {
  for (Index i = range.first; i < range.first + range.count; ++i) {
    out.push_back(transfer_at(schedule, place, pattern, i));
  }
}

void collect_round(const Schedule& schedule, Rank rank, RankRound& round) {
  round.sends.clear();
  round.receives.clear();
  for (const Pattern& pattern : schedule.stages[round.place.stage].rounds[round.place.round].patterns) {
    if (const auto v = virtual_of(pattern.numbering, rank)) {
      append_transfers(schedule, round.place, pattern, pairs_from(pattern.pairs, *v, round.place.iteration),
                       round.sends);
      append_transfers(schedule, round.place, pattern, pairs_to(pattern.pairs, *v, round.place.iteration),
                       round.receives);
    }
  }
}

}  // namespace

Bytes segment_bytes(Bytes bytes, Index segment, Index segments, Bytes element_bytes) {
  const Bytes elements = bytes / element_bytes;
  const Bytes piece = (elements + segments - 1) / segments * element_bytes;
  return std::clamp<Bytes>(bytes - segment * piece, 0, piece);
}

void for_each_place(const Schedule& schedule, const std::function<void(const Place&)>& visit) {
  visit_places(schedule, visit);
}

void for_each_transfer(const Schedule& schedule, const Place& place,
                       const std::function<void(const Transfer&)>& visit) {
  visit_round(schedule, place, visit);
}

void for_each_transfer(const Schedule& schedule, const std::function<void(const Place&, const Transfer&)>& visit) {
  visit_places(schedule, [&](const Place& place) {
    visit_round(schedule, place, [&](const Transfer& transfer) { visit(place, transfer); });
  });
}

void for_each_rank_round(const Schedule& schedule, Rank rank, const std::function<void(const RankRound&)>& visit) {
  RankRound round;
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    const Stage& stage = schedule.stages[s];
    const std::vector<IndexRange> ranges = own_iterations(stage, rank);
    for (Index segment = 0; segment < stage.segments; ++segment) {
      for (Index t = next_in(ranges, 0); t >= 0; t = next_in(ranges, t + 1)) {
        for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
          round.place = {s, t, segment, r};
          collect_round(schedule, rank, round);
          if (!round.sends.empty() || !round.receives.empty()) {
            visit(round);
          }
        }
      }
    }
  }
}

}  // namespace postage
