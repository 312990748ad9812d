#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <functional>
#include <string>

namespace postage {

/// How a model's parameters are found: one source in src/estimate/models/, which the build registers, or registered at
/// run time (register_estimator).
struct Estimator {
  std::string model;  ///< of models()
  /// The table, without fit; without groups where the samples do not hold what the model needs.
  std::function<ParameterTable(const CampaignData&)> estimate;
};

/// Adds an estimator to those of src/estimate/models/. Call it before other threads use the library. Throws UsageError
/// where no model has the name, or it has an estimator already.
void register_estimator(Estimator estimator);

}  // namespace postage
