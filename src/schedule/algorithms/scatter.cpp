#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/exchange_stages.hpp"
#include "schedule/patterns/vectors.hpp"

namespace postage {
namespace {

Schedule scatter_schedule(const ScheduleRequest& request, Stage stage) {
  Schedule schedule;
  schedule.layout = contribution_layout(request);
  schedule.stages.push_back(std::move(stage));
  return schedule;
}

/// The block of the virtual rank that receives it.
BlockSpan own_block(const ScheduleRequest& request) {
  return {.by_target = 1, .rotation = request.root, .modulus = request.ranks};
}

Schedule linear(const ScheduleRequest& request) {
  if (request.parameter(kInTurn.name) != 0) {
    const AffinePairs one{.count = 1, .target_first = 1, .target_step = 1};
    return scatter_schedule(request, {.name = "one after another",
                                      .iterations = request.ranks - 1,
                                      .rounds = {round_of({{one, from_root(request), own_block(request)}})}});
  }
  const AffinePairs star{.count = request.ranks - 1, .target_first = 1, .target_stride = 1};
  return scatter_schedule(
      request, {.name = "root to all", .rounds = {round_of({{star, from_root(request), own_block(request)}})}});
}

/// No block reaches a rank that has not entered the collective.
Schedule linear_sync(const ScheduleRequest& request) {
  const AffinePairs ready{.count = 1, .source_first = 1, .source_step = 1};
  const AffinePairs answer{.count = 1, .target_first = 1, .target_step = 1};
  return scatter_schedule(request, {.name = "one after another",
                                    .iterations = request.ranks - 1,
                                    .rounds = {round_of({{ready, from_root(request), Token{}}}),
                                               round_of({{answer, from_root(request), own_block(request)}})}});
}

Schedule binomial(const ScheduleRequest& request) {
  return scatter_schedule(request, request.parameter("rising") != 0
                                       ? rising_scatter_stage(request.ranks, request.root)
                                       : binomial_scatter_stage(request.ranks, request.root));
}

}  // namespace

std::vector<Algorithm> scatter_algorithms() {
  constexpr Collective kScatter = Collective::kScatter;
  return {
      {.collective = kScatter,
       .name = "linear",
       .summary = "the root sends every other rank its block, in rank order",
       .segmentable = false,
       .build = linear,
       .parameters = {kInTurn},
       .counterparts = {.open_mpi = 1, .smpi = "ompi_basic_linear"}},
      {.collective = kScatter,
       .name = "linear-sync",
       .summary =
           "the root sends one rank after another its block when that has said, with a message of no bytes, that "
           "it is ready",
       .segmentable = false,
       .build = linear_sync},
      {.collective = kScatter,
       .name = "binomial",
       .summary = "blocks go down a binomial tree, the largest sub-tree's first",
       .segmentable = true,
       .build = binomial,
       .parameters = {{"rising", "1: the smallest sub-tree's first, as Open MPI has it", 0, 0, 1}},
       .counterparts = {.open_mpi = 2, .mpich = "binomial", .smpi = "ompi_binomial"}},
  };
}

}  // namespace postage
