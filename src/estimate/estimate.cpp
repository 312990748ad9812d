#include <postage/base/error.hpp>
#include <postage/base/statistics.hpp>
#include <postage/estimate/estimate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace postage {
namespace {

/// Pairs of one channel count as alike up to this difference, even where their intervals are narrower.
constexpr double kAlike = 0.02;

Estimate estimate_of(const Measurement& m, double factor) {
  return {m.summary.median * factor, m.summary.median_interval.lower * factor,
          m.summary.median_interval.upper * factor};
}

/// What was measured between two ranks.
struct PairData {
  int first = 0;
  int second = 0;
  std::string channel;
  std::map<Bytes, MeasuredPoint> curve;
  std::vector<Estimate> send_overhead;
  std::vector<Estimate> receive_overhead;
  std::map<std::pair<Bytes, int>, Estimate> trains;  ///< by size and number of messages
};

/// Several pairs' measurements as one: medians over the pairs of what each gave.
struct ScopeData {
  ParameterScope scope;
  std::vector<const PairData*> pairs;
};

Estimate median_estimate(const std::vector<Estimate>& estimates) {
  std::array<std::vector<double>, 3> ends;
  for (const Estimate& e : estimates) {
    ends[0].push_back(e.value);
    ends[1].push_back(e.lower);
    ends[2].push_back(e.upper);
  }
  return {median(ends[0]), median(ends[1]), median(ends[2])};
}

std::string channel_of(const SampleSet& samples, int a, int b) {
  const RankPlace& from = samples.ranks[static_cast<std::size_t>(a)];
  const RankPlace& to = samples.ranks[static_cast<std::size_t>(b)];
  if (from.node != to.node) {
    return kInterNode;
  }
  const auto& cores = samples.nodes[static_cast<std::size_t>(from.node)].topology.cores;
  return channel_between(cores[static_cast<std::size_t>(from.core)], cores[static_cast<std::size_t>(to.core)]);
}

void add(PairData& pair, const Measurement& m) {
  const Experiment& e = m.experiment;
  if (e.kind == "roundtrip" && e.bytes == e.reply_bytes) {
    pair.curve[e.bytes] = {e.source, e.target, pair.channel, e.bytes, estimate_of(m, 0.5), m.summary.count, m.precise};
  } else if (e.kind == "send-overhead") {
    pair.send_overhead.push_back(estimate_of(m, 1));
  } else if (e.kind == "delayed-receive") {
    pair.receive_overhead.push_back(estimate_of(m, 1));
  } else if (e.kind == "train") {
    pair.trains[{e.bytes, e.messages}] = estimate_of(m, 1);
  }
}

std::vector<PairData> sort_by_pair(const SampleSet& samples) {
  std::map<std::pair<int, int>, PairData> pairs;
  for (const Measurement& m : samples.measurements) {
    if (m.experiment.kind == "collective") {
      continue;
    }
    const auto key = std::minmax(m.experiment.source, m.experiment.target);
    PairData& pair = pairs[key];
    pair.first = key.first;
    pair.second = key.second;
    pair.channel = channel_of(samples, key.first, key.second);
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

std::vector<ParameterGroup> hockney_groups(const ScopeData& scope) {
  std::vector<ParameterGroup> groups;
  for (const LinePiece& line : fit_pieces(curve_of(scope))) {
    groups.push_back({scope.scope, line.from_bytes, {{"alpha", line.intercept}, {"beta", line.slope}}});
  }
  return groups;
}

template <typename Select>
std::vector<Estimate> collect(const ScopeData& scope, const Select& select) {
  std::vector<Estimate> all;
  for (const PairData* pair : scope.pairs) {
    const std::vector<Estimate> own = select(*pair);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

/// Time from one message of a train to the next, by size: (T(n) - T(1))/(n - 1).
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

Estimate at_least_zero(const Estimate& e) {
  return {std::max(e.value, 0.0), std::max(e.lower, 0.0), std::max(e.upper, 0.0)};
}

/// The gap of the smallest train at or above `from`, or else of the largest below: what a train takes between messages
/// beyond the bytes themselves.
Estimate gap_from(const std::map<Bytes, Estimate>& intervals, Bytes from, Bytes before, const Estimate& per_byte) {
  auto train = intervals.lower_bound(std::max<Bytes>(from, 1));
  if (train == intervals.end() || train->first >= before) {
    train = train == intervals.begin() ? train : std::prev(train);
  }
  const double rest = static_cast<double>(std::max<Bytes>(train->first - 1, 0));
  return at_least_zero({train->second.value - rest * per_byte.value, train->second.lower - rest * per_byte.upper,
                        train->second.upper - rest * per_byte.lower});
}

Estimate scaled(const Estimate& e, double factor) {
  return {e.value * factor, e.lower * factor, e.upper * factor};
}

std::vector<ParameterGroup> loggp_groups(const ScopeData& scope) {
  const auto sends = collect(scope, [](const PairData& p) { return p.send_overhead; });
  const auto receives = collect(scope, [](const PairData& p) { return p.receive_overhead; });
  const std::map<Bytes, Estimate> intervals = train_intervals(scope);
  if (sends.empty() || receives.empty() || intervals.empty()) {
    return {};
  }
  const std::vector<LinePiece> lines = fit_pieces(curve_of(scope));
  std::vector<ParameterGroup> groups;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const LinePiece& line = lines[i];
    Estimate send = median_estimate(sends);
    Estimate receive = median_estimate(receives);
    const double whole = line.intercept.value + line.slope.value;  // a message of one byte
    const double overheads = send.value + receive.value;
    if (overheads > whole) {
      send = scaled(send, whole / overheads);
      receive = scaled(receive, whole / overheads);
    }
    const Estimate latency = at_least_zero({whole - send.value - receive.value,
                                            line.intercept.lower + line.slope.lower - send.value - receive.value,
                                            line.intercept.upper + line.slope.upper - send.value - receive.value});
    const Bytes before = i + 1 < lines.size() ? lines[i + 1].from_bytes : std::numeric_limits<Bytes>::max();
    groups.push_back({scope.scope,
                      line.from_bytes,
                      {{"L", latency},
                       {"o_s", send},
                       {"o_r", receive},
                       {"g", gap_from(intervals, line.from_bytes, before, line.slope)},
                       {"G", line.slope}}});
  }
  return groups;
}

const ParameterGroup* group_for(const std::vector<ParameterGroup>& groups, const MeasuredPoint& point) {
  const ParameterGroup* best = nullptr;
  for (const ParameterGroup& group : groups) {
    const bool is_pair = group.scope.is_pair() && group.scope.first == std::min(point.source, point.target) &&
                         group.scope.second == std::max(point.source, point.target);
    const bool fits = is_pair || group.scope.channel == point.channel;
    const bool better = best == nullptr || is_pair > best->scope.is_pair() ||
                        (is_pair == best->scope.is_pair() && group.from_bytes > best->from_bytes);
    if (fits && group.from_bytes <= point.bytes && better) {
      best = &group;
    }
  }
  return best;
}

/// Time of one message by the equation of the model.
double evaluate(const std::string& model, const ParameterGroup& group, Bytes bytes) {
  const auto value = [&](const char* symbol) { return group.values.at(symbol).value; };
  const auto m = static_cast<double>(bytes);
  return model == "hockney" ? value("alpha") + value("beta") * m
                            : value("o_s") + value("L") + std::max(m - 1, 0.0) * value("G") + value("o_r");
}

FitQuality quality_of(const ParameterTable& table, const std::vector<MeasuredPoint>& points) {
  std::vector<double> errors;
  FitQuality fit{.points = points.size(), .smallest = points.front().bytes, .largest = points.front().bytes};
  for (const MeasuredPoint& point : points) {
    const ParameterGroup* group = group_for(table.groups, point);
    errors.push_back(std::abs(evaluate(table.model, *group, point.bytes) / point.one_way.value - 1));
    fit.smallest = std::min(fit.smallest, point.bytes);
    fit.largest = std::max(fit.largest, point.bytes);
  }
  fit.median_relative_residual = median(errors);
  fit.largest_relative_residual = *std::max_element(errors.begin(), errors.end());
  return fit;
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

template <typename Groups>
void add_model(Platform& platform, const std::string& name, const std::vector<ScopeData>& scopes,
               const Groups& groups_of) {
  ParameterTable table{.model = name, .groups = {}, .fit = {}};
  for (const ScopeData& scope : scopes) {
    const std::vector<ParameterGroup> groups = groups_of(scope);
    table.groups.insert(table.groups.end(), groups.begin(), groups.end());
  }
  if (!table.groups.empty()) {
    table.fit = quality_of(table, platform.points);
    platform.models.push_back(std::move(table));
  }
}

}  // namespace

Platform estimate_platform(const SampleSet& samples, const std::string& name) {
  const std::vector<PairData> pairs = sort_by_pair(samples);
  if (pairs.empty()) {
    throw Error("there are no roundtrips among the samples to estimate parameters from");
  }
  Platform platform{.name = name,
                    .implementation = samples.implementation,
                    .created = samples.created,
                    .is_virtual = samples.is_virtual,
                    .channels = channels_of(pairs),
                    .nodes = samples.nodes,
                    .ranks = samples.ranks,
                    .channel_thresholds = samples.channel_thresholds};
  for (const PairData& pair : pairs) {
    for (const auto& [bytes, point] : pair.curve) {
      platform.points.push_back(point);
    }
  }
  const std::vector<ScopeData> scopes = scopes_of(pairs, platform.channels);
  add_model(platform, "hockney", scopes, hockney_groups);
  add_model(platform, "loggp", scopes, loggp_groups);
  return platform;
}

}  // namespace postage
