#include <postage/optimize/mapping/placement.hpp>

#include <algorithm>

namespace postage {
namespace {

/// Of each host its groups, the highest level first; a host that is in none of a level has a number of its own there.
std::vector<std::vector<int>> groups_of_hosts(const NetworkStructure& network, int hosts) {
  const auto levels = static_cast<int>(network.levels.size());
  std::vector<std::vector<int>> groups(static_cast<std::size_t>(hosts),
                                       std::vector<int>(static_cast<std::size_t>(levels), -1));
  for (std::size_t i = 0; i < network.groups.size(); ++i) {
    const HostGroup& group = network.groups[i];
    for (const int host : group.hosts) {
      if (host < hosts) {
        groups[static_cast<std::size_t>(host)][static_cast<std::size_t>(levels - 1 - group.level)] =
            static_cast<int>(i);
      }
    }
  }
  for (std::size_t host = 0; host < groups.size(); ++host) {
    for (int& group : groups[host]) {
      group = group < 0 ? static_cast<int>(network.groups.size() + host) : group;
    }
  }
  return groups;
}

std::vector<int> by_levels(const Platform& platform, const RankPlacement& placement) {
  const auto per_node = static_cast<std::int64_t>(platform.nodes.front().topology.cores.size());
  const std::int64_t core = placement.node * per_node + placement.core;
  std::vector<int> place;
  for (auto level = platform.levels.rbegin(); level != platform.levels.rend(); ++level) {
    if (level->cores != ChannelLevel::kEverywhere) {
      place.push_back(static_cast<int>(core / level->cores));
    }
  }
  return place;
}

}  // namespace

std::vector<std::vector<int>> places_of(const Platform& platform, const Mapping& slots) {
  const auto count = static_cast<std::size_t>(slots.capacity());
  std::vector<std::vector<int>> groups;
  if (platform.network) {
    groups = groups_of_hosts(*platform.network, slots.nodes());
  }
  std::vector<std::vector<int>> places(count);
  for (std::size_t slot = 0; slot < count; ++slot) {
    const RankPlacement placement = slots.placement_of(static_cast<std::int32_t>(slot));
    std::vector<int>& place = places[slot];
    if (!platform.levels.empty()) {
      place = by_levels(platform, placement);
      continue;
    }
    const auto node = static_cast<std::size_t>(placement.node);
    if (node < groups.size()) {
      place = groups[node];
    }
    const Core& core =
        platform.nodes[node % platform.nodes.size()].topology.cores[static_cast<std::size_t>(placement.core)];
    place.insert(place.end(), {placement.node, core.socket, core.numa, core.cache});
  }
  return places;
}

}  // namespace postage
