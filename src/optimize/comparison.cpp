#include <postage/base/error.hpp>
#include <postage/optimize/comparison.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// What one algorithm takes is no mistake of the others.
ParameterValues own_parameters(const Algorithm& algorithm, const ParameterValues& given) {
  ParameterValues own;
  for (const AlgorithmParameter& parameter : algorithm.parameters) {
    if (const auto found = given.find(parameter.name); found != given.end()) {
      own.insert(*found);
    }
  }
  return own;
}

}  // namespace

std::vector<Candidate> rank_candidates(const ComparisonRequest& request, const PlatformModel& platform) {
  std::vector<Candidate> candidates;
  for (const Algorithm* algorithm : request.algorithms) {
    if (!can_do(*algorithm, request.job.ranks)) {
      continue;
    }
    ScheduleRequest job = request.job;
    job.parameters = own_parameters(*algorithm, request.job.parameters);
    for (const Bytes segment : request.segments) {
      if (segment != 0 && (!algorithm->segmentable || segment >= job.bytes)) {
        continue;
      }
      job.segment_bytes = segment;
      const Schedule schedule = build_schedule(*algorithm, job);
      const Prediction prediction = predict(schedule, platform);
      candidates.push_back({algorithm, segment, prediction, prediction.evaluator});
    }
  }
  if (candidates.empty()) {
    throw UsageError(fmt::format("no algorithm is left to compare for P = {}", request.job.ranks));
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    const bool a_may = a.prediction.may_escalate();
    const bool b_may = b.prediction.may_escalate();
    return a_may != b_may ? b_may : a.prediction.seconds < b.prediction.seconds;
  });
  return candidates;
}

}  // namespace postage
