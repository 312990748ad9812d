#include "estimate/network/candidates/group_levels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage {

void append_level(const HostPartition& groups, const char* what, GroupJunction junction, NetworkStructure& network) {
  const auto level = static_cast<int>(network.levels.size());
  network.levels.push_back({.junction = junction});
  for (std::size_t i = 0; i < groups.size(); ++i) {
    network.groups.push_back({.name = fmt::format("{} {}", what, i), .level = level, .parent = -1, .hosts = groups[i]});
  }
}

void join_levels(NetworkStructure& network) {
  for (HostGroup& group : network.groups) {
    for (std::size_t i = 0; i < network.groups.size(); ++i) {
      const HostGroup& other = network.groups[i];
      const bool has_it = std::binary_search(other.hosts.begin(), other.hosts.end(), group.hosts.front());
      group.parent = other.level == group.level + 1 && has_it ? static_cast<int>(i) : group.parent;
    }
  }
}

}  // namespace postage
