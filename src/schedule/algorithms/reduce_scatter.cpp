#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/butterflies.hpp"
#include "schedule/patterns/exchange_stages.hpp"
#include "schedule/patterns/rings.hpp"
#include "schedule/patterns/trees.hpp"
#include "schedule/patterns/vectors.hpp"

namespace postage {
namespace {

/// Block r ends at rank r. The whole vector is ScheduleRequest::bytes, dealt as evenly as whole elements allow, or as
/// listed.
Schedule reduce_scatter_schedule(const ScheduleRequest& request, std::vector<Stage> stages) {
  Schedule schedule;
  schedule.layout = request.block_bytes.empty()
                        ? cut_vector(request, request.ranks)
                        : BlockLayout::explicit_sizes(request.block_bytes, request.element_bytes);
  schedule.stages = std::move(stages);
  return schedule;
}

/// Every second one of the first ranks gives its whole vector to the next.
std::vector<Stage> folding_stages(Index ranks) {
  const Index folded = core_of(ranks).remainder;
  if (folded == 0) {
    return {};
  }
  return {{.name = "fold", .rounds = fold(folded, true, as_ranks(ranks), fixed_blocks(ranks))}};
}

/// What its partner and those that the partner halves with later are to end with.
BlockSpan partners_half(const PowerOfTwoCore& size, Index distance) {
  return {.by_target = 1, .align = distance, .count = distance, .doubled = size.remainder};
}

/// R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in MPICH, IJHPCA 19(1),
/// 2005. The farthest partner comes first, so that the sums' contributions are no neighbours.
Schedule recursive_halving(const ScheduleRequest& request) {
  const PowerOfTwoCore size = core_of(request.ranks);
  std::vector<Stage> stages = folding_stages(request.ranks);
  Stage halving{.name = "halve"};
  for (Index distance = size.core / 2; distance >= 1; distance /= 2) {
    halving.rounds.push_back(round_of({{XorPairs{size.core, distance}, FoldedNumbering{size.remainder},
                                        partners_half(size, distance), Combine::kReduceRight}}));
  }
  stages.push_back(std::move(halving));
  if (size.remainder > 0) {
    stages.push_back(
        {.name = "unfold", .rounds = unfold(size.remainder, true, as_ranks(request.ranks), BlockSpan{.by_target = 1})});
  }
  return reduce_scatter_schedule(request, std::move(stages));
}

/// J. L. Träff, An improved algorithm for (non-commutative) reduce-scatter with an application, EuroPVM/MPI 2005: the
/// nearest partner comes first, which keeps the order and leaves the units of blocks in bit-reversed order.
Schedule butterfly(const ScheduleRequest& request) {
  const PowerOfTwoCore size = core_of(request.ranks);
  const FoldedNumbering reversed = neighbours_first(size, true);
  std::vector<Stage> stages = folding_stages(request.ranks);
  Stage halving{.name = "halve"};
  for (Index distance = size.core / 2; distance >= 1; distance /= 2) {
    halving.rounds.push_back(exchange(size.core, distance, reversed, partners_half(size, distance), Exchange::kReduce));
  }
  stages.push_back(std::move(halving));
  stages.push_back({.name = "to their places",
                    .rounds = {round_of({{ReflectedPairs{reversed.reversed_bits, size.remainder},
                                          as_ranks(request.ranks), BlockSpan{.by_target = 1}}})}});
  return reduce_scatter_schedule(request, std::move(stages));
}

/// Around the ring virtual rank v ends with block v + 1: it is rank v + 1.
Schedule ring(const ScheduleRequest& request) {
  const LinearNumbering one_further{.offset = 1, .ranks = request.ranks};
  return reduce_scatter_schedule(request, {ring_reduce_scatter(request.ranks, one_further)});
}

/// In iteration t to the rank t + 1 further, what that one is to end with.
Schedule pairwise(const ScheduleRequest& request) {
  const Index ranks = request.ranks;
  const AffinePairs shift{
      .count = ranks, .source_stride = 1, .target_first = 1, .target_stride = 1, .target_step = 1, .modulus = ranks};
  return reduce_scatter_schedule(
      request, {{.name = "pairwise",
                 .iterations = ranks - 1,
                 .rounds = {round_of({{shift, as_ranks(ranks), BlockSpan{.by_target = 1}, Combine::kReduceLeft}})}}});
}

Schedule reduce_scatterv(const ScheduleRequest& request) {
  return reduce_scatter_schedule(request, {{.name = "reduce up the tree",
                                            .rounds = upward(binomial_tree(request.ranks), as_ranks(request.ranks),
                                                             fixed_blocks(request.ranks), Combine::kReduceRight)},
                                           binomial_scatter_stage(request.ranks, 0)});
}

}  // namespace

std::vector<Algorithm> reduce_scatter_algorithms() {
  constexpr Collective kReduceScatter = Collective::kReduceScatter;
  return {
      {.collective = kReduceScatter,
       .name = "reduce-scatterv",
       .summary = "rank 0 reduces the whole vector up a binomial tree and scatters the result down it",
       .segmentable = true,
       .build = reduce_scatterv,
       .keeps_order = true},
      {.collective = kReduceScatter,
       .name = "recursive-halving",
       .summary =
           "partners at half the distance each time exchange halves of what is left; ranks beyond a power of two "
           "are folded",
       .segmentable = true,
       .build = recursive_halving,
       .counterparts = {.open_mpi = 2, .mpich = "recursive_halving", .smpi = "ompi_basic_recursivehalving"}},
      {.collective = kReduceScatter,
       .name = "ring",
       .summary = "every block goes once around the ring, reduced at each rank, and ends at its own",
       .segmentable = true,
       .build = ring,
       .counterparts = {.open_mpi = 3, .smpi = "ompi_ring"}},
      {.collective = kReduceScatter,
       .name = "pairwise",
       .summary = "in round k every rank sends the one k further its block, unreduced",
       .segmentable = true,
       .build = pairwise,
       .counterparts = {.mpich = "pairwise"}},
      {.collective = kReduceScatter,
       .name = "butterfly",
       .summary = "partners at twice the distance each time exchange halves of what is left, then blocks go to their "
                  "ranks; keeps the order",
       .segmentable = true,
       .build = butterfly,
       .keeps_order = true,
       .counterparts = {.open_mpi = 4, .smpi = "ompi_butterfly"}},
  };
}

}  // namespace postage
