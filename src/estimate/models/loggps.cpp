#include "estimate/loggp/loggp_pieces.hpp"

#include <postage/estimate/estimator.hpp>

#include <algorithm>
#include <limits>

namespace postage::model_estimators {
namespace {

/// A step smaller than this share of the time is no rendezvous but scatter.
constexpr double kLeastStep = 0.02;

/// Where a line takes over, the time steps up by the cost of the rendezvous.
struct Rendezvous {
  std::size_t piece = 0;  ///< the first above S
  Estimate limit;         ///< S
  Estimate step;
};

Estimate time_at(const LinePiece& line, Bytes bytes) {
  return plus(line.intercept, scaled(line.slope, static_cast<double>(bytes)));
}

/// The largest measured size below `bytes`.
Bytes size_before(const std::vector<CurvePoint>& curve, Bytes bytes) {
  const auto next = std::ranges::lower_bound(curve, bytes, {}, &CurvePoint::bytes);
  return next == curve.begin() ? 0 : std::prev(next)->bytes;
}

/// The largest step upwards, as a share of the time. Above the largest size nothing is known: without a step S is that.
Rendezvous find_rendezvous(const ScopeData& scope) {
  const std::vector<CurvePoint> curve = curve_of(scope);
  const auto end = static_cast<double>(curve.back().bytes);
  Rendezvous found{scope.lines.size(), {end, end, std::numeric_limits<double>::infinity()}, {}};
  double largest = kLeastStep;
  for (std::size_t i = 1; i < scope.lines.size(); ++i) {
    const Bytes from = scope.lines[i].from_bytes;
    const Estimate below = time_at(scope.lines[i - 1], from);
    const Estimate step = minus(time_at(scope.lines[i], from), below);
    if (step.value > largest * below.value) {
      largest = step.value / below.value;
      const auto before = static_cast<double>(size_before(curve, from));
      found = {i, {static_cast<double>(from - 1), before, static_cast<double>(from)}, step};
    }
  }
  return found;
}

/// From S on, the sender pays for the rendezvous, which the line above S has in its latency.
void move_into_rendezvous(ParameterGroup& group, const Estimate& step) {
  Estimate& latency = group.values.at("L");
  const Estimate rendezvous = step.value > latency.value ? latency : at_least_zero(step);
  latency = at_least_zero(minus(latency, rendezvous));
  group.values["h"] = rendezvous;
}

ParameterTable estimate_loggps(const CampaignData& campaign) {
  ParameterTable table{.model = "loggps", .groups = {}, .fit = {}};
  for (const ScopeData& scope : campaign.scopes) {
    const std::vector<LogGPPiece> pieces = loggp_pieces(campaign, scope);
    const Rendezvous rendezvous = find_rendezvous(scope);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      ParameterGroup group = loggp_group(scope, pieces[i]);
      group.values["S"] = rendezvous.limit;
      group.values["h"] = rendezvous.step;
      if (i >= rendezvous.piece) {
        move_into_rendezvous(group, rendezvous.step);
      }
      table.groups.push_back(std::move(group));
    }
  }
  return table;
}

}  // namespace

Estimator loggps() {
  return {"loggps", estimate_loggps};
}

}  // namespace postage::model_estimators
