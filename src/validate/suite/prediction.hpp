#pragma once

#include "validate/suite/points.hpp"

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/schedule/schedule.hpp>
#include <postage/validate/accuracy.hpp>

#include <string>
#include <utility>
#include <vector>

namespace postage {

using NamedModels = std::vector<std::pair<std::string, Model>>;
[[nodiscard]] NamedModels models_of(const Platform& platform);

/// What each model predicts for a schedule, into `point`, by the evaluator that suits both.
void predict_point(const Schedule& schedule, const ChannelMap& map, const NamedModels& models, AccuracyPoint& point);

/// Which platform's points they are, and how ranks stand on it.
struct PointsOrigin {
  std::string platform;
  std::string placement;
};

/// What every model of the platform predicts for collectives of ranks on that mapping, and the interval of the most
/// accurate model. Measured times are the medians.
[[nodiscard]] std::vector<AccuracyPoint> predict_points(const PointsOrigin& origin,
                                                        const std::vector<BatchPoint>& asked, const Platform& platform,
                                                        const Mapping& mapping,
                                                        const std::vector<std::vector<double>>& times);

/// What every model of the platform predicts for the run's points. Measured times are the medians.
[[nodiscard]] std::vector<AccuracyPoint> predict_run(const SuiteRun& run, const Platform& platform,
                                                     const std::vector<std::vector<double>>& times);

}  // namespace postage
