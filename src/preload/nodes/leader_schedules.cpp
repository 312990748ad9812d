#include "preload/nodes/leader_schedules.hpp"

#include "preload/files/decisions_file.hpp"

#include <postage/base/error.hpp>

namespace postage::preload {
namespace {

/// Which schedule to run.
struct LeaderChoice {
  const Algorithm* algorithm = nullptr;
  Bytes segment = 0;
  ParameterValues parameters{};
};

/// Leaders carry out an exscan in a scan, too, whose algorithms are the same.
LeaderChoice said(Collective collective, Bytes bytes, std::int32_t ranks, std::int32_t nodes) {
  const DecisionTable* const table = decision_table();
  if (collective == Collective::kExscan && table != nullptr && table->rules_of(collective).empty()) {
    const LeaderChoice scan = said(Collective::kScan, bytes, ranks, nodes);
    return scan.algorithm != nullptr
               ? LeaderChoice{&find_algorithm(collective, scan.algorithm->name), scan.segment, scan.parameters}
               : scan;
  }
  for (const std::int32_t among : {nodes, ranks}) {
    const DecisionRule* const rule = table != nullptr ? table->lookup(collective, among, nodes, bytes) : nullptr;
    if (rule != nullptr && !rule->choice.algorithm.empty() && rule->choice.algorithm != kDirectAlgorithm) {
      return {&find_algorithm(collective, rule->choice.algorithm), rule->choice.segment, rule->choice.parameters};
    }
  }
  return {};
}

}  // namespace

const Algorithm& usual_algorithm(Collective collective, Rank ranks, bool commutative) {
  for (const char* name : {"binomial", "recursive-doubling", "dissemination", "ring", "pairwise"}) {
    for (const Algorithm& algorithm : algorithms_of(collective)) {
      if (algorithm.name == name && can_do(algorithm, ranks) && (commutative || algorithm.keeps_order)) {
        return algorithm;
      }
    }
  }
  for (const Algorithm& algorithm : algorithms_of(collective)) {
    if (can_do(algorithm, ranks) && (commutative || algorithm.keeps_order)) {
      return algorithm;
    }
  }
  throw Error("no schedule does this collective");
}

ScheduleRunner::Build leader_schedules(std::int32_t ranks, std::int32_t nodes) {
  return [ranks, nodes](const ScheduleTask& task, Rank leaders) {
    const bool in_order = is_reduction(task.collective) && !task.operation.commutative;
    LeaderChoice choice = said(task.collective, task.bytes, ranks, nodes);
    if (choice.algorithm == nullptr || !can_do(*choice.algorithm, leaders) ||
        (in_order && !choice.algorithm->keeps_order)) {
      choice = {.algorithm = &usual_algorithm(task.collective, leaders, !in_order)};
    }
    return build_schedule(*choice.algorithm, {.ranks = leaders,
                                              .root = task.root,
                                              .bytes = task.block_bytes.empty() ? task.bytes : 0,
                                              .element_bytes = task.operation.element_bytes,
                                              .segment_bytes = choice.segment,
                                              .commutative = task.operation.commutative,
                                              .parameters = choice.parameters,
                                              .block_bytes = task.block_bytes});
  };
}

}  // namespace postage::preload
