#include "estimate/log_np/transfers.hpp"

#include <postage/estimate/estimator.hpp>

namespace postage::model_estimators {
namespace {

ParameterTable estimate_two_log(const CampaignData& campaign) {
  return table_by_scope(campaign, "2log23p", middleware_group);
}

}  // namespace

Estimator two_log() {
  return {"2log23p", estimate_two_log};
}

}  // namespace postage::model_estimators
