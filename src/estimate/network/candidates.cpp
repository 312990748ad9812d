#include "estimate/network/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace postage {
namespace {

/// The largest share of the latencies' variance that steps may leave unexplained: what is left of a torus' where noise
/// of 4 % hides a part, or where pairs were measured by classes and some seem too near. What messages take refuses what
/// is not so.
constexpr double kMostUnexplained = 0.4;
/// That of exact latencies; and how many times the least one another network's may be.
constexpr double kFewUnexplained = 0.02;
constexpr double kMuchMore = 2;
constexpr int kMostDimensions = 4;

/// Networks by the share of the latencies' variance that they leave unexplained.
using Explanations = std::vector<std::pair<double, NetworkStructure>>;

/// Those that leave little unexplained, and not much more than the best of them.
void append_best(Explanations&& all, std::vector<NetworkStructure>& networks) {
  double most = kMostUnexplained;
  for (const auto& [share, network] : all) {
    most = std::min(most, std::max(kFewUnexplained, kMuchMore * share));
  }
  for (auto& [share, network] : all) {
    if (share <= most) {
      networks.push_back(std::move(network));
    }
  }
}

/// All ways to write a number as a product of at least two factors above 1, in any order.
void append_products(int number, std::vector<int>& factors, std::vector<std::vector<int>>& all) {
  if (number == 1) {
    if (factors.size() > 1) {
      all.push_back(factors);
    }
    return;
  }
  for (int factor = 2; factor <= number && factors.size() < kMostDimensions; ++factor) {
    if (number % factor == 0) {
      factors.push_back(factor);
      append_products(number / factor, factors, all);
      factors.pop_back();
    }
  }
}

int steps_in_torus(const std::vector<int>& lengths, int from, int to) {
  int steps = 0;
  for (const int length : lengths) {
    const int apart = std::abs(from % length - to % length);
    steps += std::min(apart, length - apart);
    from /= length;
    to /= length;
  }
  return steps;
}

double unexplained_by_torus(const HostDistances& distances, const std::vector<int>& lengths) {
  return unexplained(distances, [&](int from, int to) { return steps_in_torus(lengths, from, to); });
}

/// Whether both ways along some ring can be as long, over other links.
bool has_two_ways(const std::vector<int>& lengths) {
  return std::any_of(lengths.begin(), lengths.end(), [](int length) { return length > 2 && length % 2 == 0; });
}

void append_tori(const HostDistances& distances, std::vector<NetworkStructure>& networks) {
  std::vector<std::vector<int>> all;
  std::vector<int> factors;
  append_products(distances.hosts(), factors, all);
  all.push_back({distances.hosts()});  // a ring
  Explanations tori;
  for (const std::vector<int>& lengths : all) {
    TorusNetwork torus{lengths, std::vector<std::optional<Estimate>>(lengths.size())};
    const double share = unexplained_by_torus(distances, lengths);
    tori.emplace_back(share, NetworkStructure{.torus = torus});
    if (has_two_ways(lengths)) {
      torus.down_from_middle = true;
      tori.emplace_back(share, NetworkStructure{.torus = std::move(torus)});
    }
  }
  append_best(std::move(tori), networks);
}

void append_level(const HostPartition& groups, const char* what, GroupJunction junction, NetworkStructure& network) {
  const auto level = static_cast<int>(network.levels.size());
  network.levels.push_back({.junction = junction});
  for (std::size_t i = 0; i < groups.size(); ++i) {
    network.groups.push_back({.name = fmt::format("{} {}", what, i), .level = level, .parent = -1, .hosts = groups[i]});
  }
}

/// Each group's parent is the one of the next level that has its first host.
void join_levels(NetworkStructure& network) {
  for (HostGroup& group : network.groups) {
    for (std::size_t i = 0; i < network.groups.size(); ++i) {
      const HostGroup& other = network.groups[i];
      const bool has_it = std::binary_search(other.hosts.begin(), other.hosts.end(), group.hosts.front());
      group.parent = other.level == group.level + 1 && has_it ? static_cast<int>(i) : group.parent;
    }
  }
}

NetworkStructure tree_of(const std::vector<HostPartition>& levels) {
  NetworkStructure tree;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    append_level(levels[i], i == 0 ? "switch" : "group", GroupJunction::kSwitch, tree);
  }
  join_levels(tree);
  return tree;
}

/// Two groups with one link between them, instead of one of each to what joins them: the same bandwidth, but a message
/// that crosses has one link less of those that its share goes by (see Flow::share_bytes).
std::optional<NetworkStructure> joined_by_a_link(const NetworkStructure& tree) {
  if (tree.levels.size() != 1 || tree.groups.size() != 2) {
    return std::nullopt;
  }
  NetworkStructure joined = tree;
  joined.levels.front().junction = GroupJunction::kMesh;
  return joined;
}

/// `count` groups of `size` hosts that follow one another.
HostPartition even_groups(int count, int size) {
  HostPartition groups(static_cast<std::size_t>(count));
  for (int host = 0; host < count * size; ++host) {
    groups[static_cast<std::size_t>(host / size)].push_back(host);
  }
  return groups;
}

/// The router of a group that is nearest to another group: the one that has the link to it.
int exit_towards(const HostDistances& distances, const NetworkStructure& network, int group, int other) {
  int nearest = -1;
  double least = 0;
  for (std::size_t i = 0; i < network.groups.size(); ++i) {
    if (network.groups[i].parent != group) {
      continue;
    }
    for (const int from : network.groups[i].hosts) {
      for (const int to : network.groups[static_cast<std::size_t>(other)].hosts) {
        const double latency = distances.latency(from, to);
        if (latency >= 0 && (nearest < 0 || latency < least * (1 - 1e-6))) {
          nearest = static_cast<int>(i);
          least = latency;
        }
      }
    }
  }
  return nearest;
}

