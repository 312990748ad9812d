#pragma once

#include <postage/validate/attribution.hpp>

#include <functional>
#include <string>
#include <vector>

namespace postage {

/// What may explain errors: a quantity that each collective has more or less of.
struct CauseCandidate {
  CauseKind kind = CauseKind::kParameter;
  std::string term;
  std::string unit{};                ///< of kMissing: "byte", "step"
  std::vector<double> quantities{};  ///< [collective]; seconds for parameters and stages
  /// Of parameters: what the model predicts with the parameter so many times as large.
  std::function<std::vector<Seconds>(double)> predict{};
};

/// Predictions of all collectives with another table of the same model.
using PredictAll = std::function<std::vector<Seconds>(const PlatformModel&)>;

/// One for each parameter of the model that the predictions depend on, over all that it is given for.
[[nodiscard]] std::vector<CauseCandidate> parameter_candidates(const std::vector<TimedCollective>& collectives,
                                                               const PlatformModel& model,
                                                               const PredictAll& predict_all);

/// One for each stage that the schedules have, where there are several.
[[nodiscard]] std::vector<CauseCandidate> stage_candidates(const std::vector<TimedCollective>& collectives,
                                                           const std::function<Seconds(const Schedule&)>& predict_one);

/// Times for things that schedules have and the model may charge too little for.
[[nodiscard]] std::vector<CauseCandidate> missing_candidates(const std::vector<TimedCollective>& collectives,
                                                             const ChannelMap& map);

}  // namespace postage
