#include "validate/suite/prediction.hpp"

#include <postage/base/error.hpp>
#include <postage/base/statistics.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/predict/prediction.hpp>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

AccuracyPoint point_of(const PointsOrigin& origin, const BatchPoint& asked, const std::vector<double>& times) {
  const auto [shortest, longest] = std::minmax_element(times.begin(), times.end());
  return {.platform = origin.platform,
          .placement = origin.placement,
          .collective = std::string(name_of(asked.run.collective)),
          .algorithm = asked.run.algorithm,
          .ranks = asked.ranks,
          .root = asked.run.root,
          .bytes = asked.run.bytes,
          .segment = asked.run.segment_bytes,
          .measured = median(times),
          .scatter = (*longest - *shortest) / median(times)};
}

}  // namespace

NamedModels models_of(const Platform& platform) {
  NamedModels models;
  for (const ParameterTable& table : platform.models) {
    models.emplace_back(table.model, build_model(table, platform.channels));
  }
  return models;
}

std::vector<PlatformModel> calibrated_models(const Platform& platform, const ChannelMap& map,
                                             const ModelChoice& choice) {
  std::vector<PlatformModel> models;
  for (const ParameterTable& table : platform.models) {
    models.push_back(PlatformModel(table, platform.channels, map)
                         .with_calibrations(calibrations_of(platform.held_out, table.model, choice)));
  }
  return models;
}

void add_prediction(const Schedule& schedule, const PlatformModel& model, AccuracyPoint& point) try {
  const Prediction prediction = predict(schedule, model, std::nullopt, Effort::kThorough);
  point.predicted[model.name()] = prediction.seconds;
  if (std::isfinite(prediction.upper)) {
    point.intervals[model.name()] = {prediction.lower, prediction.upper};
  }
} catch (const Error&) {
  return;  // the samples gave it no parameters for a channel
}

void predict_point(const Schedule& schedule, const ChannelMap& map, const NamedModels& models, AccuracyPoint& point) {
  for (const auto& [name, model] : models) {
    point.predicted[name] = evaluate(schedule, map, model, Effort::kThorough);
  }
}

std::vector<AccuracyPoint> predict_points(const PointsOrigin& origin, const std::vector<BatchPoint>& asked,
                                          const Platform& platform, const Mapping& mapping,
                                          const std::vector<std::vector<double>>& times) {
  const ChannelMap map(platform, mapping);
  const ModelChoice choice = choose_model(platform.models, platform.held_out);
  const std::string& chosen = choice.table->model;
  const std::vector<PlatformModel> models = calibrated_models(platform, map, choice);
  std::vector<AccuracyPoint> points;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const CollectiveRun& run = asked[i].run;
    AccuracyPoint point = point_of(origin, asked[i], times[i]);
    const Schedule schedule = schedule_of(run, asked[i].ranks);
    for (const PlatformModel& model : models) {
      add_prediction(schedule, model, point);
    }
    point.predicted[kDefaultModel] = point.predicted.at(chosen);
    if (const auto interval = point.intervals.find(chosen); interval != point.intervals.end()) {
      point.intervals[kDefaultModel] = interval->second;
    }
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<AccuracyPoint> predict_run(const SuiteRun& run, const Platform& platform,
                                       const std::vector<std::vector<double>>& times) {
  const ChannelMap map(platform, run.placement == Placement::kBlock ? Mapping::block(run.nodes, run.per_node)
                                                                    : Mapping::cyclic(run.nodes, run.per_node));
  const NamedModels models = models_of(platform);
  const PointsOrigin origin{run.platform, std::string(name_of(run.placement))};
  std::vector<AccuracyPoint> points;
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    AccuracyPoint point = point_of(origin, run.points[i], times[i]);
    predict_point(schedule_of(run.points[i].run, run.points[i].ranks), map, models, point);
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace postage
