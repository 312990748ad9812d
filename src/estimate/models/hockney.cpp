#include <postage/estimate/estimator.hpp>

namespace postage::model_estimators {
namespace {

ParameterTable estimate_hockney(const CampaignData& campaign) {
  ParameterTable table{.model = "hockney", .groups = {}, .fit = {}};
  for (const ScopeData& scope : campaign.scopes) {
    for (const LinePiece& line : scope.lines) {
      table.groups.push_back({scope.scope, line.from_bytes, {{"alpha", line.intercept}, {"beta", line.slope}}});
    }
  }
  return table;
}

}  // namespace

Estimator hockney() {
  return {"hockney", estimate_hockney};
}

}  // namespace postage::model_estimators
