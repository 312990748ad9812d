#include "estimate/loggp/loggp_pieces.hpp"

#include <postage/estimate/estimator.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace postage::model_estimators {
namespace {

/// w: what a machine that takes a message every max(g, o) must carry with each to reach the rate of its longest
/// messages. Nothing where their rate is not known.
std::optional<Estimate> packet_size(const LogGPPiece& small, const LogGPPiece& large) {
  const auto spacing = [&](double Estimate::*end) {
    return std::max({small.gap.*end, small.send_overhead.*end, small.receive_overhead.*end});
  };
  const double per_byte = large.gap_per_byte.value;
  const double packet = std::round(spacing(&Estimate::value) / per_byte);
  if (!std::isfinite(packet) || packet < 1) {
    return std::nullopt;
  }
  return Estimate{packet, std::min(packet, spacing(&Estimate::lower) / large.gap_per_byte.upper),
                  std::max(packet, spacing(&Estimate::upper) / std::max(large.gap_per_byte.lower, 0.0))};
}

ParameterTable estimate_logp(const CampaignData& campaign) {
  ParameterTable table{.model = "logp", .groups = {}, .fit = {}};
  for (const ScopeData& scope : campaign.scopes) {
    const std::vector<LogGPPiece> pieces = loggp_pieces(campaign, scope);
    if (pieces.empty()) {
      continue;
    }
    ParameterGroup group = logp_group(scope, pieces.front());
    if (const std::optional<Estimate> packet = packet_size(pieces.front(), pieces.back())) {
      group.values["w"] = *packet;
    }
    table.groups.push_back(std::move(group));
  }
  return table;
}

}  // namespace

Estimator logp() {
  return {"logp", estimate_logp};
}

}  // namespace postage::model_estimators
