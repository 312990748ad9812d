#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// How much to measure.
struct PlanScale {
  bool quick = false;
  bool is_virtual = false;  ///< simulated times repeat, and each message costs the simulator some real time
};

/// Names of what a model may need measured (ModelDescriptor::needs), beside roundtrips and the reduction kernel.
[[nodiscard]] std::vector<std::string_view> measurement_requirements();

/// Arguments of the measuring program: the experiments that estimating these models needs, each once. Throws Error
/// where a model needs something that is none of measurement_requirements(), UsageError where one does not exist.
[[nodiscard]] std::vector<std::string> experiments_for(const std::vector<std::string>& models, const PlanScale& scale);

}  // namespace postage
