#include "estimate/data/curves.hpp"

#include <postage/estimate/estimator.hpp>

#include <algorithm>

namespace postage::model_estimators {
namespace {

/// What each message of a fan beyond the first adds, from a fan's time: (T - L(m))/(n - 1) for n messages.
Estimate addition(const Estimate& fan, const Estimate& latency, std::size_t messages) {
  return scaled(minus_at_worst(fan, latency), 1 / static_cast<double>(messages - 1));
}

/// g(m) from the largest fans. One that all others get from a root is timed as the mean over them: where they share the
/// root fairly all end with the last, and the mean's addition is g; where they are served in order, the mean is half
/// of it, and g is twice that. One in which all send to a root ends with its last message: it says where g is between.
TimesBySize gaps_of_fans(const CampaignData& campaign, const std::string& channel, const ParameterCurve& latency) {
  const GroupTimes out = group_times(campaign.samples, ExperimentKind::kOutcast, channel);
  const GroupTimes in = group_times(campaign.samples, ExperimentKind::kIncast, channel);
  TimesBySize gaps;
  if (out.empty() || out.rbegin()->first < 3) {
    return gaps;
  }
  const auto& [members, times] = *out.rbegin();
  for (const auto& [bytes, time] : times) {
    const Estimate fair = addition(time, value_at(latency, bytes), members - 1);
    gaps[bytes] = fair;
    const auto same = in.find(members);
    if (same != in.end() && same->second.contains(bytes)) {
      const Estimate last = addition(same->second.at(bytes), value_at(latency, bytes), members - 1);
      gaps[bytes] = {std::clamp(last.value, fair.value, std::max(fair.value, 2 * fair.value)),
                     std::clamp(last.lower, fair.lower, std::max(fair.lower, 2 * fair.lower)),
                     std::clamp(last.upper, fair.upper, std::max(fair.upper, 2 * fair.upper))};
    }
  }
  return gaps;
}

/// From fans; where a channel joins but two ranks, from trains between them.
ParameterCurve gap_curve(const CampaignData& campaign, const ScopeData& channel, const ParameterCurve& latency) {
  TimesBySize gaps = gaps_of_fans(campaign, channel.scope.channel, latency);
  if (gaps.empty()) {
    gaps = train_intervals(channel);
  }
  ParameterCurve curve;
  for (const auto& [bytes, gap] : gaps) {
    if (has_interval(gap)) {
      curve.push_back({bytes, at_least_zero(gap)});
    }
  }
  return curve;
}

/// C(m, n): how much longer a butterfly of n messages takes than one of two.
ParameterSurface measured_contention(const CampaignData& campaign, const std::string& channel) {
  const GroupTimes times = group_times(campaign.samples, ExperimentKind::kButterfly, channel);
  const auto alone = times.find(2);
  ParameterSurface surface;
  if (alone == times.end()) {
    return surface;
  }
  for (const auto& [messages, row] : times) {
    ParameterCurve curve;
    for (const auto& [bytes, time] : row) {
      const auto base = alone->second.find(bytes);
      if (base != alone->second.end()) {
        curve.push_back(
            {bytes, messages == 2 ? Estimate::exactly(0) : at_least_zero(minus_at_worst(time, base->second))});
      }
    }
    if (!curve.empty()) {
      surface.push_back({static_cast<double>(messages), curve});
    }
  }
  return surface;
}

/// g_Ack(1): what each further message of an incast of the smallest ones adds.
std::map<std::string, Estimate> gap_of_acks(const CampaignData& campaign, const std::string& channel,
                                            const ParameterCurve& latency) {
  const GroupTimes in = group_times(campaign.samples, ExperimentKind::kIncast, channel);
  if (in.empty() || in.rbegin()->first < 3) {
    return {};
  }
  const auto& [members, times] = *in.rbegin();
  const auto& [bytes, time] = *times.begin();
  return {{"g_ack", at_least_zero(addition(time, value_at(latency, bytes), members - 1))}};
}

ParameterTable estimate_cell_plogp(const CampaignData& campaign) {
  ParameterTable table{.model = "plogp-cell", .groups = {}, .fit = {}};
  std::map<std::string, ParameterGroup> of_channels;
  for (const ScopeData& scope : campaign.scopes) {
    const ParameterCurve latency = stepped_curve(one_way_times(scope), steps_of(scope));
    const std::string& channel = scope.channel();
    if (latency.empty()) {
      continue;
    }
    if (!scope.scope.is_pair()) {
      ParameterGroup& group = of_channels[channel];
      group.curves["g"] = gap_curve(campaign, scope, latency);
      if (group.curves["g"].empty()) {
        return {.model = table.model, .groups = {}, .fit = {}};
      }
      group.values = gap_of_acks(campaign, channel, latency);
      const ParameterSurface contention = measured_contention(campaign, channel);
      if (!contention.empty()) {
        group.surfaces["C"] = contention;
        group.values["m_C"] = Estimate::exactly(0);  // where C begins is in what was measured
      }
    }
    // Pairs that differ have a latency of their own; gap and contention were measured for the channel as a whole.
    ParameterGroup group = of_channels.at(channel);
    group.scope = scope.scope;
    group.curves["L"] = latency;
    table.groups.push_back(std::move(group));
  }
  return table;
}

}  // namespace

Estimator cell_plogp() {
  return {"plogp-cell", estimate_cell_plogp};
}

}  // namespace postage::model_estimators