/// Hosts in groups of `routers` routers with `hosts` each, all routers of a group joined, and all groups.
NetworkStructure dragonfly_of(const HostDistances& distances, int of_router, int routers) {
  NetworkStructure network;
  append_level(even_groups(distances.hosts() / of_router, of_router), "router", GroupJunction::kMesh, network);
  const int of_group = of_router * routers;
  const std::size_t first = network.groups.size();
  append_level(even_groups(distances.hosts() / of_group, of_group), "group", GroupJunction::kMesh, network);
  join_levels(network);
  for (std::size_t i = first; i < network.groups.size(); ++i) {
    for (std::size_t j = first; j < network.groups.size(); ++j) {
      if (i != j) {
        network.groups[i].exits[static_cast<int>(j)] =
            exit_towards(distances, network, static_cast<int>(i), static_cast<int>(j));
      }
    }
  }
  return network;
}

/// False where no latency tells which router has the link to some group.
bool knows_exits(const NetworkStructure& network) {
  return std::none_of(network.groups.begin(), network.groups.end(), [](const HostGroup& group) {
    return std::any_of(group.exits.begin(), group.exits.end(), [](const auto& exit) { return exit.second < 0; });
  });
}

int steps_in_dragonfly(const NetworkStructure& network, int of_router, int of_group, int from, int to) {
  const int source = from / of_router;
  const int target = to / of_router;
  const int group = from / of_group;
  const int other = to / of_group;
  if (group == other) {
    return source == target ? 0 : 1;
  }
  const auto first = static_cast<int>(
      std::count_if(network.groups.begin(), network.groups.end(), [](const HostGroup& g) { return g.level == 0; }));
  const auto exit = [&](int of, int towards) {
    return network.groups[static_cast<std::size_t>(first) + static_cast<std::size_t>(of)].exits.at(first + towards);
  };
  return 1 + (exit(group, other) == source ? 0 : 1) + (exit(other, group) == target ? 0 : 1);
}

void append_dragonflies(const HostDistances& distances, std::vector<NetworkStructure>& networks) {
  const int hosts = distances.hosts();
  Explanations dragonflies;
  for (int of_router = 1; of_router <= hosts / 4; ++of_router) {
    for (int routers = 2; of_router * routers <= hosts / 2; ++routers) {
      if (hosts % (of_router * routers) != 0) {
        continue;
      }
      NetworkStructure network = dragonfly_of(distances, of_router, routers);
      if (knows_exits(network)) {
        const double share = unexplained(distances, [&](int from, int to) {
          return steps_in_dragonfly(network, of_router, of_router * routers, from, to);
        });
        dragonflies.emplace_back(share, std::move(network));
      }
    }
  }
  append_best(std::move(dragonflies), networks);
}

}  // namespace

double unexplained(const HostDistances& distances, const Steps& steps) {
  std::map<int, std::pair<double, double>> sums;  // of latencies by steps, and their number
  double sum = 0;
  double count = 0;
  const auto for_each = [&](const auto& visit) {
    for (int a = 0; a < distances.hosts(); ++a) {
      for (int b = 0; b < distances.hosts(); ++b) {
        if (a != b && distances.latency(a, b) >= 0) {
          visit(steps(a, b), distances.latency(a, b));
        }
      }
    }
  };
  for_each([&](int of, double latency) {
    sums[of].first += latency;
    sums[of].second += 1;
    sum += latency;
    count += 1;
  });
  double within = 0;
  double whole = 0;
  for_each([&](int of, double latency) {
    const double mean = sums[of].first / sums[of].second;
    within += (latency - mean) * (latency - mean);
    whole += (latency - sum / count) * (latency - sum / count);
  });
  const auto falls = std::adjacent_find(sums.begin(), sums.end(), [](const auto& near, const auto& far) {
    return far.second.first / far.second.second <= near.second.first / near.second.second;
  });
  return sums.size() > 1 && falls == sums.end() ? within / whole : 1;
}

void append_trees(const std::vector<HostPartition>& levels, std::vector<NetworkStructure>& networks) {
  NetworkStructure tree = tree_of(levels);
  std::optional<NetworkStructure> joined = joined_by_a_link(tree);
  networks.push_back(std::move(tree));
  if (joined) {
    networks.push_back(std::move(*joined));
  }
}

std::vector<NetworkStructure> possible_trees(const HostDistances& distances, bool with_each_level) {
  std::vector<NetworkStructure> trees;
  const std::vector<HostPartition> levels = nested_groups(distances);
  if (!levels.empty()) {
    append_trees(levels, trees);
  }
  for (std::size_t i = 0; with_each_level && levels.size() > 1 && i < levels.size(); ++i) {
    append_trees({levels[i]}, trees);
  }
  return trees;
}

std::vector<NetworkStructure> possible_networks(const HostDistances& distances, bool with_each_level) {
  std::vector<NetworkStructure> networks = possible_trees(distances, with_each_level);
  append_tori(distances, networks);
  append_dragonflies(distances, networks);
  return networks;
}

bool is_torus(const HostDistances& distances, const std::vector<int>& lengths) {
  return unexplained_by_torus(distances, lengths) <= kFewUnexplained;
}

}  // namespace postage
