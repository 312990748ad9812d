#include "estimate/loggp/loggp_pieces.hpp"
#include "estimate/loggp/with_contention.hpp"

#include <postage/estimate/estimator.hpp>

namespace postage::model_estimators {
namespace {

std::vector<ParameterGroup> first_group(const CampaignData& campaign, const ScopeData& scope) {
  const std::vector<LogGPPiece> pieces = loggp_pieces(campaign, scope);
  return pieces.empty() ? std::vector<ParameterGroup>{}
                        : std::vector<ParameterGroup>{logp_group(scope, pieces.front())};
}

ParameterTable estimate_lopc(const CampaignData& campaign) {
  return with_contention(campaign, "lopc", first_group);
}

}  // namespace

Estimator lopc() {
  return {"lopc", estimate_lopc};
}

}  // namespace postage::model_estimators
