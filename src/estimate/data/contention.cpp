#include "estimate/data/contention.hpp"

#include <algorithm>

namespace postage {
namespace {

/// By number of messages and size, of one kind of experiment: what a message takes.
using Crossings = std::map<double, std::map<Bytes, std::vector<Estimate>>>;

/// A pair's roundtrips have one message at a time; its exchanges two, which share it only within a host.
double messages_at_once(const Experiment& e, const std::string& channel) {
  const auto members = static_cast<double>(e.members.size());
  return e.kind == ExperimentKind::kConcurrentPairs || channel == kInterNode ? members / 2 : members;
}

Crossings crossings_of(const SampleSet& samples, const std::string& channel, ExperimentKind kind) {
  Crossings all;
  for (const Measurement& m : samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == kind && e.channel == channel) {
      const double share = kind == ExperimentKind::kConcurrentPairs ? 0.5 : 1;
      all[messages_at_once(e, channel)][e.bytes].push_back(estimate_of(m, share));
    }
  }
  return all;
}

/// Half a roundtrip over the channel alone; nothing where that size was not measured.
std::optional<Estimate> alone(const CampaignData& campaign, const std::string& channel, Bytes bytes) {
  std::vector<Estimate> times;
  for (const PairData& pair : campaign.pairs) {
    const auto point = pair.curve.find(bytes);
    if (pair.channel == channel && point != pair.curve.end()) {
      times.push_back(point->second.one_way);
    }
  }
  return times.empty() ? std::nullopt : std::optional(median_estimate(times));
}

bool has_shared_hosts(const SampleSet& samples) {
  return samples.ranks.size() > samples.nodes.size();
}

}  // namespace

std::optional<ParameterSurface> contention_of(const CampaignData& campaign, const std::string& channel) {
  Crossings crossings = crossings_of(campaign.samples, channel, ExperimentKind::kConcurrentPairs);
  if (crossings.empty()) {
    crossings = crossings_of(campaign.samples, channel, ExperimentKind::kButterfly);
  }
  if (crossings.empty() && has_shared_hosts(campaign.samples)) {
    return std::nullopt;
  }
  ParameterSurface surface{{1, {{0, Estimate{}}}}};
  for (const auto& [count, sizes] : crossings) {
    ParameterRow row{count, {}};
    for (const auto& [bytes, times] : sizes) {
      if (const std::optional<Estimate> single = alone(campaign, channel, bytes)) {
        row.curve.push_back({bytes, at_least_zero(minus(median_estimate(times), *single))});
      }
    }
    if (count > 1 && !row.curve.empty()) {
      surface.push_back(std::move(row));
    }
  }
  return surface;
}

}  // namespace postage
