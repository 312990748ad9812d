#include "schedule/families.hpp"

namespace postage {
namespace {

/// D. Hensgen, R. Finkel, U. Manber, Two algorithms for barrier synchronization, IJPP 17(1), 1988.
Schedule dissemination(const ScheduleRequest& request) {
  const Index ranks = request.ranks;
  Schedule schedule;
  Stage stage{.name = "dissemination"};
  for (Index distance = 1; distance < ranks; distance *= 2) {
    const AffinePairs shift{
        .count = ranks, .source_stride = 1, .target_first = distance, .target_stride = 1, .modulus = ranks};
    stage.rounds.push_back({{Pattern{shift, LinearNumbering{0, 1, ranks}, Token{}}}});
  }
  schedule.stages.push_back(std::move(stage));
  return schedule;
}

}  // namespace

std::vector<Algorithm> barrier_algorithms() {
  return {{Collective::kBarrier, "dissemination",
           "in round k every rank signals the one 2^k further on the ring; also called Bruck's", false, dissemination}};
}

}  // namespace postage
