#pragma once

#include <postage/predict/prediction.hpp>

#include <string>
#include <vector>

namespace postage {

/// What a schedule would take if one resource of the platform were twice as good.
struct ResourceGain {
  std::string change;  ///< "inter-node.bandwidth=x2", as --what-if takes it
  Prediction prediction;
};

/// Each resource that the model knows (resources_of), by itself; those that make the schedule at least a hundredth
/// faster, the best first. Predictions by the evaluator that `now` was predicted by. O(resources) predictions.
[[nodiscard]] std::vector<ResourceGain> resource_gains(const Schedule& schedule, const PlatformModel& model,
                                                       const Platform& platform, const Prediction& now);

}  // namespace postage
