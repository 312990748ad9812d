#include "estimate/log_np/transfers.hpp"

#include <postage/estimate/estimator.hpp>

namespace postage::model_estimators {
namespace {

ParameterTable estimate(const CampaignData& campaign) {
  return table_by_scope(campaign, "2log23p", middleware_group);
}

}  // namespace

Estimator two_log() {
  return {"2log23p", estimate};
}

}  // namespace postage::model_estimators
