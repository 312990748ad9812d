#include "estimate/flow/copies.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/data/host_times.hpp"
#include "estimate/data/processor_overheads.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace postage {
namespace {

/// Writing that makes no message longer by more than this share is of no matter.
constexpr double kLeastWritten = 0.05;
/// The same of receivers that do not wait yet.
constexpr double kLeastUnawaited = 0.1;
/// And of senders that wait for an acknowledgement.
constexpr double kLeastAcknowledged = 0.05;
/// Latencies that stand out of a message's time, and the share of one that a train's messages must wait for.
constexpr double kVisibleLatency = 1.0 / 3;
constexpr double kMostOfLatency = 0.25;
/// A message is a rendezvous by itself if it takes no longer than so many times as long where it has to be one.
constexpr double kLongerHandshake = 1.1;
/// A further exchange takes so many times as long as the first, or less, where ranks stay in step.
constexpr double kDrains = 1.2;

/// The first message of a train waits for less than this share of what the others take, where these move after it.
constexpr double kMostShared = 0.5;

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

/// Calls `visit(bytes, time)` for the experiments of a kind that two ranks of the fit's channel make.
template <typename Visit>
void for_two_ranks(const CampaignData& campaign, const ScopeFit& fit, const ExperimentKind& kind, const Visit& visit) {
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == kind && e.channel == fit.scope->channel() && e.members.size() == 2) {
      visit(e.bytes, estimate_of(m, 1));
    }
  }
}

/// What messages take longer for something, by size; nothing where no size shows any.
class LongerTimes {
 public:
  explicit LongerTimes(TimesBySize first = {}) : times_(std::move(first)) {}

  void add(Bytes bytes, const Estimate& longer, bool shows) {
    shows_ = shows_ || shows;
    times_[bytes] = at_least_zero(longer);
  }

  [[nodiscard]] TimesBySize times() const { return shows_ ? times_ : TimesBySize{}; }
  [[nodiscard]] ParameterCurve curve() const { return shows_ ? to_curve(times_) : ParameterCurve{}; }

 private:
  TimesBySize times_;
  bool shows_ = false;
};

/// What echoes of a kind take longer, each way, than the same messages of bytes that nobody wrote.
ParameterCurve echoes_beyond(const ScopeFit& fit, const ExperimentKind& echo, const TimesBySize& unwritten,
                             bool eager) {
  LongerTimes longer({{0, Estimate::exactly(0)}});
  for (const auto& [bytes, passed_on] : times_of(*fit.scope, echo, 0.5)) {
    const auto known = unwritten.find(bytes);
    if (known != unwritten.end() && fit.is_eager(bytes) == eager) {
      const Estimate difference = minus(passed_on, known->second);
      longer.add(bytes, difference, difference.value > kLeastWritten * known->second.value);
    }
  }
  return longer.curve();
}

