#include "report/network/level_times.hpp"

#include <postage/base/statistics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace postage {
namespace {

/// Where two ranks meet: inside a node by the channel's order, then levels of groups, then steps of a torus.
struct PairLevel {
  int distance = 0;
  std::string between;
};

int steps_between(const std::vector<int>& lengths, int a, int b) {
  int steps = 0;
  for (const int length : lengths) {
    const int apart = std::abs(a % length - b % length);
    steps += std::min(apart, length - apart);
    a /= length;
    b /= length;
  }
  return steps;
}

std::string inside_a_node(const std::string& channel) {
  if (channel == kSharedCache) {
    return "cores that share a cache";
  }
  return channel == kIntraSocket ? "cores of one socket" : channel == kInterSocket ? "sockets of one host" : channel;
}

class LevelFinder {
 public:
  explicit LevelFinder(const Platform& platform) : platform_(platform) {
    const std::size_t levels = platform.network ? platform.network->levels.size() : 0;
    group_of_.assign(levels, std::vector<int>(platform.nodes.size(), -1));
    for (std::size_t i = 0; i < (platform.network ? platform.network->groups.size() : 0); ++i) {
      const HostGroup& group = platform.network->groups[i];
      for (const int host : group.hosts) {
        group_of_[static_cast<std::size_t>(group.level)][static_cast<std::size_t>(host)] = static_cast<int>(i);
      }
    }
  }

  [[nodiscard]] PairLevel find(const MeasuredPoint& point) const {
    const int a = platform_.ranks[static_cast<std::size_t>(point.source)].node;
    const int b = platform_.ranks[static_cast<std::size_t>(point.target)].node;
    if (a == b) {
      const auto channel = std::ranges::find(platform_.channels, point.channel) - platform_.channels.begin();
      return {static_cast<int>(channel), inside_a_node(point.channel)};
    }
    return between_hosts(a, b);
  }

 private:
  [[nodiscard]] PairLevel between_hosts(int a, int b) const {
    const int inside = static_cast<int>(platform_.channels.size());
    if (platform_.network && platform_.network->torus) {
      const int steps = steps_between(platform_.network->torus->lengths, a, b);
      return {inside + steps, fmt::format("hosts {} step{} apart", steps, steps == 1 ? "" : "s")};
    }
    for (std::size_t level = 0; level < group_of_.size(); ++level) {
      const int group = group_of_[level][static_cast<std::size_t>(a)];
      if (group >= 0 && group == group_of_[level][static_cast<std::size_t>(b)]) {
        return {inside + static_cast<int>(level),
                level == 0 ? "hosts of one group" : fmt::format("hosts of one group of level {}", level + 1)};
      }
    }
    return {inside + static_cast<int>(group_of_.size()), group_of_.empty() ? "hosts" : "hosts of different groups"};
  }

  const Platform& platform_;
  std::vector<std::vector<int>> group_of_;  ///< [level][host]
};

Estimate median_over_pairs(const std::vector<Estimate>& estimates) {
  std::vector<double> values;
  std::vector<double> lower;
  std::vector<double> upper;
  for (const Estimate& estimate : estimates) {
    values.push_back(estimate.value);
    lower.push_back(estimate.lower);
    upper.push_back(estimate.upper);
  }
  return {median(values), median(lower), median(upper)};
}

struct LevelPoints {
  std::string between;
  std::set<std::pair<int, int>> pairs;
  std::map<Bytes, std::vector<Estimate>> times;
};

LevelTime summary_of(const LevelPoints& points) {
  LevelTime level{.between = points.between, .pairs = points.pairs.size()};
  level.smallest = points.times.begin()->first;
  level.latency = median_over_pairs(points.times.begin()->second);
  const auto& [bytes, estimates] = *points.times.rbegin();
  const Estimate longest = median_over_pairs(estimates);
  if (longest.value > level.latency.value) {
    const auto more = static_cast<double>(bytes - level.smallest);
    level.largest = bytes;
    level.rate = Estimate{more / (longest.value - level.latency.value), more / (longest.upper - level.latency.lower),
                          more / std::max(longest.lower - level.latency.upper, 0.0)};
  }
  return level;
}

/// Platforms that were put together by hand may have times, but no ranks.
bool has_ranks_of(const Platform& platform, const MeasuredPoint& point) {
  const auto ranks = static_cast<int>(platform.ranks.size());
  return std::min(point.source, point.target) >= 0 && std::max(point.source, point.target) < ranks;
}

}  // namespace

std::vector<LevelTime> level_times(const Platform& platform) {
  const LevelFinder finder(platform);
  std::map<int, LevelPoints> by_distance;
  for (const MeasuredPoint& point : platform.points) {
    if (!has_ranks_of(platform, point)) {
      continue;
    }
    PairLevel where = finder.find(point);
    LevelPoints& level = by_distance[where.distance];
    level.between = std::move(where.between);
    level.pairs.insert(std::minmax(point.source, point.target));
    level.times[point.bytes].push_back(point.one_way);
  }
  std::vector<LevelTime> levels;
  for (const auto& [distance, points] : by_distance) {
    levels.push_back(summary_of(points));
  }
  return levels;
}

}  // namespace postage
