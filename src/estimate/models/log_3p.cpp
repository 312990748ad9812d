#include "estimate/log_np/transfers.hpp"

#include <postage/estimate/estimator.hpp>

namespace postage::model_estimators {
namespace {

ParameterGroup group_with_network(const ScopeData& scope, const Transfers& transfers) {
  ParameterGroup group = middleware_group(scope, transfers);
  // Required: none within a node.
  group.curves.try_emplace("o_net", ParameterCurve{{0, Estimate::exactly(0)}});
  return group;
}

ParameterTable estimate_log_3p(const CampaignData& campaign) {
  return table_of_farthest(campaign, "log3p", group_with_network);
}

}  // namespace

Estimator log_3p() {
  return {"log3p", estimate_log_3p};
}

}  // namespace postage::model_estimators
