#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/exchange_stages.hpp"
#include "schedule/patterns/rings.hpp"
#include "schedule/patterns/trees.hpp"
#include "schedule/patterns/vectors.hpp"

#include <algorithm>

namespace postage {
namespace {

Schedule allgather_schedule(const ScheduleRequest& request, std::vector<Stage> stages) {
  Schedule schedule;
  schedule.layout = contribution_layout(request);
  schedule.stages = std::move(stages);
  return schedule;
}

Schedule linear(const ScheduleRequest& request) {
  const ShiftPairs to_all{.ranks = request.ranks, .distances = request.ranks - 1, .first = 1};
  const Pattern pattern{to_all, as_ranks(request.ranks), BlockSpan{.by_source = 1}};
  return allgather_schedule(request, {{.name = "all to all others", .rounds = {round_of({pattern})}}});
}

Schedule ring(const ScheduleRequest& request) {
  return allgather_schedule(request, {ring_allgather(request.ranks, 0, as_ranks(request.ranks))});
}

Schedule recursive_doubling(const ScheduleRequest& request) {
  return allgather_schedule(request, doubling_stages(request.ranks, 1));
}

/// One phase: everyone has the `width` blocks from its own on, and sends those that lack to the ranks width, 2 width,
/// ... before it. The farthest may lack fewer.
Round bruck_phase(Index ranks, Index width, Index radix) {
  const Index messages = std::min(radix - 1, (ranks - 1) / width);
  const Index in_last = std::min(width, ranks - messages * width);
  const Index whole = in_last == width ? messages : messages - 1;
  const auto pattern = [&](Index first, Index count, Index blocks) {
    return Pattern{ShiftPairs{.ranks = ranks, .distances = count, .first = -first * width, .stride = -width},
                   as_ranks(ranks), BlockSpan{.by_source = 1, .count = blocks, .modulus = ranks}};
  };
  Round round;
  if (whole > 0) {
    round.patterns.push_back(pattern(1, whole, width));
  }
  if (whole < messages) {
    round.patterns.push_back(pattern(messages, 1, in_last));
  }
  return round;
}

/// J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient algorithms for all-to-all communications in
/// multiport message-passing systems, IEEE TPDS 8(11), 1997; the radix is its number of ports plus 1.
Schedule bruck(const ScheduleRequest& request) {
  const Index radix = request.parameter("radix");
  Stage stage{.name = "bruck"};
  for (Index width = 1; width < request.ranks; width *= radix) {
    stage.rounds.push_back(bruck_phase(request.ranks, width, radix));
  }
  return allgather_schedule(request, {std::move(stage)});
}

/// Even ranks send `even` blocks to the rank `shift` further (+1 or -1), and odd ones `odd` blocks in the other
/// direction.
Round neighbor_round(Index ranks, Index shift, const BlockSpan& even, const BlockSpan& odd) {
  const auto pairs = [&](Index first, Index by) {
    return AffinePairs{.count = ranks / 2,
                       .source_first = first,
                       .source_stride = 2,
                       .target_first = first + by,
                       .target_stride = 2,
                       .modulus = ranks};
  };
  return round_of({{pairs(0, shift), as_ranks(ranks), even}, {pairs(1, -shift), as_ranks(ranks), odd}});
}

/// Round 2t + 1 and, with `later` 1, round 2t + 2, where t is the iteration plus `after`: what came two blocks at a
/// time from one neighbour goes to the other.
Round exchange_of_two(Index ranks, Index later, Index after) {
  const auto two = [&](Index constant, Index by_iteration) {
    return BlockSpan{.constant = constant + by_iteration * after,
                     .by_source = 1,
                     .by_iteration = by_iteration,
                     .count = 2,
                     .modulus = ranks};
  };
  return later == 0 ? neighbor_round(ranks, -1, two(0, 2), two(-1, -2))
                    : neighbor_round(ranks, 1, two(-2, -2), two(1, 2));
}

/// J. Chen, L. Zhang, Y. Zhang, W. Yuan, Performance evaluation of allgather algorithms on terascale Linux cluster with
/// fast ethernet, HPC Asia 2005: P/2 rounds, alternately with either neighbour.
Schedule neighbor_exchange(const ScheduleRequest& request) {
  const Index ranks = request.ranks;
  const BlockSpan own{.by_source = 1};
  const Index rounds = ranks / 2 - 1;
  std::vector<Stage> stages{{.name = "own blocks", .rounds = {neighbor_round(ranks, 1, own, own)}}};
  if (rounds / 2 > 0) {
    stages.push_back({.name = "to either side",
                      .iterations = rounds / 2,
                      .rounds = {exchange_of_two(ranks, 0, 0), exchange_of_two(ranks, 1, 0)}});
  }
  if (rounds % 2 == 1) {
    stages.push_back({.name = "last exchange", .rounds = {exchange_of_two(ranks, 0, rounds / 2)}});
  }
  return allgather_schedule(request, std::move(stages));
}

/// Gather within groups, recursive doubling among their first ranks, and back. A group that is everybody leaves nothing
/// to double.
Schedule in_groups(const ScheduleRequest& request, Index group) {
  const Index ranks = request.ranks;
  std::vector<Stage> stages;
  if (group > 1) {
    stages.push_back(binomial_gather_stage(ranks, 0, group));
  }
  if (group < ranks) {
    std::vector<Stage> doubling = doubling_stages(ranks, group);
    stages.insert(stages.end(), doubling.begin(), doubling.end());
  }
  if (group > 1) {
    stages.push_back({.name = "spread down the tree",
                      .rounds = downward(binomial_tree(ranks, group), as_ranks(ranks), fixed_blocks(ranks))});
  }
  return allgather_schedule(request, std::move(stages));
}

Schedule gather_bcast(const ScheduleRequest& request) {
  return in_groups(request, request.ranks);
}

/// Q. Ali, S. Midkiff, V. Pai, Modeling advanced collective communication algorithms on Cell-based systems,
/// section 5.3, hybrid-x-y: y follows from x and P. There P is a power of two; folding the leaders serves any P.
Schedule hybrid(const ScheduleRequest& request) {
  Index group = 1;
  for (Index round = 1; round < request.parameter("x") && group < request.ranks; ++round) {
    group *= 2;
  }
  return acknowledged_if_asked(request, in_groups(request, group));
}

}  // namespace

std::vector<Algorithm> allgather_algorithms() {
  constexpr Collective kAllgather = Collective::kAllgather;
  return {
      {.collective = kAllgather,
       .name = "linear",
       .summary = "every rank sends its block to every other rank, all at once",
       .segmentable = false,
       .build = linear},
      {.collective = kAllgather,
       .name = "gather-bcast",
       .summary = "rank 0 gathers all blocks up a binomial tree and broadcasts them down it",
       .segmentable = true,
       .build = gather_bcast},
      {.collective = kAllgather,
       .name = "ring",
       .summary = "in each of P-1 rounds every rank passes the newest block to the next rank",
       .segmentable = true,
       .build = ring,
       .counterparts = {.open_mpi = 4, .mpich = "ring", .smpi = "NTSLR"}},
      {.collective = kAllgather,
       .name = "recursive-doubling",
       .summary = "in round k every rank exchanges all that it has with the one 2^k away",
       .segmentable = true,
       .build = recursive_doubling,
       .rank_rule = RankRule::kPowerOfTwo,
       .counterparts = {.open_mpi = 3, .mpich = "recursive_doubling", .smpi = "rdb"}},
      {.collective = kAllgather,
       .name = "recursive-doubling-folded",
       .summary = "recursive doubling among the largest power of two of ranks; the others hand theirs to a neighbour "
                  "before and get the rest from it after",
       .segmentable = true,
       .build = recursive_doubling},
      {.collective = kAllgather,
       .name = "bruck",
       .summary = "every rank's run of blocks grows radix-fold in each round; no special case for any P",
       .segmentable = true,
       .build = bruck,
       .parameters = {{"radix", "factor by which the runs grow; stock libraries have 2", 2, 2}},
       .counterparts = {.open_mpi = 2, .mpich = "brucks", .smpi = "bruck"}},
      {.collective = kAllgather,
       .name = "neighbor-exchange",
       .summary = "in each of P/2 rounds every rank exchanges two blocks with one of its neighbours, in turn",
       .segmentable = true,
       .build = neighbor_exchange,
       .rank_rule = RankRule::kEven,
       .counterparts = {.open_mpi = 5, .smpi = "ompi_neighborexchange"}},
      {.collective = kAllgather,
       .name = "hybrid",
       .summary = "x-1 rounds of binomial gather, then recursive doubling among the ranks left, then x-1 rounds of "
                  "binomial broadcast",
       .segmentable = true,
       .build = hybrid,
       .parameters = {{"x", "the round that switches to recursive doubling; beyond log2(P) none is left to it", 2, 1},
                      kAcknowledged}},
  };
}

}  // namespace postage
