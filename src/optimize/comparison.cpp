#include <postage/base/at_once.hpp>
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

std::vector<Candidate> candidates_of(const ComparisonRequest& request) {
  std::vector<Candidate> candidates;
  for (const Algorithm* algorithm : request.algorithms) {
    if (!can_do(*algorithm, request.job.ranks)) {
      continue;
    }
    for (const Bytes segment : request.segments) {
      if (segment == 0 || (algorithm->segmentable && segment < request.job.bytes)) {
        candidates.push_back({.algorithm = algorithm, .segment = segment});
      }
    }
  }
  return candidates;
}

void predict_candidate(Candidate& candidate, const ComparisonRequest& request, const PlatformModel& platform) {
  ScheduleRequest job = request.job;
  job.parameters = own_parameters(*candidate.algorithm, request.job.parameters);
  job.segment_bytes = candidate.segment;
  candidate.prediction = predict(build_schedule(*candidate.algorithm, job), platform);
  candidate.evaluator = candidate.prediction.evaluator;
}

}  // namespace

std::vector<Candidate> rank_candidates(const ComparisonRequest& request, const PlatformModel& platform) {
  std::vector<Candidate> candidates = candidates_of(request);
  if (candidates.empty()) {
    throw UsageError(fmt::format("no algorithm is left to compare for P = {}", request.job.ranks));
  }
  run_at_once(candidates.size(), [&](std::size_t i) { predict_candidate(candidates[i], request, platform); });
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    const bool a_may = a.prediction.may_escalate();
    const bool b_may = b.prediction.may_escalate();
    return a_may != b_may ? b_may : a.prediction.seconds < b.prediction.seconds;
  });
  return candidates;
}

}  // namespace postage
