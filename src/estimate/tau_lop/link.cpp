#include "estimate/tau_lop/link.hpp"

#include "estimate/data/curves.hpp"

#include <algorithm>

namespace postage {
namespace {

/// o(m): all that the smallest message takes, and what every step up adds to it, since a protocol's handshakes move no
/// data. Where larger messages take less, all that they take.
ParameterCurve overhead_of(const TimesBySize& times, const std::vector<Bytes>& steps) {
  const ParameterCurve stepped = stepped_curve(times, steps);
  Estimate level = times.begin()->second;
  ParameterCurve overhead;
  for (const ParameterPoint& point : stepped) {
    if (std::find(steps.begin(), steps.end(), point.bytes) != steps.end()) {
      const Estimate step = minus_at_worst(point.estimate, value_at(stepped, point.bytes - 1));
      level = step.value > 0 ? plus_at_worst(level, step) : level;
    }
    overhead.push_back({point.bytes, point.estimate.upper < level.lower ? point.estimate : level});
  }
  return overhead;
}

/// How many messages share a channel in a ring: those of a ring over a network go half in one direction and half in the
/// other.
double concurrency_of_ring(const std::string& channel, std::size_t members) {
  return static_cast<double>(members) / (channel == kInterNode ? 2 : 1);
}

}  // namespace

std::map<double, TimesBySize> times_of_sharing(const CampaignData& campaign, const std::string& channel) {
  std::map<std::pair<double, Bytes>, std::vector<Estimate>> all;
  const auto collect_from = [&](ExperimentKind kind, double share, const auto& concurrency_of) {
    for (const auto& [members, times] : group_times(campaign.samples, kind, channel)) {
      for (const auto& [bytes, time] : times) {
        all[{concurrency_of(members), bytes}].push_back(scaled(time, share));
      }
    }
  };
  collect_from(ExperimentKind::kConcurrentPairs, 0.5,
               [](std::size_t members) { return static_cast<double>(members) / 2; });
  collect_from(ExperimentKind::kRing, 1, [&](std::size_t members) { return concurrency_of_ring(channel, members); });
  std::map<double, TimesBySize> times;
  for (const auto& [key, estimates] : all) {
    if (key.first > 1) {
      times[key.first][key.second] = median_estimate(estimates);
    }
  }
  return times;
}

TauLopData link_of(const ScopeData& scope) {
  const TimesBySize times = one_way_times(scope);
  const std::vector<Bytes> steps = steps_of(scope);
  TauLopData link{.scope = &scope, .channel = scope.channel()};
  link.times = stepped_curve(times, steps);
  link.overhead = overhead_of(times, steps);
  return link;
}

void share_like_channel(TauLopData& pair, const TauLopData& channel) {
  pair.shared_times = channel.shared_times;
  for (auto& [tau, times] : pair.shared_times) {
    for (auto& [bytes, time] : times) {
      time = plus_at_worst(time, minus_at_worst(value_at(pair.times, bytes), value_at(channel.times, bytes)));
    }
  }
}

}  // namespace postage
