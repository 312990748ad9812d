#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/butterflies.hpp"
#include "schedule/patterns/chains.hpp"
#include "schedule/patterns/vectors.hpp"

namespace postage {
namespace {

Schedule schedule_of(const ScheduleRequest& request, Stage stage) {
  Schedule schedule;
  schedule.layout = cut_vector(request, 1);
  schedule.stages.push_back(std::move(stage));
  return schedule;
}

Schedule linear(const ScheduleRequest& request) {
  return schedule_of(request,
                     pipeline_down(request.ranks, as_ranks(request.ranks), whole_vector(), Combine::kReduceLeft));
}

/// Partners exchange what their runs of ranks contribute; the upper one's result grows by it. A rank without a partner
/// goes on: what it lacks, only ranks above it would need, and there are none.
Schedule recursive_doubling(const ScheduleRequest& request) {
  Stage stage{.name = "exchange",
              .rounds = doubling_exchanges(request.ranks, as_ranks(request.ranks), whole_vector(), Exchange::kReduce)};
  return schedule_of(request, std::move(stage));
}

constexpr bool kSegmentable = true;

Algorithm prefix(Collective collective, std::string_view name, std::string_view summary, bool segmentable,
                 Schedule (*build)(const ScheduleRequest&), const Counterparts& counterparts) {
  return {.collective = collective,
          .name = name,
          .summary = summary,
          .segmentable = segmentable,
          .build = build,
          .keeps_order = true,
          .counterparts = counterparts};
}

}  // namespace

std::vector<Algorithm> scan_algorithms() {
  std::vector<Algorithm> all;
  for (const Collective collective : {Collective::kScan, Collective::kExscan}) {
    all.push_back(prefix(collective, "linear", "each rank combines what it gets and passes it to the next",
                         kSegmentable, linear, {.open_mpi = 1}));
    all.push_back(prefix(collective, "recursive-doubling",
                         "in round k every rank exchanges with the one whose number differs in bit k", !kSegmentable,
                         recursive_doubling, {.open_mpi = 2, .mpich = "recursive_doubling"}));
  }
  return all;
}

}  // namespace postage
