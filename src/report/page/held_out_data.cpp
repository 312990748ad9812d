#include "report/page/brief.hpp"
#include "report/page/page_data.hpp"

#include <postage/platform/held_out.hpp>
#include <postage/validate/error_statistics.hpp>

#include <algorithm>
#include <vector>

namespace postage {
namespace {

Json collective_data(const HeldOutCollective& one) {
  return {{"collective", one.collective}, {"algorithm", one.algorithm}, {"ranks", one.ranks},
          {"bytes", one.bytes},           {"segment", one.segment},     {"measured", brief(one.measured)}};
}

/// Relative errors on the collectives that did not choose the model, so that the chosen one has no advantage.
ErrorStatistics errors_of(const HeldOut& held_out, const HeldOutPredictions& predictions) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < held_out.collectives.size(); ++i) {
    const HeldOutCollective& one = held_out.collectives[i];
    if (!one.chooses && one.measured.value > 0) {
      errors.push_back(predictions.seconds[i] / one.measured.value - 1);
    }
  }
  return error_statistics(errors);
}

Json accuracy_data(const HeldOut& held_out) {
  std::vector<std::pair<std::string, ErrorStatistics>> models;
  for (const HeldOutPredictions& predictions : held_out.predictions) {
    if (predictions.evaluator == kUsualEvaluator) {
      models.emplace_back(predictions.model, errors_of(held_out, predictions));
    }
  }
  std::stable_sort(models.begin(), models.end(),
                   [](const auto& a, const auto& b) { return a.second.median < b.second.median; });
  Json list = Json::array();
  for (const auto& [model, errors] : models) {
    list.push_back({{"model", model},
                    {"points", errors.count},
                    {"median", brief(errors.median)},
                    {"p95", brief(errors.percentile95)},
                    {"worst", brief(errors.maximum)},
                    {"within", brief(errors.within_tenth)},
                    {"bias", brief(errors.bias)}});
  }
  return list;
}

}  // namespace

Json held_out_data(const Platform& platform) {
  const HeldOut& held_out = platform.held_out;
  if (held_out.empty()) {
    return {};
  }
  Json data{{"collectives", Json::array()}, {"predicted", Json::object()}, {"models", accuracy_data(held_out)}};
  for (const HeldOutCollective& one : held_out.collectives) {
    data["collectives"].push_back(collective_data(one));
  }
  for (const HeldOutPredictions& predictions : held_out.predictions) {
    if (predictions.evaluator == kUsualEvaluator) {
      Json& seconds = data["predicted"][predictions.model] = Json::array();
      for (const Seconds value : predictions.seconds) {
        seconds.push_back(brief(value));
      }
    }
  }
  return data;
}

}  // namespace postage
