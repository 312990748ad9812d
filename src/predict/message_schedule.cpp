#include <postage/base/error.hpp>
#include <postage/predict/message_schedule.hpp>
#include <postage/schedule/algorithms.hpp>

#include <algorithm>

namespace postage {

Schedule message_schedule(Rank source, Rank target, Bytes bytes) {
  if (source == target || source < 0 || target < 0) {
    throw UsageError("--src and --dst must be two different ranks of at least 0");
  }
  Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, "linear"), {.ranks = 2, .bytes = bytes});
  schedule.algorithm = "message";
  schedule.ranks = std::max(source, target) + 1;
  const LinearNumbering ends{source, target - source, schedule.ranks};
  for (Stage& stage : schedule.stages) {
    for (Round& round : stage.rounds) {
      for (Pattern& pattern : round.patterns) {
        pattern.numbering = ends;
      }
    }
  }
  return schedule;
}

}  // namespace postage
