#include "estimate/log_np/transfers.hpp"

#include "estimate/data/curves.hpp"

namespace postage {
namespace {

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

}  // namespace

Transfers transfers_of(const CampaignData& campaign, const ScopeData& scope) {
  const ParameterCurve whole = stepped_curve(one_way_times(scope), steps_of(scope));
  return scope.channel() == kInterNode ? between_nodes(campaign, scope, whole) : within_node(whole);
}

ParameterCurve Transfers::middleware() const {
  ParameterCurve both = sender;
  for (std::size_t i = 0; i < both.size(); ++i) {
    both[i].estimate = plus_at_worst(sender[i].estimate, receiver[i].estimate);
  }
  return both;
}

}  // namespace postage
