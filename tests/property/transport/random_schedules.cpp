#include "property/transport/random_schedules.hpp"

#include "property/transport/random_rounds.hpp"
#include "property/transport/rank_memory.hpp"

#include <postage/schedule/algorithms.hpp>

#include <algorithm>

namespace postage {
namespace {

BlockLayout random_layout(const Schedule& schedule, std::mt19937& random) {
  const auto below = [&](Index count) { return std::uniform_int_distribution<Index>(0, count - 1)(random); };
  // Large messages, now and then, so that scratch memory is used again.
  const Bytes element = (is_reduction(schedule.collective) ? kElementBytes : 1) * (below(16) == 0 ? 512 : 1);
  const Index defined = defined_blocks(schedule.collective, schedule.ranks);
  const Index count = defined > 0 ? defined : 1 + below(5);
  switch (below(3)) {
    case 0:
      return BlockLayout::split(count, count * below(40), element);
    case 1:
      return BlockLayout::split(count, below(20 * count), element);
    default: {
      std::vector<Bytes> sizes(static_cast<std::size_t>(count));
      std::generate(sizes.begin(), sizes.end(), [&] { return element * std::max<Index>(below(30) - 10, 0); });
      return BlockLayout::explicit_sizes(sizes, element);
    }
  }
}

Round everybody_to_everybody(Rank ranks) {
  Round round;
  for (Rank source = 0; source < ranks; ++source) {
    for (Rank target = 0; target < ranks; ++target) {
      round.patterns.push_back({.pairs = AffinePairs{.count = 1, .source_first = source, .target_first = target},
                                .numbering = FoldedNumbering{},
                                .blocks = Token{}});
    }
  }
  return round;
}

void add_rounds(RandomRounds& rounds) {
  switch (rounds.collective) {
    case Collective::kBarrier:
      return rounds.add(everybody_to_everybody(rounds.ranks));
    case Collective::kReduce:
    case Collective::kAllreduce:
    case Collective::kReduceScatter:
      return spread(rounds, combine(rounds));
    case Collective::kScan:
    case Collective::kExscan:
      return combine_prefixes(rounds);
    default:
      return spread(rounds, initial_blocks(rounds));
  }
}

std::vector<Stage> dealt_to_stages(RandomRounds& rounds) {
  std::vector<Stage> stages;
  const std::vector<Round>& all = rounds.rounds();
  for (std::size_t i = 0; i < all.size();) {
    const auto count = std::min<std::size_t>(all.size() - i, static_cast<std::size_t>(1 + rounds.below(3)));
    Stage stage{.name = "random", .segments = 1 + std::max<Index>(rounds.below(6) - 3, 0)};
    stage.rounds.assign(all.begin() + static_cast<std::ptrdiff_t>(i),
                        all.begin() + static_cast<std::ptrdiff_t>(i + count));
    stage.segment_order = rounds.below(2) == 0 ? SegmentOrder::kPipeline : SegmentOrder::kWithinRound;
    stages.push_back(std::move(stage));
    i += count;
  }
  return stages;
}

}  // namespace

Schedule random_schedule(Collective collective, Rank ranks, std::mt19937& random) {
  Schedule schedule{.collective = collective, .algorithm = "random", .ranks = ranks};
  schedule.root = std::uniform_int_distribution<Rank>(0, ranks - 1)(random);
  if (collective != Collective::kBarrier) {
    schedule.layout = random_layout(schedule, random);
  }
  RandomRounds rounds(schedule, random);
  add_rounds(rounds);
  schedule.stages = dealt_to_stages(rounds);
  return schedule;
}

}  // namespace postage
