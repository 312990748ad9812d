#pragma once

#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <vector>

namespace postage {

/// One way to do a collective.
struct Candidate {
  const Algorithm* algorithm = nullptr;
  Bytes segment = 0;
  Prediction prediction{};
  Evaluator evaluator = Evaluator::kTimeline;
};

/// What is to be ranked: algorithms that cannot do the request's P are left out, and segments are tried where the
/// algorithm takes them and they cut the message.
struct ComparisonRequest {
  std::vector<const Algorithm*> algorithms;
  ScheduleRequest job;
  std::vector<Bytes> segments{0};
};

/// All candidates, fastest first; equal ones in the order of the list. Those that may escalate (Prediction) come after
/// all that cannot, whatever they take otherwise: they are not to be recommended. O(candidates) predictions, on several
/// cores at once. Throws UsageError where no algorithm can do the request.
[[nodiscard]] std::vector<Candidate> rank_candidates(const ComparisonRequest& request, const PlatformModel& platform);

}  // namespace postage
