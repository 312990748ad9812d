#include "estimate/campaign_data.hpp"

namespace postage {

ParameterTable estimate_hockney(const CampaignData& campaign) {
  ParameterTable table{.model = "hockney", .groups = {}, .fit = {}};
  for (const ScopeData& scope : campaign.scopes) {
    for (const LinePiece& line : scope.lines) {
      table.groups.push_back({scope.scope, line.from_bytes, {{"alpha", line.intercept}, {"beta", line.slope}}});
    }
  }
  return table;
}

}  // namespace postage
