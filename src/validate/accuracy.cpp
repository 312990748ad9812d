#include <postage/base/json.hpp>
#include <postage/base/statistics.hpp>
#include <postage/validate/accuracy.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace postage {
namespace {

/// Regrets below this are ties: the simulated clock's own rounding.
constexpr double kNoRegret = 1e-6;

auto choice_of(const AccuracyPoint& p) {
  return std::tie(p.platform, p.placement, p.collective, p.ranks, p.root, p.bytes);
}

/// The regret of each case with a choice.
std::vector<double> regrets(std::span<const AccuracyPoint> points, const std::string& model) {
  std::map<std::tuple<std::string, std::string, std::string, std::int32_t, std::int32_t, Bytes>,
           std::vector<const AccuracyPoint*>>
      choices;
  for (const AccuracyPoint& point : points) {
    if (point.predicted.count(model) > 0) {
      choices[choice_of(point)].push_back(&point);
    }
  }
  std::vector<double> all;
  for (const auto& [key, list] : choices) {
    if (list.size() < 2) {
      continue;
    }
    const auto* pick = *std::min_element(list.begin(), list.end(), [&](const auto* a, const auto* b) {
      return a->predicted.at(model) < b->predicted.at(model);
    });
    const auto* best = *std::min_element(list.begin(), list.end(),
                                         [](const auto* a, const auto* b) { return a->measured < b->measured; });
    all.push_back(pick->measured / best->measured - 1);
  }
  return all;
}

}  // namespace

Accuracy accuracy_of(std::span<const AccuracyPoint> points, const std::string& model) {
  std::vector<double> errors;
  for (const AccuracyPoint& point : points) {
    if (point.predicted.count(model) > 0) {
      errors.push_back(point.error(model));
    }
  }
  Accuracy accuracy{.model = model, .errors = error_statistics(errors)};
  const std::vector<double> costs = regrets(points, model);
  accuracy.choices = costs.size();
  if (!costs.empty()) {
    accuracy.median_regret = median(costs);
    accuracy.percentile95_regret = quantile(costs, 0.95);
    accuracy.maximum_regret = *std::max_element(costs.begin(), costs.end());
    const auto best = std::count_if(costs.begin(), costs.end(), [](double cost) { return cost <= kNoRegret; });
    accuracy.picked_best = static_cast<double>(best) / static_cast<double>(costs.size());
  }
  return accuracy;
}

std::vector<std::string> models_of(std::span<const AccuracyPoint> points) {
  std::set<std::string> names;
  for (const AccuracyPoint& point : points) {
    for (const auto& [model, seconds] : point.predicted) {
      names.insert(model);
    }
  }
  return {names.begin(), names.end()};
}

Json to_json(const AccuracyPoint& p) {
  Json value{
      {"platform", p.platform}, {"placement", p.placement}, {"collective", p.collective}, {"algorithm", p.algorithm},
      {"P", p.ranks},           {"root", p.root},           {"bytes", p.bytes},           {"segment", p.segment},
      {"measured", p.measured}, {"scatter", p.scatter},     {"predicted", p.predicted}};
  for (const auto& [model, interval] : p.intervals) {
    value["intervals"][model] = {interval.lower, interval.upper};
  }
  if (p.noise) {
    value["noise"] = {
        {"lower", p.noise->interval.lower}, {"upper", p.noise->interval.upper}, {"repeated", p.noise->repeated}};
  }
  return value;
}

Json to_json(const Accuracy& a) {
  return {{"model", a.model},
          {"points", a.errors.count},
          {"median", a.errors.median},
          {"percentile95", a.errors.percentile95},
          {"maximum", a.errors.maximum},
          {"within_tenth", a.errors.within_tenth},
          {"bias", a.errors.bias},
          {"choices", a.choices},
          {"median_regret", a.median_regret},
          {"percentile95_regret", a.percentile95_regret},
          {"maximum_regret", a.maximum_regret},
          {"picked_best", a.picked_best}};
}

}  // namespace postage
