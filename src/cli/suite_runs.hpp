#pragma once

#include "cli/suite_points.hpp"

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/validate/accuracy.hpp>

namespace postage {

/// Files for smpirun with the run's ranks in their places.
[[nodiscard]] VirtualClusterFiles files_of(const SuiteRun& run, const std::filesystem::path& folder);

/// Messages between two and groups of ranks, measured on a simulated machine of the run's kind, and every model that
/// can be estimated from them. No collective is among them. Again at more sizes where a protocol changes between two.
[[nodiscard]] Platform calibrate(const SuiteRun& run);

/// How long it takes to simulate a run, beside others; of no unit.
[[nodiscard]] double simulation_cost(const SuiteRun& run);

/// Times of the run's points, in their order, by our executor: two of each, more where these differ or messages
/// scatter.
[[nodiscard]] std::vector<std::vector<double>> simulate(const SuiteRun& run);

/// Times of the points by SMPI's own implementation `algorithm` of their collective.
[[nodiscard]] std::vector<std::vector<double>> simulate_library(const SuiteRun& run, const std::string& collective,
                                                                const std::string& algorithm);

using NamedModels = std::vector<std::pair<std::string, Model>>;
[[nodiscard]] NamedModels models_of(const Platform& platform);

/// What each model predicts for a schedule, into `point`, by the evaluator that suits both.
void predict_point(const Schedule& schedule, const ChannelMap& map, const NamedModels& models, AccuracyPoint& point);

/// What every model of the platform predicts for the run's points. Measured times are the medians.
[[nodiscard]] std::vector<AccuracyPoint> predict_run(const SuiteRun& run, const Platform& platform,
                                                     const std::vector<std::vector<double>>& times);

}  // namespace postage
