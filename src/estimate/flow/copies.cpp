#include "estimate/flow/copies.hpp"

#include "estimate/data/curves.hpp"

#include <postage/base/statistics.hpp>

namespace postage {
namespace {

/// Writing that makes no message longer by more than this share is of no matter.
constexpr double kLeastWritten = 0.05;
/// Latencies that stand out beside a message's bytes, and the share of one that a train's messages must wait for.
constexpr double kVisibleLatency = 0.1;
constexpr double kMostOfLatency = 0.25;

}  // namespace

ParameterCurve written_times(const ScopeFit& fit, bool eager) {
  const ScopeData& scope = *fit.scope;
  const TimesBySize one_way = one_way_times(scope);
  std::map<Bytes, std::vector<Estimate>> passed_on;
  for (const PairData* pair : scope.pairs) {
    for (const Measurement* m : pair->measurements) {
      const Experiment& e = m->experiment;
      if (e.kind == ExperimentKind::kEcho && one_way.count(e.bytes) > 0 && fit.is_eager(e.bytes) == eager) {
        passed_on[e.bytes].push_back(estimate_of(*m, 0.5));
      }
    }
  }
  TimesBySize longer{{0, Estimate::exactly(0)}};
  bool shows = false;
  for (const auto& [bytes, estimates] : passed_on) {
    const Estimate& before = one_way.at(bytes);
    const Estimate difference = minus(median_estimate(estimates), before);
    shows = shows || difference.value > kLeastWritten * before.value;
    longer[bytes] = at_least_zero(difference);
  }
  return shows ? to_curve(longer) : ParameterCurve{};
}

bool takes_in_one(const CampaignData& campaign, const ScopeFit& fit) {
  if (!is_moved_by_processors(campaign, *fit.scope)) {
    return false;
  }
  std::vector<double> shares;
  for (const auto& [bytes, interval] : train_intervals(*fit.scope)) {
    const FlowPiece& piece = fit.piece_at(bytes);
    const double of_bytes = piece.per_byte.value * static_cast<double>(bytes);
    if (!fit.is_eager(bytes) && piece.latency.value > kVisibleLatency * of_bytes) {
      shares.push_back((interval.value - of_bytes) / piece.latency.value);
    }
  }
  return !shares.empty() && median(shares) > kMostOfLatency;
}

}  // namespace postage
