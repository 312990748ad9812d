#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <optional>

namespace postage {

/// Sizes whose ratio is at most this are beside the same power of two.
inline constexpr double kNearSizes = 1.1;

/// What a channel's ranks do for a message, and up to which size how.
struct FlowProtocols {
  TimesBySize send;     ///< of messages that do not keep their sender
  TimesBySize receive;  ///< of messages that leave before they are awaited, and of others where it is known
  std::optional<Bytes> rendezvous_above;
  std::optional<Bytes> awaited_from;
  bool receives_when_awaited = false;  ///< messages that are awaited have an overhead of receiving, too
};

/// Within a real node it is a processor that moves what waits for its receiver: all of a receive's time is its work,
/// and it moves one message at a time.
[[nodiscard]] bool is_moved_by_processors(const CampaignData& campaign, const ScopeData& scope);

/// From the overheads of a scope, beside half its roundtrips. Pairs have the limits of `channel`, theirs: a library
/// chooses its protocols by the size, and not every pair was measured at as many.
[[nodiscard]] FlowProtocols flow_protocols(const CampaignData& campaign, const ScopeData& scope,
                                           const std::vector<CurvePoint>& points,
                                           const FlowProtocols* channel = nullptr);

}  // namespace postage
