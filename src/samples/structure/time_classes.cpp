#include "samples/structure/known_pairs.hpp"

#include <postage/base/statistics.hpp>
#include <postage/samples/samples.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <string_view>

namespace postage {
namespace {

constexpr std::array kChannelOrder{kSharedCache, kIntraSocket, kInterSocket, kInterNode};
/// Classes whose first times are further apart than this cannot be alike, however uncertain they are.
constexpr double kNeverAlike = 1.5;

/// Probes that are alike, while they are found.
struct Cluster {
  int channel = 0;
  std::vector<const PairProbe*> probes;
  std::vector<Estimate> middle;  ///< of the median probe

  void add(const PairProbe& probe) {
    probes.push_back(&probe);
    middle = probes[probes.size() / 2]->times;  // they come in order of the first time
  }
};

struct NumberedProbe {
  int channel = 0;
  const PairProbe* probe = nullptr;
  [[nodiscard]] double first_time() const { return probe->times.front().value; }
};

std::vector<NumberedProbe> in_order(const PairProbes& probes, std::span<const Node> nodes,
                                    std::span<const RankPlacement> ranks) {
  std::vector<NumberedProbe> all;
  for (const PairProbe& probe : probes.pairs) {
    if (!probe.times.empty()) {
      all.push_back({channel_number(nodes, ranks, probe.ranks.first, probe.ranks.second), &probe});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const NumberedProbe& a, const NumberedProbe& b) {
    return std::pair(a.channel, a.first_time()) < std::pair(b.channel, b.first_time());
  });
  return all;
}

/// The last of those before it that the probe is alike.
Cluster* cluster_for(const NumberedProbe& one, double least_difference, std::vector<Cluster>& clusters) {
  for (Cluster& cluster : std::views::reverse(clusters)) {
    if (cluster.channel != one.channel || one.first_time() > kNeverAlike * cluster.middle.front().value) {
      return nullptr;
    }
    if (are_alike(cluster.middle, one.probe->times, least_difference)) {
      return &cluster;
    }
  }
  return nullptr;
}

TimeClass class_of(const Cluster& cluster, std::size_t sizes) {
  TimeClass found{.channel = cluster.channel, .times = {}, .pairs = {}};
  for (std::size_t size = 0; size < sizes; ++size) {
    std::vector<double> times;
    times.reserve(cluster.probes.size());
    for (const PairProbe* probe : cluster.probes) {
      times.push_back(probe->times[size].value);
    }
    found.times.push_back(median(times));
  }
  for (const PairProbe* probe : cluster.probes) {
    found.pairs.push_back(probe->ranks);
  }
  std::sort(found.pairs.begin(), found.pairs.end(), [](const RankPair& a, const RankPair& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  return found;
}

double speed_order(const TimeClass& one) {
  double sum = 0;
  for (const double time : one.times) {
    sum += std::log(std::max(time, 1e-12));
  }
  return sum;
}

}  // namespace

int channel_number(std::span<const Node> nodes, std::span<const RankPlacement> ranks, int a, int b) {
  const std::string_view name =
      channel_of(nodes, ranks[static_cast<std::size_t>(a)], ranks[static_cast<std::size_t>(b)]);
  return static_cast<int>(std::find(kChannelOrder.begin(), kChannelOrder.end(), name) - kChannelOrder.begin());
}

const char* channel_name(int number) {
  return kChannelOrder[static_cast<std::size_t>(number)];
}

int channel_number_between_nodes() {
  return static_cast<int>(kChannelOrder.size()) - 1;
}

std::vector<TimeClass> time_classes(const PairProbes& probes, std::span<const Node> nodes,
                                    std::span<const RankPlacement> ranks, double within_nodes) {
  std::vector<Cluster> clusters;
  for (const NumberedProbe& one : in_order(probes, nodes, ranks)) {
    const bool is_within = one.channel != channel_number_between_nodes();
    Cluster* const known = cluster_for(one, is_within ? within_nodes : kLeastProbedDifference, clusters);
    if (known != nullptr) {
      known->add(*one.probe);
    } else {
      clusters.push_back({.channel = one.channel});
      clusters.back().add(*one.probe);
    }
  }
  std::vector<TimeClass> classes;
  classes.reserve(clusters.size());
  for (const Cluster& cluster : clusters) {
    classes.push_back(class_of(cluster, cluster.middle.size()));
  }
  std::stable_sort(classes.begin(), classes.end(), [](const TimeClass& a, const TimeClass& b) {
    return std::pair(a.channel, speed_order(a)) < std::pair(b.channel, speed_order(b));
  });
  return classes;
}

double distance(const TimeClass& a, const TimeClass& b) {
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.times.size(), b.times.size()); ++i) {
    most = std::max(most, std::abs(std::log(std::max(a.times[i], 1e-12) / std::max(b.times[i], 1e-12))));
  }
  return std::min(most, 1.0);
}

}  // namespace postage
