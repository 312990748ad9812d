#include "estimate/flow/copies.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/data/host_times.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

namespace postage {
namespace {

/// Writing that makes no message longer by more than this share is of no matter.
constexpr double kLeastWritten = 0.05;
/// Latencies that stand out of a message's time, and the share of one that a train's messages must wait for.
constexpr double kVisibleLatency = 1.0 / 3;
constexpr double kMostOfLatency = 0.25;
/// A message is a rendezvous by itself if it takes no longer than so many times as long where it has to be one.
constexpr double kLongerHandshake = 1.1;
/// A further exchange takes so many times as long as the first, or less, where ranks stay in step.
constexpr double kDrains = 1.2;

/// So many times what experiments of a kind took; median over the scope's pairs.
TimesBySize times_of(const ScopeData& scope, const ExperimentKind& kind, double factor) {
  std::map<Bytes, std::vector<Estimate>> by_size;
  for (const PairData* pair : scope.pairs) {
    for (const Measurement* m : pair->measurements) {
      if (m->experiment.kind == kind) {
        by_size[m->experiment.bytes].push_back(estimate_of(*m, factor));
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
  for (const auto& [bytes, passed_on] : times_of(*fit.scope, ExperimentKind::kEcho, 0.5)) {
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
  for (const auto& [bytes, whole] : times_of(*fit.scope, ExperimentKind::kHandshake, 0.5)) {
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

ParameterCurve overwriting_times(const CampaignData& campaign, const ScopeFit& fit) {
  const TimesBySize one_way = one_way_times(*fit.scope);
  const TimesBySize copies = copying_times(campaign.samples);
  TimesBySize longer{{0, Estimate::exactly(0)}};
  bool shows = false;
  for (const auto& [bytes, over_sent] : times_of(*fit.scope, ExperimentKind::kRewriting, 1)) {
    const auto message = one_way.find(bytes);
    if (!copies.empty() && message != one_way.end() && !fit.is_eager(bytes)) {
      const Estimate difference = minus(over_sent, Estimate::exactly(value_at(copies, bytes)));
      shows = shows || difference.value > kLeastWritten * message->second.value;
      longer[bytes] = at_least_zero(difference);
    }
  }
  return shows ? to_curve(longer) : ParameterCurve{};
}

Bytes fetched_from(const ScopeFit& fit) {
  const TimesBySize one_way = one_way_times(*fit.scope);
  const TimesBySize handshakes = times_of(*fit.scope, ExperimentKind::kHandshake, 0.5);
  const auto takes_longer = [&](const auto& handshake) {
    return handshake.second.value > kLongerHandshake * value_at(one_way, handshake.first);
  };
  Bytes largest = fit.protocols.rendezvous_above.value_or(std::numeric_limits<Bytes>::max() - 1);
  if (!handshakes.empty() && !takes_longer(*handshakes.rbegin())) {
    for (const auto& handshake : handshakes) {
      largest = takes_longer(handshake) ? std::max(largest, handshake.first) : largest;
    }
  }
  return largest + 1;
}

ParameterCurve crossing_times(const CampaignData& campaign, const ScopeFit& fit) {
  const Bytes least = fetched_from(fit);
  TimesBySize longer;
  bool shows = false;
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kSynchronisedExchange && e.channel == fit.scope->channel() && e.members.size() == 2 &&
        e.bytes >= least) {
      const double alone = fit.rendezvous(e.bytes);
      const Estimate difference = minus(estimate_of(m, 1), Estimate::exactly(alone));
      shows = shows || difference.value > kLeastWritten * alone;
      longer[e.bytes] = at_least_zero(difference);
    }
  }
  return shows ? to_curve(longer) : ParameterCurve{};
}

std::optional<double> share_in_turn(const CampaignData& campaign, const ScopeFit& fit) {
  if (!is_moved_by_processors(campaign, *fit.scope)) {
    return std::nullopt;
  }
  const Bytes least = fetched_from(fit);
  const TimesBySize one_way = one_way_times(*fit.scope);
  std::vector<double> shares;
  for (const auto& [bytes, interval] : train_intervals(*fit.scope)) {
    const double latency = fit.piece_at(bytes).latency.value;
    const double alone = value_at(one_way, bytes);
    if (bytes >= least && latency > kVisibleLatency * alone) {
      shares.push_back(1 - (alone - interval.value) / latency);
    }
  }
  const bool waits = !shares.empty() && median(shares) > kMostOfLatency;
  return waits ? std::optional(std::min(median(shares), 1.0)) : std::nullopt;
}

bool drains(const ScopeFit& fit) {
  const Bytes least = fetched_from(fit);
  std::map<Bytes, std::map<int, std::vector<double>>> times;  // by size and number of messages
  for (const PairData* pair : fit.scope->pairs) {
    for (const Measurement* m : pair->measurements) {
      if (m->experiment.kind == ExperimentKind::kPipelinedExchange && m->experiment.bytes >= least) {
        times[m->experiment.bytes][m->experiment.messages].push_back(m->summary.median);
      }
    }
  }
  return std::any_of(times.begin(), times.end(), [](const auto& of_size) {
    const auto& [fewest, once] = *of_size.second.begin();
    const auto& [most, often] = *of_size.second.rbegin();
    return most > fewest && (median(often) - median(once)) / (most - fewest) > kDrains * median(once) / fewest;
  });
}

}  // namespace postage
