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
          fmt::format("--params names the channels {} and {} within a node: say which cores each of them joins, like "
                      "--levels {}:2,{}:8,{}",
                      within, name, within, name, kInterNode));
    }
    within = name;
  }
  return within.empty() ? kSharedCache : within;
}

std::vector<std::string> names_of(const std::vector<ChannelLevel>& levels) {
  std::vector<std::string> names;
  for (const ChannelLevel& level : levels) {
    names.push_back(level.channel);
  }
  return names;
}

/// Throws UsageError where parameters are for none of the levels, or a level has none.
void check_channels(const ParameterTable& table, const std::vector<ChannelLevel>& levels) {
  const std::vector<std::string> names = names_of(levels);
  const std::vector<std::string> given = channels_of(table);
  const auto has = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (const std::string& name : given) {
    if (!names.empty() && !has(names, name)) {
      throw UsageError(unknown_name("channel of --params", name, fmt::format("{}", fmt::join(names, ", "))));
    }
  }
  const bool for_all = std::any_of(table.groups.begin(), table.groups.end(),
                                   [](const ParameterGroup& group) { return group.scope.channel == kAllChannels; });
  for (const std::string& name : names) {
    if (!for_all && !given.empty() && !has(given, name)) {
      throw UsageError(
          fmt::format("--params has no parameters of the level {}; --levels names {}", name, fmt::join(names, ", ")));
    }
  }
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

Platform platform_of(const ParameterTable& table, std::int32_t nodes, std::int32_t per_node,
                     const std::vector<ChannelLevel>& levels) {
  const std::string within = levels.empty() ? channel_within(channels_of(table)) : kSharedCache;
  check_channels(table, levels);
  const std::int32_t largest = largest_rank(table);
  if (largest >= std::int64_t{nodes} * per_node) {
    throw UsageError(
        fmt::format("--params has parameters of rank {}, but {} nodes with {} ranks each have ranks 0 to {}", largest,
                    nodes, per_node, std::int64_t{nodes} * per_node - 1));
  }
  Platform platform{.name = "by hand", .channels = {within, kInterNode}, .levels = levels};
  if (!levels.empty()) {
    platform.channels = names_of(levels);
  }
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
