#include "estimate/data/scopes.hpp"

#include "estimate/data/likeness.hpp"
#include "estimate/data/pair_classes.hpp"

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// Pairs of one channel count as alike up to this difference, even where their intervals are narrower.
constexpr double kAlike = 0.02;
/// Pairs whose times differ at a smaller share of their sizes count as alike.
constexpr double kLeastDifferent = 0.2;

/// True where the pair's time at that size lies outside the channel's median by more than noise.
bool differs(const PairData& pair, const CurvePoint& middle, double alike) {
  const auto found = pair.curve.find(middle.bytes);
  return found != pair.curve.end() && std::abs(found->second.one_way.value / middle.seconds - 1) > alike &&
         !Interval{found->second.one_way.lower, found->second.one_way.upper}.contains(middle.seconds);
}

/// True where some pair differs at more sizes than chance explains: one interval in twenty misses what it is for.
bool differ(const ScopeData& channel, double alike) {
  const std::vector<CurvePoint> middle = curve_of(channel);
  return std::any_of(channel.pairs.begin(), channel.pairs.end(), [&](const PairData* pair) {
    const auto sizes = std::count_if(middle.begin(), middle.end(),
                                     [&](const CurvePoint& point) { return differs(*pair, point, alike); });
    return static_cast<double>(sizes) >= kLeastDifferent * static_cast<double>(pair->curve.size());
  });
}

/// Each pair as often as others are like it, in a list of about so many.
constexpr double kWeighted = 64;

std::vector<const PairData*> weighted(const std::vector<const PairData*>& pairs, const PairStructure& structure) {
  const std::map<const PairData*, double> weights = weights_of(pairs, structure);
  double sum = 0;
  for (const auto& [pair, weight] : weights) {
    sum += weight;
  }
  const double unit = sum / std::max(kWeighted, static_cast<double>(pairs.size()));
  std::vector<const PairData*> list;
  for (const PairData* pair : pairs) {
    list.insert(list.end(), static_cast<std::size_t>(std::max(std::round(weights.at(pair) / unit), 1.0)), pair);
  }
  return list;
}

/// Pairs of a channel that are alike; none where all are.
std::vector<std::vector<const PairData*>> classes_in(const ScopeData& channel, const PairStructure& structure,
                                                     bool is_virtual) {
  const bool is_within_node = channel.channel() != kInterNode;
  const bool is_in_real_node = !is_virtual && is_within_node;
  if (channel.pairs.size() < 2) {
    return {};
  }
  if (differ(channel, is_in_real_node ? kLeastDifferenceWithinNode : kAlike)) {
    return classes_of(channel.pairs, is_in_real_node ? kLeastDifferenceWithinNode : kLeastAlike);
  }
  return is_virtual || is_within_node ? std::vector<std::vector<const PairData*>>{}
                                      : classes_by_probes(channel.pairs, structure);
}

}  // namespace

std::vector<ScopeData> scopes_of(const std::vector<PairData>& pairs, const std::vector<std::string>& channels,
                                 const PairStructure& structure, bool is_virtual) {
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
    std::vector<std::vector<const PairData*>> classes = classes_in(scopes[i], structure, is_virtual);
    if (classes.empty()) {
      continue;
    }
    for (std::vector<const PairData*>& alike : classes) {
      ScopeData& own = scopes.emplace_back();
      own.scope.first = alike.front()->first;
      own.scope.second = alike.front()->second;
      own.pairs = std::move(alike);
    }
    if (!structure.empty()) {
      scopes[i].pairs = weighted(scopes[i].pairs, structure);
    }
  }
  for (ScopeData& scope : scopes) {
    scope.lines = fit_pieces(curve_of(scope));
  }
  return scopes;
}

}  // namespace postage
