#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <vector>

namespace postage {

using MakeGroups = std::vector<ParameterGroup> (*)(const CampaignData&, const ScopeData&);

/// The table of a model: the scopes' groups, each with its channel's C(m, n). Scopes of channels whose contention was
/// not measured are left out.
[[nodiscard]] ParameterTable with_contention(const CampaignData& campaign, const char* model, MakeGroups make_groups);

}  // namespace postage
