#include <postage/base/error.hpp>
#include <postage/optimize/advice.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

constexpr double kWorthwhile = 0.99;

std::string with_segment(const Candidate& candidate) {
  return candidate.segment > 0 ? fmt::format(" in segments of {}", format_bytes(candidate.segment)) : " unsegmented";
}

/// The fastest that passes a test; nullptr where none does. Candidates are sorted.
template <typename Test>
const Candidate* first_that(const std::vector<Candidate>& candidates, const Test& test) {
  const auto found = std::find_if(candidates.begin(), candidates.end(), test);
  return found == candidates.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Advice> advise(const ComparisonRequest& request, const Candidate& now, const PlatformModel& platform,
                           const std::vector<OtherMapping>& mappings) {
  std::vector<Advice> advice;
  const Seconds most = now.prediction.may_escalate() ? now.prediction.upper : now.prediction.seconds;
  const auto suggest = [&](const std::string& change, const Prediction& prediction) {
    if (!prediction.may_escalate() && prediction.seconds < kWorthwhile * most) {
      advice.push_back({change, prediction.seconds});
    }
  };
  const std::vector<Candidate> candidates = rank_candidates(request, platform);
  if (const Candidate* other =
          first_that(candidates, [&](const Candidate& c) { return c.algorithm == now.algorithm; })) {
    suggest("the same" + with_segment(*other), other->prediction);
  }
  if (const Candidate* other =
          first_that(candidates, [&](const Candidate& c) { return c.algorithm != now.algorithm; })) {
    suggest(fmt::format("algorithm {}{}", other->algorithm->name, other->segment > 0 ? with_segment(*other) : ""),
            other->prediction);
  }
  for (const OtherMapping& mapping : mappings) {
    ComparisonRequest same = request;
    same.algorithms = {now.algorithm};
    same.segments = {now.segment};
    suggest("mapping " + mapping.name,
            rank_candidates(same, platform.with_channels(mapping.channels)).front().prediction);
  }
  std::stable_sort(advice.begin(), advice.end(),
                   [](const Advice& a, const Advice& b) { return a.seconds < b.seconds; });
  return advice;
}

}  // namespace postage
