#include "estimate/fit_judge.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

TransferQuestion question_of(const MeasuredPoint& point, std::span<const std::string> channels) {
  const auto channel = std::find(channels.begin(), channels.end(), point.channel);
  return {.source = point.source,
          .target = point.target,
          .channel = static_cast<ChannelId>(channel - channels.begin()),
          .bytes = point.bytes};
}

double relative_residual(const Model& model, const MeasuredPoint& point, std::span<const std::string> channels) {
  return std::abs(cost(model, question_of(point, channels)).total() / point.one_way.value - 1);
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

double largest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

}  // namespace

FitJudge::FitJudge(const CampaignData& campaign, const Platform& platform) : platform_(platform) {
  const auto folds = static_cast<std::size_t>(std::max(campaign.settings.folds, 0));
  if (folds < 2) {
    return;
  }
  std::vector<std::set<Bytes>> parts(folds);
  std::size_t place = 0;
  for (const Bytes bytes : inner_sizes(platform.points)) {
    parts[place++ % folds].insert(bytes);
  }
  for (const std::set<Bytes>& sizes : parts) {
    if (!sizes.empty()) {
      parts_.push_back({sizes, std::make_unique<CampaignData>(campaign.samples, campaign.settings, sizes)});
    }
  }
}

FitQuality FitJudge::quality(const ParameterTable& table, ParameterTable (*estimate)(const CampaignData&)) const {
  const std::vector<MeasuredPoint>& points = platform_.points;
  const std::vector<std::string>& channels = platform_.channels;
  const Model model = build_model(table, channels);
  FitQuality fit{.points = points.size(), .smallest = points.front().bytes, .largest = points.front().bytes};
  std::vector<double> residuals;
  for (const MeasuredPoint& point : points) {
    residuals.push_back(relative_residual(model, point, channels));
    fit.smallest = std::min(fit.smallest, point.bytes);
    fit.largest = std::max(fit.largest, point.bytes);
  }
  fit.median_relative_residual = median(residuals);
  fit.largest_relative_residual = largest(residuals);

  std::vector<double> held_out;
  for (const Part& part : parts_) {
    const ParameterTable rest = estimate(*part.rest);
    if (rest.groups.empty()) {
      continue;
    }
    const Model without = build_model(rest, channels);
    for (const MeasuredPoint& point : points) {
      if (part.sizes.contains(point.bytes)) {
        held_out.push_back(relative_residual(without, point, channels));
      }
    }
  }
  fit.held_out_points = held_out.size();
  if (!held_out.empty()) {
    fit.held_out_median_relative_residual = median(held_out);
    fit.held_out_largest_relative_residual = largest(held_out);
  }
  return fit;
}

}  // namespace postage
