#include "schedule/exchange_stages.hpp"
#include "schedule/families.hpp"

#include <bit>

namespace postage {
namespace {

/// Block r ends at rank r. The whole vector is ScheduleRequest::bytes, dealt as evenly as whole elements allow, or as
/// listed.
Schedule reduce_scatter_schedule(const ScheduleRequest& request, std::vector<Stage> stages) {
  Schedule schedule;
  schedule.layout =
      request.block_bytes.empty()
          ? BlockLayout::split(request.ranks, request.bytes / request.element_bytes, request.element_bytes)
          : BlockLayout::explicit_sizes(request.block_bytes, request.element_bytes);
  schedule.stages = std::move(stages);
  return schedule;
}

Numbering as_they_are(Index ranks) {
  return LinearNumbering{0, 1, ranks};
}

/// The largest power of two of ranks, and how many are folded away to get there.
struct Folding {
  Index kept;
  Index folded;
  explicit Folding(Index ranks) : kept(power_of_two_below(ranks)), folded(ranks - kept) {}
};

/// Every second one of the first ranks gives its whole vector to the next.
std::vector<Stage> fold(Index ranks) {
  const AffinePairs to_next{.count = Folding(ranks).folded, .source_stride = 2, .target_first = 1, .target_stride = 2};
  if (to_next.count == 0) {
    return {};
  }
  const Pattern pattern{to_next, as_they_are(ranks), BlockSpan{.count = ranks}, Combine::kReduceLeft};
  return {{.name = "fold", .rounds = {round_of({pattern})}}};
}

/// What its partner and those that the partner halves with later are to end with.
BlockSpan partners_half(const Folding& folding, Index distance) {
  return {.by_target = 1, .align = distance, .count = distance, .doubled = folding.folded};
}

/// R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in MPICH, IJHPCA 19(1),
/// 2005. The farthest partner comes first, so that the sums' contributions are no neighbours.
Schedule recursive_halving(const ScheduleRequest& request) {
  const Folding folding(request.ranks);
  std::vector<Stage> stages = fold(request.ranks);
  Stage halving{.name = "halve"};
  for (Index distance = folding.kept / 2; distance >= 1; distance /= 2) {
    halving.rounds.push_back(round_of({{XorPairs{folding.kept, distance}, FoldedNumbering{folding.folded},
                                        partners_half(folding, distance), Combine::kReduceRight}}));
  }
  stages.push_back(std::move(halving));
  if (folding.folded > 0) {
    const AffinePairs to_former{.count = folding.folded, .source_first = 1, .source_stride = 2, .target_stride = 2};
    stages.push_back(
        {.name = "unfold", .rounds = {round_of({{to_former, as_they_are(request.ranks), BlockSpan{.by_target = 1}}})}});
  }
  return reduce_scatter_schedule(request, std::move(stages));
}

/// J. L. Träff, An improved algorithm for (non-commutative) reduce-scatter with an application, EuroPVM/MPI 2005: the
/// nearest partner comes first, which keeps the order and leaves every unit of blocks at the mirror image of its place.
Schedule butterfly(const ScheduleRequest& request) {
  const Folding folding(request.ranks);
  const int bits = std::countr_zero(static_cast<std::uint64_t>(folding.kept));
  const FoldedNumbering mirrored{.remainder = folding.folded, .reversed_bits = bits};
  std::vector<Stage> stages = fold(request.ranks);
  Stage halving{.name = "halve"};
  for (Index distance = folding.kept / 2; distance >= 1; distance /= 2) {
    const auto half = [&](Index source, Index target, Combine combine) {
      const TiledPairs pairs{.count = folding.kept / 2,
                             .width = distance,
                             .stride = 2 * distance,
                             .source_first = source,
                             .target_first = target};
      return Pattern{pairs, mirrored, partners_half(folding, distance), combine};
    };
    halving.rounds.push_back(
        round_of({half(0, distance, Combine::kReduceLeft), half(distance, 0, Combine::kReduceRight)}));
  }
  stages.push_back(std::move(halving));
  stages.push_back({.name = "to their places",
                    .rounds = {round_of({{MirrorPairs{bits, folding.folded}, as_they_are(request.ranks),
                                          BlockSpan{.by_target = 1}}})}});
  return reduce_scatter_schedule(request, std::move(stages));
}

/// Block b sets out from rank b + 1 and goes once around the ring.
Schedule ring(const ScheduleRequest& request) {
  const Index ranks = request.ranks;
  const AffinePairs to_next{
      .count = ranks, .source_stride = 1, .target_first = 1, .target_stride = 1, .modulus = ranks};
  const BlockSpan passing{.constant = -1, .by_source = 1, .by_iteration = -1, .modulus = ranks};
  return reduce_scatter_schedule(
      request, {{.name = "ring",
                 .iterations = ranks - 1,
                 .rounds = {round_of({{to_next, as_they_are(ranks), passing, Combine::kReduceLeft}})}}});
}

/// In iteration t to the rank t + 1 further, what that one is to end with.
Schedule pairwise(const ScheduleRequest& request) {
  const Index ranks = request.ranks;
  const AffinePairs shift{
      .count = ranks, .source_stride = 1, .target_first = 1, .target_stride = 1, .target_step = 1, .modulus = ranks};
  return reduce_scatter_schedule(
      request,
      {{.name = "pairwise",
        .iterations = ranks - 1,
        .rounds = {round_of({{shift, as_they_are(ranks), BlockSpan{.by_target = 1}, Combine::kReduceLeft}})}}});
}

Schedule reduce_scatterv(const ScheduleRequest& request) {
  return reduce_scatter_schedule(request,
                                 {binomial_reduce_stage(request.ranks), binomial_scatter_stage(request.ranks, 0)});
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
