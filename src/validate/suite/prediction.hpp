#pragma once

#include "validate/suite/points.hpp"

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/predict/model_choice.hpp>
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

/// The platform's models, with the intervals that its held-out collectives give them.
[[nodiscard]] std::vector<PlatformModel> calibrated_models(const Platform& platform, const ChannelMap& map,
                                                           const ModelChoice& choice);

/// What a model predicts for a schedule, into `point`, with its interval where that ends; nothing where it lacks
/// parameters for a channel.
void add_prediction(const Schedule& schedule, const PlatformModel& model, AccuracyPoint& point);

/// Which platform's points they are, and how ranks stand on it.
struct PointsOrigin {
  std::string platform;
  std::string placement;
};

/// What every model of the platform predicts for collectives of ranks on that mapping, with its 95 % interval where it
/// has one; the platform's choice among them also as kDefaultModel. Measured times are the medians.
[[nodiscard]] std::vector<AccuracyPoint> predict_points(const PointsOrigin& origin,
                                                        const std::vector<BatchPoint>& asked, const Platform& platform,
                                                        const Mapping& mapping,
                                                        const std::vector<std::vector<double>>& times);

/// What every model of the platform predicts for the run's points. Measured times are the medians.
[[nodiscard]] std::vector<AccuracyPoint> predict_run(const SuiteRun& run, const Platform& platform,
                                                     const std::vector<std::vector<double>>& times);

}  // namespace postage
