#include "estimate/network/candidates/dragonflies.hpp"

#include "estimate/network/bandwidths.hpp"
#include "estimate/network/candidates/group_levels.hpp"

#include <postage/platform/network_links.hpp>

#include <algorithm>
#include <utility>

namespace postage {
namespace {

/// How hosts that follow one another are divided.
struct DragonflyShape {
  int of_router = 1;  ///< hosts
  int routers = 1;    ///< in a row
  int rows = 1;       ///< in a group
  int groups = 1;
};

/// All in which there are at least two groups, or two rows, of at least two routers.
std::vector<DragonflyShape> shapes_of(int hosts) {
  std::vector<DragonflyShape> shapes;
  for (int of_router = 1; of_router <= hosts / 4; ++of_router) {
    for (int routers = 2; of_router * routers <= hosts / 2; ++routers) {
      const int of_row = of_router * routers;
      for (int rows = 1; of_row * rows <= hosts; ++rows) {
        if (hosts % (of_row * rows) == 0) {
          shapes.push_back({of_router, routers, rows, hosts / (of_row * rows)});
        }
      }
    }
  }
  return shapes;
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
int exit_towards(const HostDistances& distances, const NetworkStructure& network, std::size_t group,
                 std::size_t other) {
  const std::vector<int>& hosts = network.groups[group].hosts;
  int nearest = -1;
  double least = 0;
  for (std::size_t i = 0; i < network.groups.size() && network.groups[i].level == 0; ++i) {
    if (!std::binary_search(hosts.begin(), hosts.end(), network.groups[i].hosts.front())) {
      continue;
    }
    for (const int from : network.groups[i].hosts) {
      for (const int to : network.groups[other].hosts) {
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

NetworkStructure dragonfly_of(const HostDistances& distances, const DragonflyShape& shape, bool from_first_row) {
  NetworkStructure network;
  const int hosts = distances.hosts();
  append_level(even_groups(hosts / shape.of_router, shape.of_router), "router", GroupJunction::kMesh, network);
  if (shape.rows > 1) {
    const int of_row = shape.of_router * shape.routers;
    append_level(even_groups(hosts / of_row, of_row), "row", GroupJunction::kRows, network);
    network.levels.back().from_first_row = from_first_row;
  }
  const std::size_t first = network.groups.size();
  if (shape.groups > 1) {
    append_level(even_groups(shape.groups, hosts / shape.groups), "group", GroupJunction::kMesh, network);
  }
  join_levels(network);
  for (std::size_t i = first; i < network.groups.size(); ++i) {
    for (std::size_t j = first; j < network.groups.size(); ++j) {
      if (i != j) {
        network.groups[i].exits[static_cast<int>(j)] = exit_towards(distances, network, i, j);
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

/// By the number of links from a host to another and back (see unexplained), which need not be as many.
double unexplained_by_links(const HostDistances& distances, NetworkStructure network) {
  for (GroupLevel& level : network.levels) {
    level.bandwidth = kUnlimited;
  }
  const NetworkLinks links(std::move(network), static_cast<std::size_t>(distances.hosts()));
  std::vector<LinkOnRoute> route;
  return unexplained(distances, [&](int from, int to) {
    links.find_route(from, to, route);
    const std::size_t there = route.size();
    links.find_route(to, from, route);
    return static_cast<int>(there + route.size());
  });
}

}  // namespace

void append_dragonflies(const HostDistances& distances, Explanations& dragonflies) {
  for (const DragonflyShape& shape : shapes_of(distances.hosts())) {
    for (const bool from_first_row : {false, true}) {
      if (from_first_row && (shape.rows == 1 || shape.groups == 1)) {
        continue;
      }
      NetworkStructure network = dragonfly_of(distances, shape, from_first_row);
      if (knows_exits(network)) {
        const double share = unexplained_by_links(distances, network);
        dragonflies.emplace_back(share, std::move(network));
      }
    }
  }
}

}  // namespace postage
