#include "estimate/campaign_data.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace postage {
namespace {

/// Pairs of one channel count as alike up to this difference, even where their intervals are narrower.
constexpr double kAlike = 0.02;
/// Pairs whose times differ at a smaller share of their sizes count as alike.
constexpr double kLeastDifferent = 0.2;

void add(PairData& pair, const Measurement& m) {
  const Experiment& e = m.experiment;
  pair.measurements.push_back(&m);
  if (e.kind == ExperimentKind::kRoundtrip) {
    if (e.bytes == e.reply_bytes) {
      pair.curve[e.bytes] = {e.source,        e.target, pair.channel, e.bytes, estimate_of(m, 0.5),
                             m.summary.count, m.precise};
    }
    if (e.reply_bytes == 0) {
      pair.trains[{e.bytes, 1}] = estimate_of(m);
    }
  } else if (e.kind == ExperimentKind::kTrain && e.delay == 0) {
    pair.trains[{e.bytes, e.messages}] = estimate_of(m);
  } else if (e.kind == ExperimentKind::kSendOverhead) {
    pair.send_overhead[e.source][e.bytes] = estimate_of(m);
  } else if (e.kind == ExperimentKind::kDelayedReceive) {
    pair.receive_overhead[e.source][e.bytes] = estimate_of(m);
  }
}

/// By parametrised roundtrips: what each message of a train with delays d takes beyond d, for both ends alike.
void take_overheads_from_trains(PairData& pair) {
  pair.send_overhead.clear();
  for (const Measurement* m : pair.measurements) {
    const Experiment& e = m->experiment;
    const auto single = pair.trains.find({e.bytes, 1});
    if (e.kind == ExperimentKind::kTrain && e.delay > 0 && single != pair.trains.end()) {
      const Estimate others = scaled(minus(estimate_of(*m), single->second), 1.0 / (e.messages - 1));
      pair.send_overhead[e.source][e.bytes] = at_least_zero(minus(others, Estimate::exactly(e.delay)));
    }
  }
  pair.receive_overhead = pair.send_overhead;
}

std::vector<PairData> sort_by_pair(const SampleSet& samples, const EstimateSettings& settings,
                                   const std::set<Bytes>& left_out) {
  std::map<std::pair<int, int>, PairData> pairs;
  for (const Measurement& m : samples.measurements) {
    if (!is_between_two(m.experiment.kind) || left_out.contains(m.experiment.bytes)) {
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
      if (settings.overheads == OverheadMethod::kTrains) {
        take_overheads_from_trains(pair);
      }
      list.push_back(std::move(pair));
    }
  }
  return list;
}

/// True where the pair's time at that size lies outside the channel's median by more than noise.
bool differs(const PairData& pair, const CurvePoint& middle) {
  const auto found = pair.curve.find(middle.bytes);
  return found != pair.curve.end() && std::abs(found->second.one_way.value / middle.seconds - 1) > kAlike &&
         !Interval{found->second.one_way.lower, found->second.one_way.upper}.contains(middle.seconds);
}

/// True where some pair differs at more sizes than chance explains: one interval in twenty misses what it is for.
bool differ(const ScopeData& channel) {
  const std::vector<CurvePoint> middle = curve_of(channel);
  return std::any_of(channel.pairs.begin(), channel.pairs.end(), [&](const PairData* pair) {
    const auto sizes =
        std::count_if(middle.begin(), middle.end(), [&](const CurvePoint& point) { return differs(*pair, point); });
    return static_cast<double>(sizes) >= kLeastDifferent * static_cast<double>(pair->curve.size());
  });
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
  for (ScopeData& scope : scopes) {
    scope.lines = fit_pieces(curve_of(scope));
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

/// Several estimates of the same times.
using AllBySize = std::map<Bytes, std::vector<Estimate>>;

void collect(AllBySize& all, const TimesBySize& times) {
  for (const auto& [bytes, time] : times) {
    all[bytes].push_back(time);
  }
}

TimesBySize medians(const AllBySize& all) {
  TimesBySize times;
  for (const auto& [bytes, estimates] : all) {
    times[bytes] = median_estimate(estimates);
  }
  return times;
}

TimesBySize means(const AllBySize& all) {
  TimesBySize times;
  for (const auto& [bytes, estimates] : all) {
    Estimate sum;
    for (const Estimate& estimate : estimates) {
      sum = plus(sum, estimate);
    }
    times[bytes] = scaled(sum, 1.0 / static_cast<double>(estimates.size()));
  }
  return times;
}

std::map<std::pair<std::string, int>, RankOverheads> overheads_by_rank(const std::vector<PairData>& pairs) {
  std::map<std::pair<std::string, int>, std::pair<AllBySize, AllBySize>> all;
  for (const PairData& pair : pairs) {
    for (const auto& [rank, times] : pair.send_overhead) {
      collect(all[{pair.channel, rank}].first, times);
    }
    for (const auto& [rank, times] : pair.receive_overhead) {
      collect(all[{pair.channel, rank}].second, times);
    }
  }
  std::map<std::pair<std::string, int>, RankOverheads> overheads;
  for (const auto& [key, both] : all) {
    overheads[key] = {medians(both.first), medians(both.second)};
  }
  return overheads;
}

}  // namespace

Estimate plus(const Estimate& a, const Estimate& b) {
  const double value = a.value + b.value;
  return {value, value - std::hypot(a.value - a.lower, b.value - b.lower),
          value + std::hypot(a.upper - a.value, b.upper - b.value)};
}

Estimate minus(const Estimate& a, const Estimate& b) {
  return plus(a, {-b.value, -b.upper, -b.lower});
}

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

TimesBySize train_intervals(const ScopeData& scope) {
  AllBySize all;
  for (const PairData* pair : scope.pairs) {
    for (const auto& [key, time] : pair->trains) {
      const auto single = pair->trains.find({key.first, 1});
      if (key.second > 1 && single != pair->trains.end()) {
        all[key.first].push_back(scaled(minus(time, single->second), 1.0 / (key.second - 1)));
      }
    }
  }
  return medians(all);
}

TimesBySize reply_roundtrips(const ScopeData& scope) {
  AllBySize all;
  for (const PairData* pair : scope.pairs) {
    for (const auto& [key, time] : pair->trains) {
      if (key.second == 1) {
        all[key.first].push_back(time);
      }
    }
  }
  return medians(all);
}

RankOverheads overheads_of(const CampaignData& campaign, const ScopeData& scope) {
  std::set<int> ranks;
  for (const PairData* pair : scope.pairs) {
    ranks.insert({pair->first, pair->second});
  }
  AllBySize sends;
  AllBySize receives;
  for (const int rank : ranks) {
    const auto found = campaign.overheads.find({scope.channel(), rank});
    if (found != campaign.overheads.end()) {
      collect(sends, found->second.send);
      collect(receives, found->second.receive);
    }
  }
  return scope.scope.is_pair() ? RankOverheads{means(sends), means(receives)}
                               : RankOverheads{medians(sends), medians(receives)};
}

CampaignData::CampaignData(const SampleSet& sample_set, const EstimateSettings& estimate_settings,
                           const std::set<Bytes>& left_out)
    : samples(sample_set),
      settings(estimate_settings),
      pairs(sort_by_pair(samples, settings, left_out)),
      channels(channels_of(pairs)),
      scopes(scopes_of(pairs, channels)),
      overheads(overheads_by_rank(pairs)) {}

}  // namespace postage
