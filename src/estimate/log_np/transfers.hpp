#pragma once

#include <postage/estimate/campaign_data.hpp>

namespace postage {

/// o_0, o_1 and o_2 at every size of the roundtrips' curve: what sender, network and receiver take. Within a node there
/// is no network.
struct Transfers {
  ParameterCurve sender;
  ParameterCurve network;
  ParameterCurve receiver;

  [[nodiscard]] bool is_empty() const { return sender.empty(); }
  /// Sender's and receiver's together.
  [[nodiscard]] ParameterCurve middleware() const;
};

/// Of a scope; empty where samples do not tell processors from network.
[[nodiscard]] Transfers transfers_of(const CampaignData& campaign, const ScopeData& scope);

/// Group of o_mw, o_net, l_mw and l_hand, as far as they were measured.
[[nodiscard]] ParameterGroup middleware_group(const ScopeData& scope, const Transfers& transfers);

/// Group of o_0 .. o_{n-1}; of what strides add, half is the first transfer's and half the last one's.
[[nodiscard]] ParameterGroup transfers_group(const ScopeData& scope, const Transfers& transfers);

using MakeTransferGroup = ParameterGroup (*)(const ScopeData&, const Transfers&);

/// One group for each scope, or none at all where one channel's samples do not tell processors from network.
[[nodiscard]] ParameterTable table_by_scope(const CampaignData& campaign, const char* model,
                                            MakeTransferGroup make_group);

/// For models that know no channels: the farthest channel's parameters stand for all, as in Tu et al., who compare
/// log_3P with the parameters between nodes.
[[nodiscard]] ParameterTable table_of_farthest(const CampaignData& campaign, const char* model,
                                               MakeTransferGroup make_group);

}  // namespace postage
