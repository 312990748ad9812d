#pragma once

#include <postage/optimize/comparison.hpp>

#include <string>
#include <vector>

namespace postage {

/// A change that makes a collective faster, by prediction.
struct Advice {
  std::string change;  ///< "algorithm pipeline in segments of 16K", "mapping cyclic", ...
  Seconds seconds = 0;
};

/// A mapping to try instead of the job's, by its name.
struct OtherMapping {
  std::string name;
  ChannelMap channels;
};

/// What would help most of each kind: another segment for this algorithm, another algorithm, another mapping for this
/// algorithm. Only what cannot escalate and is predicted to be at least a hundredth faster than `now`, or than the most
/// that `now` may take where it may escalate; the best first. O(candidates) predictions.
[[nodiscard]] std::vector<Advice> advise(const ComparisonRequest& request, const Candidate& now,
                                         const PlatformModel& platform, const std::vector<OtherMapping>& mappings);

}  // namespace postage
