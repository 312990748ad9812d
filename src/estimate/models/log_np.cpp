#include "estimate/log_np/transfers.hpp"

#include <postage/estimate/estimator.hpp>

namespace postage::model_estimators {
namespace {

ParameterTable estimate_log_np(const CampaignData& campaign) {
  return table_of_farthest(campaign, "lognp", transfers_group);
}

}  // namespace

Estimator log_np() {
  return {"lognp", estimate_log_np};
}

}  // namespace postage::model_estimators
