#include <postage/estimate/estimator.hpp>

#include <algorithm>
#include <optional>

namespace postage::model_estimators {
namespace {

/// g(m), by saturation or from roundtrips with empty replies and one saturation: RTT(m) - RTT(0) + g(0).
TimesBySize gaps(const ScopeData& scope, const TimesBySize& roundtrips, GapMethod method) {
  TimesBySize direct = train_intervals(scope);
  const auto empty = direct.find(0);
  if (method == GapMethod::kDirect || empty == direct.end() || !roundtrips.contains(0)) {
    return direct;
  }
  TimesBySize indirect;
  for (const auto& [bytes, roundtrip] : roundtrips) {
    const Estimate more = bytes == 0 ? Estimate{} : minus(roundtrip, roundtrips.at(0));
    indirect[bytes] = plus(more, empty->second);
  }
  return indirect;
}

/// The larger of two times, end by end.
Estimate larger(const Estimate& a, const Estimate& b) {
  return {std::max(a.value, b.value), std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
}

std::optional<ParameterGroup> plogp_group(const CampaignData& campaign, const ScopeData& scope) {
  const RankOverheads overheads = overheads_of(campaign, scope);
  const TimesBySize roundtrips = reply_roundtrips(scope);
  const TimesBySize all_gaps = gaps(scope, roundtrips, campaign.settings.gap);
  ParameterGroup group{.scope = scope.scope};
  for (const auto& [bytes, gap] : all_gaps) {
    const auto send = overheads.send.find(bytes);
    const auto receive = overheads.receive.find(bytes);
    if (send != overheads.send.end() && receive != overheads.receive.end()) {
      group.curves["o_s"].push_back({bytes, send->second});
      group.curves["o_r"].push_back({bytes, receive->second});
      group.curves["g"].push_back({bytes, larger(at_least_zero(gap), larger(send->second, receive->second))});
    }
  }
  const ParameterCurve& curve = group.curves["g"];
  if (curve.size() < 2 || curve.front().bytes != 0 || !roundtrips.contains(0)) {
    return std::nullopt;
  }
  group.values["L"] = at_least_zero(minus(scaled(roundtrips.at(0), 0.5), curve.front().estimate));
  return group;
}

ParameterTable estimate_plogp(const CampaignData& campaign) {
  ParameterTable table{.model = "plogp", .groups = {}, .fit = {}};
  for (const ScopeData& scope : campaign.scopes) {
    if (std::optional<ParameterGroup> group = plogp_group(campaign, scope)) {
      table.groups.push_back(std::move(*group));
    }
  }
  return table;
}

}  // namespace

Estimator plogp() {
  return {"plogp", estimate_plogp};
}

}  // namespace postage::model_estimators
