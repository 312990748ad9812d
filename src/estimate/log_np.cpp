#include "estimate/transfer_data.hpp"

#include <algorithm>

namespace postage {
namespace {

constexpr const char* kByDatatypes = "l_mw";
constexpr const char* kByHand = "l_hand";

/// o_0, o_1 and o_2 at every size of the roundtrips' curve: what sender, network and receiver take. Within a node there
/// is no network.
struct Transfers {
  ParameterCurve sender;
  ParameterCurve network;
  ParameterCurve receiver;

  [[nodiscard]] bool is_empty() const { return sender.empty(); }
  [[nodiscard]] ParameterCurve middleware() const {
    ParameterCurve both = sender;
    for (std::size_t i = 0; i < both.size(); ++i) {
      both[i].estimate = plus_at_worst(sender[i].estimate, receiver[i].estimate);
    }
    return both;
  }
};

Transfers within_node(const ParameterCurve& whole) {
  Transfers transfers;
  for (const ParameterPoint& point : whole) {
    transfers.sender.push_back({point.bytes, scaled(point.estimate, 0.5)});
  }
  transfers.receiver = transfers.sender;
  return transfers;
}

/// The network takes what the processors leave of half a roundtrip. Where they take more than it, since a receive that
/// finds its message late costs more, both are scaled down to it and nothing is left.
Transfers between_nodes(const CampaignData& campaign, const ScopeData& scope, const ParameterCurve& whole) {
  const RankOverheads overheads = overheads_of(campaign, scope);
  const ParameterCurve sends = to_curve(with_intervals(overheads.send));
  const ParameterCurve receives = to_curve(with_intervals(overheads.receive));
  Transfers transfers;
  if (sends.empty() || whole.empty()) {
    return transfers;
  }
  for (const ParameterPoint& point : whole) {
    Estimate send = value_at(sends, point.bytes);
    // "The costs at point i = 0 and i = 2 are regarded as equal" where receives were not measured.
    Estimate receive = receives.empty() ? send : value_at(receives, point.bytes);
    const double both = send.value + receive.value;
    if (both > point.estimate.value) {
      send = scaled(send, point.estimate.value / both);
      receive = scaled(receive, point.estimate.value / both);
    }
    transfers.sender.push_back({point.bytes, send});
    transfers.receiver.push_back({point.bytes, receive});
    transfers.network.push_back(
        {point.bytes, at_least_zero(minus_at_worst(point.estimate, plus_at_worst(send, receive)))});
  }
  return transfers;
}

Transfers transfers_of(const CampaignData& campaign, const ScopeData& scope) {
  const ParameterCurve whole = stepped_curve(one_way_times(scope), steps_of(scope));
  return scope.channel() == kInterNode ? between_nodes(campaign, scope, whole) : within_node(whole);
}

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

/// o_0 .. o_{n-1}; of what strides add, half is the first transfer's and half the last one's.
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

/// One group for each scope, or none at all where one channel's samples do not tell processors from network.
template <typename MakeGroup>
ParameterTable table_by_scope(const CampaignData& campaign, const char* model, const MakeGroup& make_group) {
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

/// For models that know no channels: the farthest channel's parameters stand for all, as in Tu et al., who compare
/// log_3P with the parameters between nodes.
template <typename MakeGroup>
ParameterTable table_of_farthest(const CampaignData& campaign, const char* model, const MakeGroup& make_group) {
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

}  // namespace

ParameterTable estimate_log_np(const CampaignData& campaign) {
  return table_of_farthest(campaign, "lognp", transfers_group);
}

ParameterTable estimate_mlog_np(const CampaignData& campaign) {
  return table_by_scope(campaign, "mlognp", transfers_group);
}

ParameterTable estimate_log_3p(const CampaignData& campaign) {
  return table_of_farthest(campaign, "log3p", [](const ScopeData& scope, const Transfers& transfers) {
    ParameterGroup group = middleware_group(scope, transfers);
    // Required: none within a node.
    group.curves.try_emplace("o_net", ParameterCurve{{0, Estimate::exactly(0)}});
    return group;
  });
}

ParameterTable estimate_two_log(const CampaignData& campaign) {
  return table_by_scope(campaign, "2log23p", middleware_group);
}

}  // namespace postage
