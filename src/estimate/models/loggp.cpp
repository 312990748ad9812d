#include "estimate/loggp/loggp_pieces.hpp"

#include <postage/estimate/estimator.hpp>

namespace postage::model_estimators {
namespace {

ParameterTable estimate_loggp(const CampaignData& campaign) {
  ParameterTable table{.model = "loggp", .groups = {}, .fit = {}};
  for (const ScopeData& scope : campaign.scopes) {
    const std::vector<ParameterGroup> groups = loggp_groups(campaign, scope);
    table.groups.insert(table.groups.end(), groups.begin(), groups.end());
  }
  return table;
}

}  // namespace

Estimator loggp() {
  return {"loggp", estimate_loggp};
}

}  // namespace postage::model_estimators
