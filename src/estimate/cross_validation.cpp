#include "estimate/cross_validation.hpp"

#include "estimate/data/pair_classes.hpp"

#include <postage/base/error.hpp>
#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace postage {
namespace {

TransferQuestion question_of(const MeasuredPoint& point, std::span<const std::string> channels) {
  const auto channel = std::find(channels.begin(), channels.end(), point.channel);
  return {.source = point.source,
          .target = point.target,
          .channel = static_cast<ChannelId>(channel - channels.begin()),
          .bytes = point.bytes};
}

/// Of the points that the model has parameters for and that are at one of these sizes.
template <typename IsWanted>
std::vector<double> relative_residuals(const Model& model, const Platform& platform, const IsWanted& is_wanted) {
  std::vector<double> residuals;
  for (const MeasuredPoint& point : platform.points) {
    if (!is_wanted(point.bytes)) {
      continue;
    }
    try {
      const Seconds time = cost(model, question_of(point, platform.channels)).total();
      residuals.push_back(std::abs(time / point.one_way.value - 1));
    } catch (const Error&) {
      continue;  // a channel or a rank that was not measured enough for this model
    }
  }
  return residuals;
}

/// The sizes of all points but the smallest and the largest.
std::set<Bytes> inner_sizes(const std::vector<MeasuredPoint>& points) {
  std::set<Bytes> sizes;
  for (const MeasuredPoint& point : points) {
    sizes.insert(point.bytes);
  }
  if (sizes.size() <= 2) {
    return {};
  }
  sizes.erase(sizes.begin());
  sizes.erase(std::prev(sizes.end()));
  return sizes;
}

/// Nothing where the samples that are left are too few for the model.
std::optional<Model> model_of(const ParameterTable& table, std::span<const std::string> channels) {
  try {
    return table.groups.empty() ? std::nullopt : std::optional(build_model(table, channels));
  } catch (const Error&) {
    return std::nullopt;
  }
}

double median_of(const std::vector<double>& values) {
  return values.empty() ? 0 : median(values);
}

double percentile95_of(const std::vector<double>& values) {
  return values.empty() ? 0 : quantile(values, 0.95);
}

double largest_of(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace

CrossValidation::CrossValidation(const CampaignData& campaign, const Platform& platform) : platform_(platform) {
  const auto folds = static_cast<std::size_t>(std::max(campaign.settings.folds, 0));
  if (folds < 2) {
    return;
  }
  std::vector<std::set<Bytes>> parts(folds);
  std::size_t next = 0;
  for (const Bytes bytes : inner_sizes(platform.points)) {
    parts[next++ % folds].insert(bytes);
  }
  for (const std::set<Bytes>& sizes : parts) {
    if (!sizes.empty()) {
      parts_.push_back(
          {sizes, std::make_unique<CampaignData>(campaign.samples, campaign.settings, sizes, campaign.structure)});
    }
  }
}

FitQuality CrossValidation::quality(const ParameterTable& table, const Estimator& estimator) const {
  const std::vector<double> residuals =
      relative_residuals(build_model(table, platform_.channels), platform_, [](Bytes) { return true; });
  std::vector<double> held_out;
  for (const Part& part : parts_) {
    ParameterTable rest = estimator.estimate(*part.rest);
    add_classes(*part.rest, rest);
    if (const std::optional<Model> model = model_of(rest, platform_.channels)) {
      const std::vector<double> more =
          relative_residuals(*model, platform_, [&](Bytes bytes) { return part.sizes.contains(bytes); });
      held_out.insert(held_out.end(), more.begin(), more.end());
    }
  }
  const auto [smallest, largest] = std::ranges::minmax(platform_.points, {}, &MeasuredPoint::bytes);
  return {.points = residuals.size(),
          .median_relative_residual = median_of(residuals),
          .largest_relative_residual = largest_of(residuals),
          .smallest = smallest.bytes,
          .largest = largest.bytes,
          .held_out_points = held_out.size(),
          .held_out_median_relative_residual = median_of(held_out),
          .held_out_largest_relative_residual = largest_of(held_out),
          .held_out_percentile95_relative_residual = percentile95_of(held_out)};
}

}  // namespace postage
