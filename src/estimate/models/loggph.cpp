#include "estimate/loggp/loggp_pieces.hpp"

#include <postage/estimate/estimator.hpp>

namespace postage::model_estimators {
namespace {

ParameterTable estimate_loggph(const CampaignData& campaign) {
  ParameterTable table{.model = "loggph", .groups = {}, .fit = {}};
  for (const ScopeData& scope : campaign.scopes) {
    if (!scope.scope.is_pair()) {
      const std::vector<ParameterGroup> groups = loggp_groups(campaign, scope);
      table.groups.insert(table.groups.end(), groups.begin(), groups.end());
    }
  }
  return table;
}

}  // namespace

Estimator loggph() {
  return {"loggph", estimate_loggph};
}

}  // namespace postage::model_estimators
