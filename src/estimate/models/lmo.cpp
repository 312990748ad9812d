#include "estimate/lmo/collective_limits.hpp"
#include "estimate/lmo/lmo_times.hpp"

#include <postage/estimate/estimator.hpp>

#include <limits>
#include <optional>

namespace postage::model_estimators {
namespace {

/// A rate from what a byte takes.
Estimate inverse(const Estimate& e) {
  return {1 / e.value, 1 / e.upper, 1 / e.lower};
}

ParameterGroup link_group(const ParameterScope& scope, const LinkEstimate& link, bool with_latency) {
  ParameterGroup group{.scope = scope, .values = {{"beta", inverse(link.per_byte)}}};
  if (with_latency) {
    group.values["L"] = link.fixed;
  }
  return group;
}

/// Medians, for ranks that were not measured.
ProcessorEstimate any_processor(const ProcessorEstimates& processors) {
  std::vector<Estimate> fixed;
  std::vector<Estimate> per_byte;
  for (const auto& [rank, processor] : processors) {
    fixed.push_back(processor.fixed);
    per_byte.push_back(processor.per_byte);
  }
  return {median_estimate(fixed), median_estimate(per_byte)};
}

void add_channels(ParameterTable& table, const LmoTimes& times, const LmoEstimates& estimates, bool with_latency) {
  const ProcessorEstimate processor = any_processor(estimates.processors);
  for (const std::string& channel : times.campaign().channels) {
    std::vector<Estimate> fixed;
    std::vector<Estimate> per_byte;
    for (const PairData& pair : times.campaign().pairs) {
      const auto link = estimates.links.find({pair.first, pair.second});
      if (pair.channel == channel && link != estimates.links.end()) {
        fixed.push_back(link->second.fixed);
        per_byte.push_back(link->second.per_byte);
      }
    }
    if (!fixed.empty()) {
      ParameterGroup group =
          link_group({.channel = channel}, {median_estimate(fixed), median_estimate(per_byte)}, with_latency);
      group.values["C"] = processor.fixed;
      group.values["t"] = processor.per_byte;
      table.groups.push_back(std::move(group));
    }
  }
}

ParameterTable estimate_lmo(const CampaignData& campaign) {
  ParameterTable table{.model = "lmo", .groups = {}, .fit = {}};
  const LmoTimes times(campaign);
  const bool is_printed = campaign.settings.printed_equations;
  const std::optional<Estimate> limit = scatter_limit(campaign.samples);
  const std::vector<Bytes> sizes = times.sizes_up_to(limit ? limit->value : std::numeric_limits<double>::infinity());
  if (sizes.empty()) {
    return table;
  }
  const LmoEstimates estimates =
      is_printed ? estimate_lmo_as_printed(times, sizes) : estimate_lmo_physically(times, sizes);
  if (estimates.links.empty()) {
    return table;
  }
  add_channels(table, times, estimates, !is_printed);
  for (const auto& [rank, processor] : estimates.processors) {
    ParameterGroup& group = table.groups.emplace_back();
    group.scope.processor = rank;
    group.values = {{"C", processor.fixed}, {"t", processor.per_byte}};
  }
  for (const auto& [pair, link] : estimates.links) {
    ParameterScope scope;
    scope.first = pair.first;
    scope.second = pair.second;
    table.groups.push_back(link_group(scope, link, !is_printed));
  }
  add_collective_limits(table, campaign.samples, estimates, campaign.settings.printed_kappa);
  return table;
}

}  // namespace

Estimator lmo() {
  return {"lmo", estimate_lmo};
}

}  // namespace postage::model_estimators
