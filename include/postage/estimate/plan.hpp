#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// How much to measure.
struct PlanScale {
  bool quick = false;
  bool is_virtual = false;  ///< simulated times repeat, and each message costs the simulator some real time
};

/// Names of models from "all", or "hockney,loggp". Throws UsageError listing the valid ones.
[[nodiscard]] std::vector<std::string> parse_models(std::string_view text);

/// Arguments of the measuring program: the experiments that estimating these models needs, each once.
[[nodiscard]] std::vector<std::string> experiments_for(const std::vector<std::string>& models, const PlanScale& scale);

}  // namespace postage