/// R: the share of its latency that each message of a train adds; nothing where it is little.
std::optional<double> share_in_turn(const ScopeFit& fit, Bytes least, const TimesBySize& one_way) {
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

/// D: true where an exchange in segments takes much longer than as many exchanges.
bool drains(const ScopeFit& fit, Bytes least) {
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

}  // namespace

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

ParameterCurve written_times(const ScopeFit& fit, bool eager) {
  return echoes_beyond(fit, ExperimentKind::kEcho, one_way_times(*fit.scope), eager);
}

ParameterCurve handshake_times(const ScopeFit& fit) {
  const TimesBySize one_way = one_way_times(*fit.scope);
  LongerTimes longer;
  for (const auto& [bytes, whole] : times_of(*fit.scope, ExperimentKind::kHandshake, 0.5)) {
    const auto eager = one_way.find(bytes);
    if (eager != one_way.end() && fit.is_eager(bytes)) {
      const double without = eager->second.value - value_at(fit.protocols.receive, bytes);
      longer.add(bytes, minus(whole, Estimate::exactly(without)), whole.value > (1 + kLeastWritten) * without);
    }
  }
  return longer.curve();
}

ParameterCurve written_handshake_times(const ScopeFit& fit) {
  return echoes_beyond(fit, ExperimentKind::kHandshakeEcho, times_of(*fit.scope, ExperimentKind::kHandshake, 0.5),
                       true);
}

ParameterCurve overwriting_times(const CampaignData& campaign, const ScopeFit& fit) {
  const TimesBySize rewriting = times_of(*fit.scope, ExperimentKind::kRewriting, 1);
  const TimesBySize copies = rewriting.empty() ? TimesBySize{} : copying_times(campaign.samples);
  if (copies.empty()) {
    return {};
  }
  const TimesBySize one_way = one_way_times(*fit.scope);
  LongerTimes longer({{0, Estimate::exactly(0)}});
  for (const auto& [bytes, over_sent] : rewriting) {
    const auto message = one_way.find(bytes);
    if (message != one_way.end() && !fit.is_eager(bytes)) {
      const Estimate difference = minus(over_sent, Estimate::exactly(value_at(copies, bytes)));
      longer.add(bytes, difference, difference.value > kLeastWritten * message->second.value);
    }
  }
  return longer.curve();
}

TimesBySize unawaited_times(const CampaignData& campaign, const ScopeFit& fit, bool eager) {
  LongerTimes longer;
  if (fit.is_known() && is_moved_by_processors(campaign, *fit.scope)) {
    for_two_ranks(campaign, fit, ExperimentKind::kIncast, [&](Bytes bytes, const Estimate& time) {
      if (fit.is_eager(bytes) == eager) {
        const Seconds usual = eager ? fit.start + fit.alone(bytes) : fit.rendezvous(bytes);
        const Estimate difference = minus(time, Estimate::exactly(usual));
        longer.add(bytes, difference, difference.lower > kLeastUnawaited * usual);
      }
    });
  }
  return longer.times();
}

TimesBySize acknowledged_times(const CampaignData& campaign, const ScopeFit& fit) {
  LongerTimes longer;
  if (fit.is_known() && is_moved_by_processors(campaign, *fit.scope)) {
    const TimesBySize one_way = one_way_times(*fit.scope);
    for (const auto& [bytes, kept] : overheads_of(campaign, *fit.scope).send) {
      if (!fit.is_eager(bytes)) {
        const Seconds under_way = value_at(one_way, bytes);
        const Estimate difference = minus(kept, Estimate::exactly(under_way));
        longer.add(bytes, difference, difference.lower > kLeastAcknowledged * under_way);
      }
    }
  }
  return longer.times();
}

std::optional<FetchedMessages> fetched_messages(const CampaignData& campaign, const ScopeFit& fit) {
  if (!is_moved_by_processors(campaign, *fit.scope)) {
    return std::nullopt;
  }
  const TimesBySize one_way = one_way_times(*fit.scope);
  const Bytes from = fetched_from(fit);
  const std::optional<double> share = share_in_turn(fit, from, one_way);
  return share ? std::optional(FetchedMessages{from, *share, drains(fit, from)}) : std::nullopt;
}

ParameterCurve crossing_times(const CampaignData& campaign, const ScopeFit& fit, const FetchedMessages& fetched) {
  LongerTimes longer;
  for_two_ranks(campaign, fit, ExperimentKind::kSynchronisedExchange, [&](Bytes bytes, const Estimate& time) {
    if (bytes >= fetched.from) {
      const double alone = fit.rendezvous(bytes) + fit.acknowledgement(bytes);
      const Estimate difference = minus(time, Estimate::exactly(alone));
      longer.add(bytes, difference, difference.value > kLeastWritten * alone);
    }
  });
  return longer.curve();
}

std::map<Bytes, bool> order_of_trains(const ScopeFit& fit) {
  std::map<Bytes, std::vector<double>> shares;  // of what the others take, which the first one waited
  for (const PairData* pair : fit.scope->channel() == kInterNode ? fit.scope->pairs : std::vector<const PairData*>{}) {
    for (const Measurement* m : pair->measurements) {
      const Experiment& e = m->experiment;
      const auto single = pair->trains.find({e.bytes, 1});
      if (e.kind == ExperimentKind::kAnsweredTrain && e.messages > 1 && single != pair->trains.end()) {
        const Seconds others = (e.messages - 1) * fit.piece_at(e.bytes).per_byte.value * static_cast<double>(e.bytes);
        if (others > 0) {
          shares[e.bytes].push_back((m->summary.median - single->second.value) / others);
        }
      }
    }
  }
  std::map<Bytes, bool> order;
  for (const auto& [bytes, values] : shares) {
    order[bytes] = median(values) < kMostShared;
  }
  return order;
}

bool moves_in_order(const std::map<Bytes, bool>& order, const SizeRange& range) {
  const auto first = order.lower_bound(range.from);
  if (first != order.end() && first->first < range.end) {
    const auto last = order.lower_bound(range.end);
    const auto yes = std::count_if(first, last, [](const auto& size) { return size.second; });
    return 2 * yes > std::distance(first, last);
  }
  return !order.empty() && (first == order.begin() ? *first : *std::prev(first)).second;
}

}  // namespace postage
