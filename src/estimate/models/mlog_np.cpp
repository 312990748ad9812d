#include "estimate/log_np/transfers.hpp"

#include <postage/estimate/estimator.hpp>

namespace postage::model_estimators {
namespace {

ParameterTable estimate_mlog_np(const CampaignData& campaign) {
  return table_by_scope(campaign, "mlognp", transfers_group);
}

}  // namespace

Estimator mlog_np() {
  return {"mlognp", estimate_mlog_np};
}

}  // namespace postage::model_estimators
