#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/exchange_stages.hpp"
#include "schedule/patterns/vectors.hpp"

namespace postage {
namespace {

Schedule gather_schedule(const ScheduleRequest& request, Stage stage) {
  Schedule schedule;
  schedule.layout = contribution_layout(request);
  schedule.stages.push_back(std::move(stage));
  return schedule;
}

/// The block of the virtual rank that sends it.
BlockSpan own_block(const ScheduleRequest& request) {
  return {.by_source = 1, .rotation = request.root, .modulus = request.ranks};
}

Schedule linear(const ScheduleRequest& request) {
  if (request.parameter(kInTurn.name) != 0) {
    const AffinePairs one{.count = 1, .source_first = 1, .source_step = 1};
    return gather_schedule(request, {.name = "one after another",
                                     .iterations = request.ranks - 1,
                                     .rounds = {round_of({{one, from_root(request), own_block(request)}})}});
  }
  const AffinePairs star{.count = request.ranks - 1, .source_first = 1, .source_stride = 1};
  return gather_schedule(
      request, {.name = "all to root", .rounds = {round_of({{star, from_root(request), own_block(request)}})}});
}

/// The root never has to hold more than one block that it did not ask for, however many ranks there are.
Schedule linear_sync(const ScheduleRequest& request) {
  const AffinePairs go{.count = 1, .target_first = 1, .target_step = 1};
  const AffinePairs answer{.count = 1, .source_first = 1, .source_step = 1};
  return gather_schedule(request, {.name = "one after another",
                                   .iterations = request.ranks - 1,
                                   .rounds = {round_of({{go, from_root(request), Token{}}}),
                                              round_of({{answer, from_root(request), own_block(request)}})}});
}

Schedule binomial(const ScheduleRequest& request) {
  return gather_schedule(request, binomial_gather_stage(request.ranks, request.root, request.ranks));
}

}  // namespace

std::vector<Algorithm> gather_algorithms() {
  constexpr Collective kGather = Collective::kGather;
  return {
      {.collective = kGather,
       .name = "linear",
       .summary = "every rank sends its block to the root, all at once",
       .segmentable = false,
       .build = linear,
       .parameters = {kInTurn},
       .counterparts = {.open_mpi = 1, .smpi = "ompi_basic_linear"}},
      {.collective = kGather,
       .name = "linear-sync",
       .summary = "the root lets one rank after another send its block, with a message of no bytes",
       .segmentable = false,
       .build = linear_sync,
       .counterparts = {.open_mpi = 3, .smpi = "ompi_linear_sync"}},
      {.collective = kGather,
       .name = "binomial",
       .summary = "blocks go up a binomial tree, each rank sending all that it has once",
       .segmentable = true,
       .build = binomial,
       .counterparts = {.open_mpi = 2, .mpich = "binomial", .smpi = "ompi_binomial"}},
  };
}

}  // namespace postage
