#include "estimate/lmo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace postage {

LmoTimes::LmoTimes(const CampaignData& campaign) : campaign_(campaign) {
  for (const PairData& pair : campaign.pairs) {
    pairs_[{pair.first, pair.second}] = &pair;
  }
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kOneToTwo && roundtrip(e.source, e.target, e.bytes) != nullptr &&
        roundtrip(e.source, e.second_target, e.bytes) != nullptr) {
      by_source_[e.source].push_back({e.source, e.target, e.second_target, e.bytes, estimate_of(m)});
    }
  }
}

const Estimate* LmoTimes::roundtrip(int a, int b, Bytes bytes) const {
  const auto pair = pairs_.find(std::minmax(a, b));
  if (pair == pairs_.end()) {
    return nullptr;
  }
  const auto time = pair->second->trains.find({bytes, 1});
  return time == pair->second->trains.end() ? nullptr : &time->second;
}

std::vector<LmoTimes::OneToTwo> LmoTimes::from(int source) const {
  // What the first send keeps the source depends on the channel that it goes over.
  std::map<std::ptrdiff_t, std::vector<OneToTwo>> by_channel;
  for (const OneToTwo& one : by_source_.at(source)) {
    const std::string& channel = pairs_.at(std::minmax(source, one.first))->channel;
    by_channel[std::ranges::find(campaign_.channels, channel) - campaign_.channels.begin()].push_back(one);
  }
  return by_channel.rbegin()->second;
}

std::vector<int> LmoTimes::sources() const {
  std::vector<int> ranks;
  for (const auto& [rank, experiments] : by_source_) {
    ranks.push_back(rank);
  }
  return ranks;
}

std::vector<Bytes> LmoTimes::sizes_up_to(double most) const {
  std::set<Bytes> all;
  for (const auto& [rank, experiments] : by_source_) {
    for (const OneToTwo& one : experiments) {
      if (one.bytes > 0) {
        all.insert(one.bytes);
      }
    }
  }
  std::vector<Bytes> sizes;
  for (const Bytes bytes : all) {
    if (sizes.empty() || static_cast<double>(bytes) <= most) {
      sizes.push_back(bytes);
    }
  }
  return sizes;
}

Estimate no_less_than(double least, const Estimate& e) {
  return {std::max(e.value, least), std::max(e.lower, least), std::max(e.upper, least)};
}

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

}  // namespace

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
  add_lmo_thresholds(table, campaign.samples, estimates);
  return table;
}

}  // namespace postage
