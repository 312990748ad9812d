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

/// Median over the scope's pairs.
TimesBySize half_roundtrips(const ScopeData& scope, const ExperimentKind& kind) {
  std::map<Bytes, std::vector<Estimate>> by_size;
  for (const PairData* pair : scope.pairs) {
    for (const Measurement* m : pair->measurements) {
      if (m->experiment.kind == kind) {
        by_size[m->experiment.bytes].push_back(estimate_of(*m, 0.5));
      }
    }
  }
  TimesBySize times;
  for (const auto& [bytes, estimates] : by_size) {
    times[bytes] = median_estimate(estimates);
  }
  return times;
}

}  // namespace

ParameterCurve written_times(const ScopeFit& fit, bool eager) {
  const TimesBySize one_way = one_way_times(*fit.scope);
  TimesBySize longer{{0, Estimate::exactly(0)}};
  bool shows = false;
  for (const auto& [bytes, passed_on] : half_roundtrips(*fit.scope, ExperimentKind::kEcho)) {
    const auto before = one_way.find(bytes);
    if (before != one_way.end() && fit.is_eager(bytes) == eager) {
      const Estimate difference = minus(passed_on, before->second);
      shows = shows || difference.value > kLeastWritten * before->second.value;
      longer[bytes] = at_least_zero(difference);
    }
  }
  return shows ? to_curve(longer) : ParameterCurve{};
}

ParameterCurve handshake_times(const ScopeFit& fit) {
  const TimesBySize one_way = one_way_times(*fit.scope);
  TimesBySize longer;
  bool shows = false;
  for (const auto& [bytes, whole] : half_roundtrips(*fit.scope, ExperimentKind::kHandshake)) {
    const auto eager = one_way.find(bytes);
    if (eager == one_way.end() || !fit.is_eager(bytes)) {
      continue;
    }
    const double without = eager->second.value - value_at(fit.protocols.receive, bytes);
    shows = shows || whole.value > (1 + kLeastWritten) * without;
    longer[bytes] = at_least_zero(minus(whole, Estimate::exactly(without)));
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
