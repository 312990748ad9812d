#include "estimate/campaign_data.hpp"

namespace postage {
namespace {

std::vector<ParameterGroup> hockney_groups(const ScopeData& scope) {
  std::vector<ParameterGroup> groups;
  for (const LinePiece& line : fit_pieces(curve_of(scope))) {
    groups.push_back({scope.scope, line.from_bytes, {{"alpha", line.intercept}, {"beta", line.slope}}});
  }
  return groups;
}

}  // namespace

ParameterTable estimate_hockney(const CampaignData& campaign) {
  ParameterTable table{.model = "hockney", .groups = {}, .fit = {}};
  for (const ScopeData& scope : campaign.scopes) {
    const std::vector<ParameterGroup> groups = hockney_groups(scope);
    table.groups.insert(table.groups.end(), groups.begin(), groups.end());
  }
  return table;
}

}  // namespace postage
