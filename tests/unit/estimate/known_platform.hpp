#pragma once

// Campaigns on a cluster of known parameters, and what is looked up in the platform estimated from them.
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/base/error.hpp>
#include <postage/platform/platform.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace postage {

inline constexpr double kOnePercent = 0.01;
inline const std::vector<Bytes> kSizes{0, 1, 64, 1024, 4096, 16384, 65536};
inline const std::vector<Bytes> kOneToTwoSizes{0, 16384};

inline SampleSet measure(const KnownCluster& cluster, const Disturbance& disturbance = {}) {
  return measured(
      cluster.ranks(), all_experiments(cluster.ranks(), kSizes, kOneToTwoSizes),
      [&](const Experiment& e) { return cluster.time_of(e); }, disturbance);
}

inline const ParameterTable& table_of(const Platform& platform, const std::string& model) {
  const auto found = std::find_if(platform.models.begin(), platform.models.end(),
                                  [&](const ParameterTable& table) { return table.model == model; });
  if (found == platform.models.end()) {
    throw Error("no " + model);
  }
  return *found;
}

/// The group of a pair: its own, or that of the pairs that are like it.
inline const ParameterGroup& group_of_pair(const ParameterTable& table, int first, int second) {
  std::pair<int, int> pair{first, second};
  for (const PairClass& alike : table.classes) {
    if (std::find(alike.others.begin(), alike.others.end(), pair) != alike.others.end()) {
      pair = alike.first;
      break;
    }
  }
  const auto found = std::find_if(table.groups.begin(), table.groups.end(), [&](const ParameterGroup& group) {
    return group.scope.is_pair() && group.scope.first == pair.first && group.scope.second == pair.second;
  });
  if (found == table.groups.end()) {
    throw Error("no such pair");
  }
  return *found;
}

inline const ParameterGroup& group_of_processor(const ParameterTable& table, int rank) {
  const auto found = std::find_if(table.groups.begin(), table.groups.end(),
                                  [&](const ParameterGroup& group) { return group.scope.processor == rank; });
  if (found == table.groups.end()) {
    throw Error("no such processor");
  }
  return *found;
}

inline Estimate at_size(const ParameterCurve& curve, Bytes bytes) {
  const auto found = std::find_if(curve.begin(), curve.end(), [&](const auto& point) { return point.bytes == bytes; });
  return found == curve.end() ? Estimate{-1, -1, -1} : found->estimate;
}

}  // namespace postage
