#include "estimate/loggp/loggp_pieces.hpp"
#include "estimate/loggp/with_contention.hpp"

#include <postage/estimate/estimator.hpp>

namespace postage::model_estimators {
namespace {

ParameterTable estimate_loggpc(const CampaignData& campaign) {
  return with_contention(campaign, "loggpc", loggp_groups);
}

}  // namespace

Estimator loggpc() {
  return {"loggpc", estimate_loggpc};
}

}  // namespace postage::model_estimators
