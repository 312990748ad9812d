#include "estimate/campaign_data.hpp"

#include <postage/base/error.hpp>
#include <postage/base/statistics.hpp>
#include <postage/model/model.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace postage {
namespace {

struct Estimator {
  const char* model;
  ParameterTable (*estimate)(const CampaignData&);
};

constexpr std::array kEstimators{
    Estimator{"hockney", estimate_hockney},
    Estimator{"loggp", estimate_loggp},
    Estimator{"plogp-cell", estimate_cell_plogp},
    Estimator{"lognp", estimate_log_np},
    Estimator{"log3p", estimate_log_3p},
    Estimator{"mlognp", estimate_mlog_np},
    Estimator{"2log23p", estimate_two_log},
    Estimator{"taulop", estimate_tau_lop},
};

TransferQuestion question_of(const MeasuredPoint& point, std::span<const std::string> channels) {
  const auto channel = std::find(channels.begin(), channels.end(), point.channel);
  return {.source = point.source,
          .target = point.target,
          .channel = static_cast<ChannelId>(channel - channels.begin()),
          .bytes = point.bytes};
}

FitQuality quality_of(const ParameterTable& table, const Platform& platform) {
  const Model model = build_model(table, platform.channels);
  const std::vector<MeasuredPoint>& points = platform.points;
  std::vector<double> errors;
  FitQuality fit{.points = points.size(), .smallest = points.front().bytes, .largest = points.front().bytes};
  for (const MeasuredPoint& point : points) {
    const Seconds time = cost(model, question_of(point, platform.channels)).total();
    errors.push_back(std::abs(time / point.one_way.value - 1));
    fit.smallest = std::min(fit.smallest, point.bytes);
    fit.largest = std::max(fit.largest, point.bytes);
  }
  fit.median_relative_residual = median(errors);
  fit.largest_relative_residual = *std::max_element(errors.begin(), errors.end());
  return fit;
}

}  // namespace

std::vector<std::string> estimated_models() {
  std::vector<std::string> names;
  for (const Estimator& estimator : kEstimators) {
    names.emplace_back(estimator.model);
  }
  return names;
}

Platform estimate_platform(const SampleSet& samples, const std::string& name) {
  const CampaignData campaign(samples);
  if (campaign.pairs.empty()) {
    throw Error("there are no roundtrips among the samples to estimate parameters from");
  }
  Platform platform{.name = name,
                    .implementation = samples.implementation,
                    .created = samples.created,
                    .is_virtual = samples.is_virtual,
                    .channels = campaign.channels,
                    .nodes = samples.nodes,
                    .ranks = samples.ranks,
                    .channel_thresholds = samples.channel_thresholds};
  for (const PairData& pair : campaign.pairs) {
    for (const auto& [bytes, point] : pair.curve) {
      platform.points.push_back(point);
    }
  }
  for (const Estimator& estimator : kEstimators) {
    ParameterTable table = estimator.estimate(campaign);
    if (!table.groups.empty()) {
      table.fit = quality_of(table, platform);
      platform.models.push_back(std::move(table));
    }
  }
  return platform;
}

}  // namespace postage
