#pragma once

#include "estimate/campaign_data.hpp"

#include <optional>

namespace postage {

/// What a channel's ranks do for a message, and up to which size how.
struct FlowProtocols {
  TimesBySize send;     ///< of messages that do not keep their sender
  TimesBySize receive;  ///< of messages that leave before they are awaited
  std::optional<Bytes> rendezvous_above;
  std::optional<Bytes> awaited_from;
};

/// From the overheads of a scope, beside half its roundtrips.
[[nodiscard]] FlowProtocols flow_protocols(const CampaignData& campaign, const ScopeData& scope,
                                           const std::vector<CurvePoint>& points);

}  // namespace postage
