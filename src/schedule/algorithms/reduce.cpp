#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/butterflies.hpp"
#include "schedule/patterns/chains.hpp"
#include "schedule/patterns/reductions.hpp"
#include "schedule/patterns/trees.hpp"
#include "schedule/patterns/vectors.hpp"

namespace postage {
namespace {

Schedule schedule_of(const ScheduleRequest& request, Index blocks, std::vector<Stage> stages) {
  Schedule schedule;
  schedule.layout = cut_vector(request, blocks);
  schedule.stages = std::move(stages);
  return schedule;
}

Schedule linear(const ScheduleRequest& request) {
  return schedule_of(request, 1, {linear_reduction(request.ranks, request.root, whole_vector())});
}

/// What combines consecutive ranks in their order reduces to the root, with the others following around the ring; but
/// where the ranks' order counts, to rank 0, which then sends the result to the root, as MPICH does.
Numbering collecting(const ScheduleRequest& request) {
  return request.commutative ? from_root(request) : as_ranks(request.ranks);
}

Schedule collected(const ScheduleRequest& request, Stage stage) {
  if (!request.commutative && request.root != 0) {
    hand_over(stage, 0, request.root, request.ranks, whole_vector());
  }
  return schedule_of(request, 1, {std::move(stage)});
}

Schedule collected(const ScheduleRequest& request, const Tree& tree) {
  Stage stage{.name = "tree", .rounds = upward(tree, collecting(request), whole_vector(), Combine::kReduceRight)};
  return collected(request, std::move(stage));
}

Schedule chain(const ScheduleRequest& request) {
  return collected(request, chains_up(request.ranks, request.parameter("chains"), collecting(request), whole_vector()));
}

Schedule pipeline(const ScheduleRequest& request) {
  return collected(request, pipeline_up(request.ranks, collecting(request), whole_vector()));
}

Schedule binomial(const ScheduleRequest& request) {
  return collected(request, binomial_tree(request.ranks));
}

Schedule knomial(const ScheduleRequest& request) {
  return collected(request, knomial_tree(request.ranks, request.parameter("radix")));
}

Schedule binary(const ScheduleRequest& request) {
  return collected(request, binary_tree(request.ranks));
}

/// Open MPI has an in-order binary tree too, but balanced differently and with the last rank as its root.
Schedule in_order_binary(const ScheduleRequest& request) {
  Stage stage{.name = "tree", .rounds = in_order_reduction(request.ranks, whole_vector())};
  const Index holder = in_order_root(request.ranks);
  if (holder != request.root) {
    hand_over(stage, holder, request.root, request.ranks, whole_vector());
  }
  return schedule_of(request, 1, {std::move(stage)});
}

/// R. Rabenseifner, Optimization of collective reduction operations, ICCS 2004. Of neighbours that are folded the root
/// stays; Open MPI and MPICH always let the even one stay and swap it with an odd root before the gather, and MPICH
/// folds whole vectors: for a power of two of ranks the three are one.
Schedule rabenseifner(const ScheduleRequest& request) {
  const PowerOfTwoCore size = core_of(request.ranks);
  const bool keep_odd = request.root < 2 * size.remainder && request.root % 2 == 1;
  const Numbering numbering = neighbours_first(size, keep_odd);
  const Index root = virtual_of(numbering, request.root).value();
  const Numbering ranks = as_ranks(request.ranks);
  Stage scatter{.name = "reduce-scatter",
                .rounds = request.parameter(kWholeFold.name) != 0
                              ? fold(size.remainder, keep_odd, ranks, fixed_blocks(size.core))
                              : fold_halves(size.remainder, keep_odd, ranks, size.core)};
  append(scatter.rounds, halving_reduce_scatter(size.core, numbering));
  Stage gather{.name = "gather", .rounds = binomial_gather(size.core, root, size.core, numbering)};
  return schedule_of(request, size.core, {std::move(scatter), std::move(gather)});
}

/// The same as Q. Ali, S. P. Midkiff, V. S. Pai, Modeling advanced collective communication algorithms on Cell-based
/// systems, PPoPP 2010, section 5.4, have it: the longest messages go farthest, and ranks beyond a power of two hand
/// theirs to the lower ones.
Schedule reduce_scatter_gather(const ScheduleRequest& request) {
  const PowerOfTwoCore size = core_of(request.ranks);
  const Numbering numbering = as_ranks(request.ranks);
  Stage scatter{.name = "reduce-scatter",
                .rounds = fold_upper(size, numbering, fixed_blocks(size.core), Combine::kReduceRight)};
  append(scatter.rounds, halving_reduce_scatter(size.core, numbering));
  const Index holder = request.root < size.core ? request.root : request.root - size.core;
  Stage gather{.name = "gather", .rounds = binomial_gather(size.core, holder, size.core, numbering)};
  if (holder != request.root) {
    hand_over(gather, holder, request.root, request.ranks, fixed_blocks(size.core));
  }
  return schedule_of(request, size.core, {std::move(scatter), std::move(gather)});
}

constexpr bool kSegmentable = true;
constexpr bool kKeepsOrder = true;

Algorithm reduce(std::string_view name, std::string_view summary, bool segmentable, bool keeps_order,
                 Schedule (*build)(const ScheduleRequest&), const Counterparts& counterparts,
                 std::vector<AlgorithmParameter> parameters = {}) {
  return {.collective = Collective::kReduce,
          .name = name,
          .summary = summary,
          .segmentable = segmentable,
          .build = build,
          .keeps_order = keeps_order,
          .parameters = std::move(parameters),
          .counterparts = counterparts};
}

}  // namespace

std::vector<Algorithm> reduce_algorithms() {
  return {
      reduce("linear", "every rank sends its vector to the root, which combines one after the other", !kSegmentable,
             kKeepsOrder, linear, {.open_mpi = 1, .smpi = "flat_tree"}),
      reduce("chain", "several chains of ranks combine towards the root", kSegmentable, kKeepsOrder, chain,
             {.open_mpi = 2}, {{"chains", "number of chains", 4, 1}}),
      reduce("pipeline", "each rank combines what it gets from the next and passes it on", kSegmentable, kKeepsOrder,
             pipeline, {.open_mpi = 3, .smpi = "ompi_pipeline"}),
      reduce("binary", "every rank combines the vectors of two more", kSegmentable, !kKeepsOrder, binary,
             {.open_mpi = 4, .smpi = "ompi_binary"}),
      reduce("in-order-binary", "a binary tree in which every rank stands between its sub-trees", kSegmentable,
             kKeepsOrder, in_order_binary, {}),
      reduce("binomial", "in each round half of the ranks that are left send to the other half", kSegmentable,
             kKeepsOrder, binomial, {.open_mpi = 5, .mpich = "binomial", .smpi = "binomial"}),
      reduce("knomial", "in each round all but one of every radix ranks that are left send to that one", kSegmentable,
             kKeepsOrder, knomial, {}, {{"radix", "ranks in each smallest sub-tree", 4, 2, 256}}),
      reduce("rabenseifner", "reduce-scatter by recursive halving, then binomial gather", !kSegmentable, kKeepsOrder,
             rabenseifner, {.open_mpi = 7, .mpich = "reduce_scatter_gather", .smpi = "scatter_gather"}, {kWholeFold}),
      reduce("reduce-scatter-gather", "rabenseifner, its longest messages between the farthest ranks", !kSegmentable,
             !kKeepsOrder, reduce_scatter_gather, {}),
  };
}

}  // namespace postage
