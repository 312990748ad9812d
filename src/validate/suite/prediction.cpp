#include "validate/suite/prediction.hpp"

#include <postage/base/statistics.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/predict/prediction.hpp>

#include <algorithm>

namespace postage {

NamedModels models_of(const Platform& platform) {
  NamedModels models;
  for (const ParameterTable& table : platform.models) {
    models.emplace_back(table.model, build_model(table, platform.channels));
  }
  return models;
}

void predict_point(const Schedule& schedule, const ChannelMap& map, const NamedModels& models, AccuracyPoint& point) {
  for (const auto& [name, model] : models) {
    point.predicted[name] = evaluate(choose_evaluator(schedule, map, model, Effort::kThorough), schedule, map, model);
  }
}

std::vector<AccuracyPoint> predict_run(const SuiteRun& run, const Platform& platform,
                                       const std::vector<std::vector<double>>& times) {
  const ChannelMap map(platform, run.placement == Placement::kBlock ? Mapping::block(run.nodes, run.per_node)
                                                                    : Mapping::cyclic(run.nodes, run.per_node));
  const NamedModels models = models_of(platform);
  std::vector<AccuracyPoint> points;
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const BatchPoint& asked = run.points[i];
    AccuracyPoint point{.platform = run.platform,
                        .placement = std::string(name_of(run.placement)),
                        .collective = std::string(name_of(asked.run.collective)),
                        .algorithm = asked.run.algorithm,
                        .ranks = asked.ranks,
                        .root = asked.run.root,
                        .bytes = asked.run.bytes,
                        .segment = asked.run.segment_bytes,
                        .measured = median(times[i]),
                        .scatter = (*std::max_element(times[i].begin(), times[i].end()) -
                                    *std::min_element(times[i].begin(), times[i].end())) /
                                   median(times[i])};
    predict_point(schedule_of(asked.run, asked.ranks), map, models, point);
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace postage
