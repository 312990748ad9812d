#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <vector>

namespace postage {

/// Those of the campaign's classes of pairs of which the table has parameters, without pairs that have their own.
[[nodiscard]] std::vector<PairClass> classes_in(const CampaignData& campaign, const ParameterTable& table);

}  // namespace postage
