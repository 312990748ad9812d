#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/butterflies.hpp"
#include "schedule/patterns/trees.hpp"
#include "schedule/patterns/vectors.hpp"

namespace postage {
namespace {

Schedule schedule_of(std::vector<Stage> stages) {
  Schedule schedule;
  schedule.stages = std::move(stages);
  return schedule;
}

Round one_round(const AffinePairs& pairs, Index ranks) {
  return {{{pairs, as_ranks(ranks), Token{}}}};
}

/// Ali et al. tell their one-to-all barrier with rank 0's messages first, after which only rank 0 would know that all
/// have arrived; in this order it costs the same.
Schedule linear(const ScheduleRequest& request) {
  const Index others = request.ranks - 1;
  const AffinePairs arrive{.count = others, .source_first = 1, .source_stride = 1};
  const AffinePairs leave{.count = others, .target_first = 1, .target_stride = 1};
  return schedule_of({{.name = "arrive", .rounds = {one_round(arrive, request.ranks)}},
                      {.name = "leave", .rounds = {one_round(leave, request.ranks)}}});
}

/// A token around the ring: first it collects that all have arrived, then it tells everyone.
Schedule double_ring(const ScheduleRequest& request) {
  const AffinePairs walk{.count = 1, .target_first = 1, .source_step = 1, .target_step = 1, .modulus = request.ranks};
  const Round round = one_round(walk, request.ranks);
  return schedule_of({{.name = "first time around", .iterations = request.ranks, .rounds = {round}},
                      {.name = "second time around", .iterations = request.ranks, .rounds = {round}}});
}

Schedule recursive_doubling(const ScheduleRequest& request) {
  const PowerOfTwoCore size = core_of(request.ranks);
  const Numbering numbering = as_ranks(request.ranks);
  Stage stage{.name = "exchange", .rounds = fold_upper(size, numbering, Token{}, Combine::kCopy)};
  append(stage.rounds, doubling_exchanges(size.core, numbering, Token{}, Exchange::kCopy));
  append(stage.rounds, unfold_upper(size, numbering, Token{}));
  return schedule_of({std::move(stage)});
}

/// D. Hensgen, R. Finkel, U. Manber, Two algorithms for barrier synchronization, IJPP 17(1), 1988.
Schedule dissemination(const ScheduleRequest& request) {
  Stage stage{.name = "dissemination"};
  for (Index distance = 1; distance < request.ranks; distance *= 2) {
    const AffinePairs shift{.count = request.ranks,
                            .source_stride = 1,
                            .target_first = distance,
                            .target_stride = 1,
                            .modulus = request.ranks};
    stage.rounds.push_back(one_round(shift, request.ranks));
  }
  return schedule_of({std::move(stage)});
}

Schedule tree(const ScheduleRequest& request) {
  const Tree levels = binomial_tree(request.ranks);
  const Numbering numbering = as_ranks(request.ranks);
  return schedule_of({{.name = "arrive", .rounds = upward(levels, numbering, Token{}, Combine::kCopy)},
                      {.name = "leave", .rounds = downward(levels, numbering, Token{})}});
}

Algorithm barrier(std::string_view name, std::string_view summary, Schedule (*build)(const ScheduleRequest&),
                  const Counterparts& counterparts, std::vector<std::string_view> also_called = {}) {
  return {.collective = Collective::kBarrier,
          .name = name,
          .summary = summary,
          .segmentable = false,
          .build = build,
          .counterparts = counterparts,
          .also_called = std::move(also_called)};
}

}  // namespace

std::vector<Algorithm> barrier_algorithms() {
  return {
      barrier("linear", "all signal rank 0, which then signals all", linear,
              {.open_mpi = 1, .smpi = "ompi_basic_linear"}, {"one-to-all"}),
      barrier("double-ring", "a token goes around the ring twice", double_ring,
              {.open_mpi = 2, .smpi = "ompi_doublering"}),
      barrier("recursive-doubling", "in round k every rank and the one whose number differs in bit k signal each other",
              recursive_doubling, {.open_mpi = 3, .smpi = "ompi_recursivedoubling"}),
      barrier("dissemination", "in round k every rank signals the one 2^k further on the ring", dissemination,
              {.open_mpi = 4, .mpich = "dissemination", .smpi = "ompi_bruck"}, {"bruck"}),
      barrier("tree", "a binomial tree collects signals at rank 0 and hands them back", tree,
              {.open_mpi = 6, .smpi = "ompi_tree"}, {"gather-bcast"}),
  };
}

}  // namespace postage
