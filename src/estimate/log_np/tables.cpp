#include "estimate/data/curves.hpp"
#include "estimate/log_np/transfers.hpp"

#include <algorithm>

namespace postage {
namespace {

constexpr const char* kByDatatypes = "l_mw";
constexpr const char* kByHand = "l_hand";

/// l(s, d): half a strided roundtrip beyond half a contiguous one; nothing for a message without bytes.
ParameterSurface strided_latency(const ScopeData& scope, bool by_hand) {
  const TimesBySize contiguous = one_way_times(scope);
  const ParameterCurve whole = to_curve(contiguous);
  std::map<Bytes, std::map<Bytes, std::vector<Estimate>>> all;
  for (const PairData* pair : scope.pairs) {
    for (const Measurement* m : pair->measurements) {
      const Experiment& e = m->experiment;
      if (e.kind == ExperimentKind::kStridedRoundtrip && e.by_hand == by_hand && has_interval(estimate_of(*m))) {
        all[e.stride][e.bytes].push_back(estimate_of(*m, 0.5));
      }
    }
  }
  ParameterSurface surface;
  for (const auto& [stride, times] : all) {
    ParameterRow row{static_cast<double>(stride), {{0, Estimate::exactly(0)}}};
    for (const auto& [bytes, estimates] : times) {
      row.curve.push_back({bytes, at_least_zero(minus_at_worst(median_estimate(estimates), value_at(whole, bytes)))});
    }
    surface.push_back(std::move(row));
  }
  return surface;
}

ParameterSurface halved(ParameterSurface surface) {
  for (ParameterRow& row : surface) {
    for (ParameterPoint& point : row.curve) {
      point.estimate = scaled(point.estimate, 0.5);
    }
  }
  return surface;
}

}  // namespace

ParameterGroup middleware_group(const ScopeData& scope, const Transfers& transfers) {
  ParameterGroup group{.scope = scope.scope, .curves = {{"o_mw", transfers.middleware()}}};
  if (!transfers.network.empty()) {
    group.curves["o_net"] = transfers.network;
  }
  for (const auto& [symbol, by_hand] : {std::pair{kByDatatypes, false}, std::pair{kByHand, true}}) {
    ParameterSurface latency = strided_latency(scope, by_hand);
    if (!latency.empty()) {
      group.surfaces[symbol] = std::move(latency);
    }
  }
  return group;
}

ParameterGroup transfers_group(const ScopeData& scope, const Transfers& transfers) {
  ParameterGroup group{.scope = scope.scope, .curves = {{"o_0", transfers.sender}}};
  const bool has_network = !transfers.network.empty();
  if (has_network) {
    group.curves["o_1"] = transfers.network;
  }
  const std::string last = has_network ? "2" : "1";
  group.curves["o_" + last] = transfers.receiver;
  const ParameterSurface latency = strided_latency(scope, false);
  if (!latency.empty()) {
    group.surfaces["l_0"] = halved(latency);
    group.surfaces["l_" + last] = halved(latency);
  }
  return group;
}

ParameterTable table_by_scope(const CampaignData& campaign, const char* model, MakeTransferGroup make_group) {
  ParameterTable table{.model = model, .groups = {}, .fit = {}};
  for (const ScopeData& scope : campaign.scopes) {
    const Transfers transfers = transfers_of(campaign, scope);
    if (transfers.is_empty() && scope.scope.is_pair()) {
      continue;  // its channel's stand for it
    }
    if (transfers.is_empty()) {
      return {.model = model, .groups = {}, .fit = {}};
    }
    table.groups.push_back(make_group(scope, transfers));
  }
  return table;
}

ParameterTable table_of_farthest(const CampaignData& campaign, const char* model, MakeTransferGroup make_group) {
  ParameterTable table{.model = model, .groups = {}, .fit = {}};
  const auto scope = std::find_if(campaign.scopes.begin(), campaign.scopes.end(), [&](const ScopeData& candidate) {
    return candidate.scope.channel == campaign.channels.back();
  });
  const Transfers transfers = transfers_of(campaign, *scope);
  if (!transfers.is_empty()) {
    table.groups.push_back(make_group(*scope, transfers));
    table.groups.back().scope = {.channel = kAllChannels};
  }
  return table;
}

}  // namespace postage
