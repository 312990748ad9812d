#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/butterflies.hpp"
#include "schedule/patterns/reductions.hpp"
#include "schedule/patterns/rings.hpp"
#include "schedule/patterns/trees.hpp"
#include "schedule/patterns/vectors.hpp"

#include <algorithm>

namespace postage {
namespace {

Schedule schedule_of(const ScheduleRequest& request, Index blocks, std::vector<Stage> stages) {
  Schedule schedule;
  schedule.layout = cut_vector(request, blocks);
  schedule.stages = std::move(stages);
  return schedule;
}

Schedule linear(const ScheduleRequest& request) {
  const Tree star{{{.count = request.ranks - 1, .target_first = 1, .target_stride = 1}}};
  return schedule_of(request, 1,
                     {linear_reduction(request.ranks, 0, whole_vector()),
                      {.name = "root to all", .rounds = downward(star, as_ranks(request.ranks), whole_vector())}});
}

/// Among `count` ranks, the multiples of `stride`: neighbours fold to a power of two, exchange, and hand back.
Stage doubling_stage(Index count, Index stride, Index ranks) {
  const PowerOfTwoCore size = core_of(count);
  const Numbering folding = leaders(stride, ranks);
  const FoldedNumbering numbering{.remainder = size.remainder, .stride = stride};
  Stage stage{.name = "exchange", .rounds = fold(size.remainder, numbering.keep_odd, folding, whole_vector())};
  append(stage.rounds, doubling_exchanges(size.core, numbering, whole_vector(), Exchange::kReduce));
  append(stage.rounds, unfold(size.remainder, numbering.keep_odd, folding, whole_vector()));
  return stage;
}

Schedule recursive_doubling(const ScheduleRequest& request) {
  return schedule_of(request, 1, {doubling_stage(request.ranks, 1, request.ranks)});
}

Schedule ring(const ScheduleRequest& request) {
  const Numbering numbering = as_ranks(request.ranks);
  Stage allgather = ring_allgather(request.ranks, 1, numbering);
  allgather.may_be_segmented = false;
  return schedule_of(request, request.ranks, {ring_reduce_scatter(request.ranks, numbering), std::move(allgather)});
}

/// R. Rabenseifner, Optimization of collective reduction operations, ICCS 2004. MPICH folds whole vectors into the odd
/// ranks: for a power of two of ranks the two are one.
Schedule rabenseifner(const ScheduleRequest& request) {
  const PowerOfTwoCore size = core_of(request.ranks);
  const Numbering ranks = as_ranks(request.ranks);
  const bool keep_odd = request.parameter(kWholeFold.name) != 0;
  const Numbering numbering = neighbours_first(size, keep_odd);
  Stage scatter{.name = "reduce-scatter",
                .rounds = keep_odd ? fold(size.remainder, keep_odd, ranks, fixed_blocks(size.core))
                                   : fold_halves(size.remainder, keep_odd, ranks, size.core)};
  append(scatter.rounds, halving_reduce_scatter(size.core, numbering));
  Stage gather{.name = "allgather", .rounds = doubling_allgather(size.core, numbering)};
  append(gather.rounds, unfold(size.remainder, keep_odd, ranks, fixed_blocks(size.core)));
  return schedule_of(request, size.core, {std::move(scatter), std::move(gather)});
}

// The following are from Q. Ali, S. P. Midkiff, V. S. Pai, Modeling advanced collective communication algorithms on
// Cell-based systems, PPoPP 2010, sections 4 and 5.5. Their reduce-scatter starts with the farthest partners.

Stage upper_fold_reduce_scatter(const PowerOfTwoCore& size, Index ranks) {
  const Numbering numbering = as_ranks(ranks);
  Stage stage{.name = "reduce-scatter",
              .rounds = fold_upper(size, numbering, fixed_blocks(size.core), Combine::kReduceRight)};
  append(stage.rounds, halving_reduce_scatter(size.core, numbering));
  return stage;
}

Schedule reduce_scatter_gather_bcast(const ScheduleRequest& request) {
  const PowerOfTwoCore size = core_of(request.ranks);
  const Numbering numbering = as_ranks(request.ranks);
  return acknowledged_if_asked(
      request, schedule_of(request, size.core,
                           {upper_fold_reduce_scatter(size, request.ranks),
                            {.name = "gather", .rounds = binomial_gather(size.core, 0, size.core, numbering)},
                            {.name = "bcast",
                             .rounds = downward(binomial_tree(request.ranks), numbering, fixed_blocks(size.core))}}));
}

/// Rabenseifner's, whose longest messages go farthest.
Schedule reduce_scatter_rd_allgather(const ScheduleRequest& request) {
  const PowerOfTwoCore size = core_of(request.ranks);
  const Numbering numbering = as_ranks(request.ranks);
  Stage gather{.name = "allgather", .rounds = doubling_allgather(size.core, numbering)};
  append(gather.rounds, unfold_upper(size, numbering, fixed_blocks(size.core)));
  return schedule_of(request, size.core, {upper_fold_reduce_scatter(size, request.ranks), std::move(gather)});
}

/// 2^(x-1) consecutive ranks, after x - 1 rounds of a binomial tree one; no more than `ranks` need.
Index group_size(const ScheduleRequest& request, Index ranks) {
  Index size = 1;
  for (Index round = 1; round < request.parameter("x") && size < ranks; ++round) {
    size *= 2;
  }
  return size;
}

/// Its y is the number of leaders.
Schedule hybrid_a(const ScheduleRequest& request) {
  const Index group = group_size(request, request.ranks);
  const Numbering numbering = as_ranks(request.ranks);
  const Tree tree = binomial_tree(request.ranks, group);
  const Index count = (request.ranks + group - 1) / group;
  return acknowledged_if_asked(
      request,
      schedule_of(request, 1,
                  {{.name = "reduce", .rounds = upward(tree, numbering, whole_vector(), Combine::kReduceRight)},
                   doubling_stage(count, group, request.ranks),
                   {.name = "bcast", .rounds = downward(tree, numbering, whole_vector())}}));
}

/// Allgather among the multiples of `group`, each of which has the `group` blocks from its own on.
std::vector<Round> leaders_allgather(Index blocks, Index group, Index ranks) {
  std::vector<Round> rounds;
  for (Index distance = 1; distance < blocks / group; distance *= 2) {
    const Index held = distance * group;
    const BlockSpan run{.by_source = group, .align = held, .count = held};
    rounds.push_back(exchange(blocks / group, distance, leaders(group, ranks), run, Exchange::kCopy));
  }
  return rounds;
}

/// Its y is the number of leaders.
Schedule hybrid_b(const ScheduleRequest& request) {
  const PowerOfTwoCore size = core_of(request.ranks);
  const Index group = group_size(request, size.core);
  const Numbering numbering = as_ranks(request.ranks);
  const BlockSpan all = fixed_blocks(size.core);
  Stage bcast{.name = "bcast", .rounds = downward(binomial_tree(size.core, group), numbering, all)};
  append(bcast.rounds, unfold_upper(size, numbering, all));
  return acknowledged_if_asked(
      request, schedule_of(request, size.core,
                           {upper_fold_reduce_scatter(size, request.ranks),
                            {.name = "gather", .rounds = binomial_gather(size.core, 0, group, numbering)},
                            {.name = "allgather", .rounds = leaders_allgather(size.core, group, request.ranks)},
                            std::move(bcast)}));
}

constexpr AlgorithmParameter kSwitchingRound{
    "x", "round in which recursive doubling among every 2^(x-1)-th rank starts", 3, 1, 31};
constexpr bool kSegmentable = true;
constexpr bool kKeepsOrder = true;

Algorithm allreduce(std::string_view name, std::string_view summary, bool segmentable, bool keeps_order,
                    Schedule (*build)(const ScheduleRequest&), const Counterparts& counterparts = {},
                    std::vector<AlgorithmParameter> parameters = {}) {
  return {.collective = Collective::kAllreduce,
          .name = name,
          .summary = summary,
          .segmentable = segmentable,
          .build = build,
          .keeps_order = keeps_order,
          .parameters = std::move(parameters),
          .counterparts = counterparts};
}

}  // namespace

std::vector<Algorithm> allreduce_algorithms() {
  return {
      allreduce("linear", "linear reduce to rank 0, then linear broadcast", !kSegmentable, kKeepsOrder, linear,
                {.open_mpi = 1}),
      allreduce("recursive-doubling", "in round k every rank exchanges with the one whose number differs in bit k",
                !kSegmentable, kKeepsOrder, recursive_doubling,
                {.open_mpi = 3, .mpich = "recursive_doubling", .smpi = "rdb"}),
      allreduce("ring", "reduce-scatter, then allgather around a ring", !kSegmentable, !kKeepsOrder, ring,
                {.open_mpi = 4, .smpi = "lr"}),
      allreduce("segmented-ring", "ring, its reduce-scatter in segments", kSegmentable, !kKeepsOrder, ring,
                {.open_mpi = 5, .smpi = "ompi_ring_segmented"}),
      allreduce("rabenseifner", "reduce-scatter by recursive halving, then allgather by recursive doubling",
                !kSegmentable, kKeepsOrder, rabenseifner,
                {.open_mpi = 6, .mpich = "reduce_scatter_allgather", .smpi = "rab_rdb"}, {kWholeFold}),
      allreduce("reduce-scatter-gather-bcast",
                "reduce-scatter by recursive halving, binomial gather to rank 0, binomial broadcast", !kSegmentable,
                !kKeepsOrder, reduce_scatter_gather_bcast, {}, {kAcknowledged}),
      allreduce("reduce-scatter-rd-allgather",
                "rabenseifner, its longest messages between the farthest ranks, as Ali et al. have it", !kSegmentable,
                !kKeepsOrder, reduce_scatter_rd_allgather),
      allreduce("hybridA", "binomial reduce within groups, recursive doubling among their leaders, binomial broadcast",
                !kSegmentable, kKeepsOrder, hybrid_a, {}, {kSwitchingRound, kAcknowledged}),
      allreduce("hybridB",
                "reduce-scatter, then gather within groups, recursive doubling among their leaders, binomial broadcast",
                !kSegmentable, !kKeepsOrder, hybrid_b, {}, {kSwitchingRound, kAcknowledged}),
  };
}

}  // namespace postage
