#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/exchange_stages.hpp"
#include "schedule/patterns/vectors.hpp"

#include <algorithm>

namespace postage {
namespace {

Schedule alltoall_schedule(const ScheduleRequest& request, std::vector<Stage> stages) {
  Schedule schedule;
  schedule.layout = pair_layout(request);
  schedule.stages = std::move(stages);
  return schedule;
}

/// The block of the pair that exchanges a message.
Pattern direct(const ScheduleRequest& request, Pairs pairs) {
  return {std::move(pairs), as_ranks(request.ranks), BlockSpan{.by_source = request.ranks, .by_target = 1}};
}

Schedule linear(const ScheduleRequest& request) {
  const ShiftPairs to_all{.ranks = request.ranks, .distances = request.ranks - 1, .first = 1};
  return alltoall_schedule(request, {{.name = "all to all", .rounds = {round_of({direct(request, to_all)})}}});
}

/// In iteration t to the rank t + 1 further, and from the one t + 1 before.
Schedule pairwise(const ScheduleRequest& request) {
  const AffinePairs shift{.count = request.ranks,
                          .source_stride = 1,
                          .target_first = 1,
                          .target_stride = 1,
                          .target_step = 1,
                          .modulus = request.ranks};
  return alltoall_schedule(
      request, {{.name = "pairwise", .iterations = request.ranks - 1, .rounds = {round_of({direct(request, shift)})}}});
}

Schedule pairwise_xor(const ScheduleRequest& request) {
  const XorPairs exchange{.count = request.ranks, .mask = 1, .mask_step = 1};
  return alltoall_schedule(request, {{.name = "pairwise exchange",
                                      .iterations = request.ranks - 1,
                                      .rounds = {round_of({direct(request, exchange)})}}});
}

/// Every block goes the distance from its origin to its destination digit by digit, written to the base `radix`.
/// J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient algorithms for all-to-all communications in
/// multiport message-passing systems, IEEE TPDS 8(11), 1997.
Schedule bruck(const ScheduleRequest& request) {
  const Index ranks = request.ranks;
  const Index radix = request.parameter("radix");
  Stage stage{.name = "bruck"};
  for (Index weight = 1; weight < ranks; weight *= radix) {
    const ShiftPairs by_digit{
        .ranks = ranks, .distances = std::min(radix - 1, (ranks - 1) / weight), .first = weight, .stride = weight};
    stage.rounds.push_back(round_of({{by_digit, as_ranks(ranks), DigitBlocks{ranks, weight, radix}}}));
  }
  return alltoall_schedule(request, {std::move(stage)});
}

/// `window` distances at a time; a first or last, smaller window is a stage of its own.
Schedule linear_sync(const ScheduleRequest& request) {
  const Index all = request.ranks - 1;
  const Index asked = request.parameter("window");
  const Index window = std::min(asked, all);
  const Index first = request.parameter("own") != 0 && asked <= all ? asked - 1 : 0;
  const Index distances = all - first;
  const auto stage = [&](std::string name, Index nearest, Index width, Index iterations) {
    const ShiftPairs shift{.ranks = request.ranks, .distances = width, .first = nearest, .step = width};
    return Stage{.name = std::move(name), .iterations = iterations, .rounds = {round_of({direct(request, shift)})}};
  };
  const Index windows = distances / window;
  std::vector<Stage> stages;
  if (first > 0) {
    stages.push_back(stage("first window", 1, first, 1));
  }
  if (windows > 0) {
    stages.push_back(stage("windows", 1 + first, window, windows));
  }
  if (const Index rest = distances - windows * window; rest > 0) {
    stages.push_back(stage("last window", 1 + first + windows * window, rest, 1));
  }
  return alltoall_schedule(request, std::move(stages));
}

}  // namespace

std::vector<Algorithm> alltoall_algorithms() {
  constexpr Collective kAlltoall = Collective::kAlltoall;
  return {
      {.collective = kAlltoall,
       .name = "linear",
       .summary = "every rank sends to every other rank, all at once, the next rank first",
       .segmentable = false,
       .build = linear,
       .counterparts = {.open_mpi = 1, .smpi = "basic_linear"}},
      {.collective = kAlltoall,
       .name = "pairwise",
       .summary = "in round k every rank sends to the one k further on the ring and receives from the one k before",
       .segmentable = true,
       .build = pairwise,
       .counterparts = {.open_mpi = 2, .smpi = "ring"}},
      {.collective = kAlltoall,
       .name = "pairwise-xor",
       .summary = "in round k every rank exchanges with the one whose number differs in the bits of k",
       .segmentable = true,
       .build = pairwise_xor,
       .rank_rule = RankRule::kPowerOfTwo,
       .counterparts = {.mpich = "pairwise", .smpi = "pair"}},
      {.collective = kAlltoall,
       .name = "bruck",
       .summary = "blocks go their distance digit by digit to the base `radix`, all blocks of one digit in a message",
       .segmentable = true,
       .build = bruck,
       .parameters = {{"radix", "base of the digits; stock libraries have 2", 2, 2}},
       .counterparts = {.open_mpi = 3, .mpich = "brucks", .smpi = "bruck"}},
      // Open MPI's window slides: as soon as one message is done the next one starts.
      {.collective = kAlltoall,
       .name = "linear-sync",
       .summary = "every rank sends to and receives from `window` others at a time, the next ones first",
       .segmentable = false,
       .build = linear_sync,
       .parameters = {{"window", "messages of a rank under way in each direction", 32, 1},
                      {"own", "1 where a rank's block for itself is one of the first window, as in MPICH", 0, 0, 1}},
       .counterparts = {.open_mpi = 4, .mpich = "scattered"}},
  };
}

}  // namespace postage
