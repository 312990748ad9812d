#include "estimate/campaign_data.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace postage {
namespace {

/// Pairs of one channel count as alike up to this difference, even where their intervals are narrower.
constexpr double kAlike = 0.02;

/// The overheads of small messages: the models have no others.
constexpr Bytes kSmall = 1;

void add(PairData& pair, const Measurement& m) {
  const Experiment& e = m.experiment;
  pair.measurements.push_back(&m);
  if (e.kind == ExperimentKind::kRoundtrip) {
    if (e.bytes == e.reply_bytes) {
      pair.curve[e.bytes] = {e.source,        e.target, pair.channel, e.bytes, estimate_of(m, 0.5),
                             m.summary.count, m.precise};
    }
    if (e.reply_bytes == 0) {
      pair.trains[{e.bytes, 1}] = estimate_of(m, 1);
    }
  } else if (e.kind == ExperimentKind::kSendOverhead && e.bytes == kSmall) {
    pair.send_overhead.push_back(estimate_of(m, 1));
  } else if (e.kind == ExperimentKind::kDelayedReceive && e.bytes == kSmall) {
    pair.receive_overhead.push_back(estimate_of(m, 1));
  } else if (e.kind == ExperimentKind::kTrain && e.delay == 0) {
    pair.trains[{e.bytes, e.messages}] = estimate_of(m, 1);
  }
}

std::vector<PairData> sort_by_pair(const SampleSet& samples) {
  std::map<std::pair<int, int>, PairData> pairs;
  for (const Measurement& m : samples.measurements) {
    if (!is_between_two(m.experiment.kind)) {
      continue;
    }
    const auto key = std::minmax(m.experiment.source, m.experiment.target);
    PairData& pair = pairs[key];
    pair.first = key.first;
    pair.second = key.second;
    pair.channel = channel_of(samples.nodes, samples.ranks[static_cast<std::size_t>(key.first)],
                              samples.ranks[static_cast<std::size_t>(key.second)]);
    add(pair, m);
  }
  std::vector<PairData> list;
  for (auto& [key, pair] : pairs) {
    if (!pair.curve.empty()) {
      list.push_back(std::move(pair));
    }
  }
  return list;
}

/// True where some pair's time lies outside the channel's median by more than noise.
bool differ(const ScopeData& channel) {
  const std::vector<CurvePoint> middle = curve_of(channel);
  for (const PairData* pair : channel.pairs) {
    for (const CurvePoint& point : middle) {
      const auto found = pair->curve.find(point.bytes);
      if (found != pair->curve.end() && std::abs(found->second.one_way.value / point.seconds - 1) > kAlike &&
          !Interval{found->second.one_way.lower, found->second.one_way.upper}.contains(point.seconds)) {
        return true;
      }
    }
  }
  return false;
}

/// Every channel; then every pair of the channels whose pairs differ.
std::vector<ScopeData> scopes_of(const std::vector<PairData>& pairs, const std::vector<std::string>& channels) {
  std::vector<ScopeData> scopes;
  for (const std::string& channel : channels) {
    scopes.push_back({.scope = {.channel = channel}});
    for (const PairData& pair : pairs) {
      if (pair.channel == channel) {
        scopes.back().pairs.push_back(&pair);
      }
    }
  }
  const std::size_t count = scopes.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (scopes[i].pairs.size() < 2 || !differ(scopes[i])) {
      continue;
    }
    const std::vector<const PairData*> members = scopes[i].pairs;
    for (const PairData* pair : members) {
      ScopeData& own = scopes.emplace_back();
      own.scope.first = pair->first;
      own.scope.second = pair->second;
      own.pairs.push_back(pair);
    }
  }
  return scopes;
}

std::vector<std::string> channels_of(const std::vector<PairData>& pairs) {
  std::vector<std::string> channels;
  for (const char* name : {kSharedCache, kIntraSocket, kInterSocket, kInterNode}) {
    if (std::any_of(pairs.begin(), pairs.end(), [&](const PairData& pair) { return pair.channel == name; })) {
      channels.emplace_back(name);
    }
  }
  return channels;
}

}  // namespace

Estimate scaled(const Estimate& e, double factor) {
  return {e.value * factor, e.lower * factor, e.upper * factor};
}

Estimate at_least_zero(const Estimate& e) {
  return {std::max(e.value, 0.0), std::max(e.lower, 0.0), std::max(e.upper, 0.0)};
}

Estimate estimate_of(const Measurement& m, double factor) {
  return {m.summary.median * factor, m.summary.median_interval.lower * factor,
          m.summary.median_interval.upper * factor};
}

Estimate median_estimate(const std::vector<Estimate>& estimates) {
  std::array<std::vector<double>, 3> ends;
  for (const Estimate& e : estimates) {
    ends[0].push_back(e.value);
    ends[1].push_back(e.lower);
    ends[2].push_back(e.upper);
  }
  return {median(ends[0]), median(ends[1]), median(ends[2])};
}

std::vector<CurvePoint> curve_of(const ScopeData& scope) {
  std::map<Bytes, std::vector<double>> times;
  for (const PairData* pair : scope.pairs) {
    for (const auto& [bytes, point] : pair->curve) {
      times[bytes].push_back(point.one_way.value);
    }
  }
  std::vector<CurvePoint> curve;
  curve.reserve(times.size());
  for (const auto& [bytes, values] : times) {
    curve.push_back({bytes, median(values)});
  }
  return curve;
}

std::map<Bytes, Estimate> train_intervals(const ScopeData& scope) {
  std::map<Bytes, std::vector<Estimate>> all;
  for (const PairData* pair : scope.pairs) {
    for (const auto& [key, time] : pair->trains) {
      const auto single = pair->trains.find({key.first, 1});
      if (key.second == 1 || single == pair->trains.end()) {
        continue;
      }
      const double steps = key.second - 1;
      all[key.first].push_back({(time.value - single->second.value) / steps,
                                (time.lower - single->second.upper) / steps,
                                (time.upper - single->second.lower) / steps});
    }
  }
  std::map<Bytes, Estimate> intervals;
  for (const auto& [bytes, estimates] : all) {
    intervals[bytes] = median_estimate(estimates);
  }
  return intervals;
}

CampaignData::CampaignData(const SampleSet& sample_set)
    : samples(sample_set),
      pairs(sort_by_pair(samples)),
      channels(channels_of(pairs)),
      scopes(scopes_of(pairs, channels)) {}

}  // namespace postage
