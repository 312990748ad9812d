#include <postage/base/error.hpp>
#include <postage/model/model.hpp>
#include <postage/predict/given_parameters.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// The channel within a node; throws UsageError where the table has several, or one that is unknown.
std::string channel_within(const std::vector<std::string>& channels) {
  std::string within;
  for (const std::string& name : channels) {
    if (name == kInterNode) {
      continue;
    }
    if (name != kSharedCache && name != kIntraSocket && name != kInterSocket) {
      throw UsageError(
          unknown_name("channel of --params", name,
                       fmt::format("{}, {}, {}, {}", kSharedCache, kIntraSocket, kInterSocket, kInterNode)));
    }
    if (!within.empty()) {
      throw UsageError(
          fmt::format("--params names the channels {} and {}; parameters given by hand have one channel within a "
                      "node: for more, give --platform FILE",
                      within, name));
    }
    within = name;
  }
  return within.empty() ? kSharedCache : within;
}

/// Cores that talk to one another over `channel`.
NodeTopology topology_with(const std::string& channel, std::int32_t cores) {
  NodeTopology topology;
  for (std::int32_t i = 0; i < cores; ++i) {
    topology.cores.push_back(
        {.pu = i, .socket = channel == kInterSocket ? i : 0, .numa = 0, .cache = channel == kSharedCache ? 0 : i});
  }
  return topology;
}

std::int32_t largest_rank(const ParameterTable& table) {
  std::int32_t largest = -1;
  for (const ParameterGroup& group : table.groups) {
    largest = std::max({largest, group.scope.processor, group.scope.second});
  }
  return largest;
}

}  // namespace

bool depends_on_mapping(const ParameterTable& table) {
  return !channels_of(table).empty() || largest_rank(table) >= 0;
}

Platform platform_of(const ParameterTable& table, std::int32_t nodes, std::int32_t per_node) {
  const std::string within = channel_within(channels_of(table));
  const std::int32_t largest = largest_rank(table);
  if (largest >= std::int64_t{nodes} * per_node) {
    throw UsageError(
        fmt::format("--params has parameters of rank {}, but {} nodes with {} ranks each have ranks 0 to {}", largest,
                    nodes, per_node, std::int64_t{nodes} * per_node - 1));
  }
  Platform platform{.name = "by hand", .channels = {within, kInterNode}};
  // Further nodes are like the first; only ranks with parameters need nodes of their own.
  for (std::int32_t node = 0; node <= std::max(largest, 0) / per_node; ++node) {
    platform.nodes.push_back({fmt::format("node{}", node), topology_with(within, per_node)});
    for (std::int32_t core = 0; core < per_node && largest >= 0; ++core) {
      platform.ranks.push_back({node, core});
    }
  }
  return platform;
}

}  // namespace postage
