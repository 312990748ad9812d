#include <postage/base/error.hpp>
#include <postage/platform/mapping.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace postage {
namespace {

constexpr std::array<const char*, 4> kBuiltIn{kSharedCache, kIntraSocket, kInterSocket, kInterNode};

std::size_t built_in_index(std::string_view name) {
  return static_cast<std::size_t>(std::find(kBuiltIn.begin(), kBuiltIn.end(), name) - kBuiltIn.begin());
}

/// Slots that a mapping uses on each measured node.
void check_slots(const Platform& platform, const Mapping& mapping) {
  const auto check = [&](std::int32_t node, std::int32_t slot) {
    const Node& measured = platform.nodes[static_cast<std::size_t>(node) % platform.nodes.size()];
    const std::size_t cores = measured.topology.cores.size();
    if (static_cast<std::size_t>(slot) >= cores) {
      throw UsageError(fmt::format(
          "the mapping puts a rank on slot {} of node {}, but {} has {} core{}: give --per-node {}, or a mapping of "
          "slots 0 to {}",
          slot, node, measured.name, cores, cores == 1 ? "" : "s", cores, static_cast<int>(cores) - 1));
    }
  };
  if (mapping.kind() == Mapping::Kind::kExplicit) {
    for (std::int32_t rank = 0; rank < mapping.capacity(); ++rank) {
      check(mapping.placement_of(rank).node, mapping.placement_of(rank).core);
    }
    return;
  }
  const auto kinds = std::min<std::int64_t>(mapping.nodes(), static_cast<std::int64_t>(platform.nodes.size()));
  for (std::int32_t node = 0; node < kinds; ++node) {
    check(node, mapping.per_node() - 1);
  }
}

}  // namespace

ChannelMap::ChannelMap(const Platform& platform, Mapping mapping)
    : mapping_(std::move(mapping)), channels_(platform.channels) {
  if (platform.nodes.empty()) {
    throw Error(fmt::format("platform {} has no nodes", platform.name));
  }
  check_slots(platform, mapping_);
  for (const Node& node : platform.nodes) {
    nodes_.push_back(node.topology);
    measured_.emplace_back(node.topology.cores.size(), -1);
  }
  for (std::size_t rank = 0; rank < platform.ranks.size(); ++rank) {
    const RankPlacement& placement = platform.ranks[rank];
    measured_[static_cast<std::size_t>(placement.node)][static_cast<std::size_t>(placement.core)] =
        static_cast<std::int32_t>(rank);
  }
  for (std::size_t i = 0; i < kBuiltIn.size(); ++i) {
    const auto found = std::find(channels_.begin(), channels_.end(), kBuiltIn[i]);
    numbers_[i] = found == channels_.end() ? -1 : static_cast<int>(found - channels_.begin());
  }
  set_levels(platform.levels);
  if (platform.network && platform.network->has_shared_links()) {
    network_ = std::make_shared<const NetworkLinks>(*platform.network, platform.nodes.size());
  }
}

/// Evaluators take nodes of a symbolic mapping for alike, as seen from one another; where networks have levels they are
/// not.
void ChannelMap::set_levels(const std::vector<ChannelLevel>& levels) {
  levels_ = levels;
  cores_per_node_ = static_cast<std::int64_t>(nodes_.front().cores.size());
  const auto beyond_a_node = std::count_if(levels.begin(), levels.end(),
                                           [&](const ChannelLevel& level) { return level.cores > cores_per_node_; });
  one_network_ = beyond_a_node <= 1;
  if (one_network_ || mapping_.kind() == Mapping::Kind::kExplicit) {
    return;
  }
  std::vector<RankPlacement> placements;
  for (std::int64_t rank = 0; rank < mapping_.capacity(); ++rank) {
    placements.push_back(mapping_.placement_of(static_cast<std::int32_t>(rank)));
  }
  mapping_ = Mapping::explicit_placements(std::move(placements));
}

std::uint8_t ChannelMap::level_of(const RankPlacement& a, const RankPlacement& b) const {
  const std::int64_t first = a.node * cores_per_node_ + a.core;
  const std::int64_t second = b.node * cores_per_node_ + b.core;
  std::uint8_t level = 0;
  while (first / levels_[level].cores != second / levels_[level].cores) {
    ++level;
  }
  return level;
}

ChannelMap ChannelMap::with_network(const NetworkStructure& network) const {
  ChannelMap other = *this;
  other.network_ = network.has_shared_links() ? std::make_shared<const NetworkLinks>(network, nodes_.size()) : nullptr;
  return other;
}

ChannelMap ChannelMap::single_channel() {
  ChannelMap map;
  map.single_ = true;
  return map;
}

const NodeTopology& ChannelMap::topology_of(std::int32_t node) const {
  return nodes_[static_cast<std::size_t>(node) % nodes_.size()];
}

std::uint8_t ChannelMap::channel_of(std::int32_t a, std::int32_t b) const {
  if (single_) {
    return 0;
  }
  const RankPlacement from = mapping_.placement_of(a);
  const RankPlacement to = mapping_.placement_of(b);
  if (!levels_.empty()) {
    return level_of(from, to);
  }
  const char* name = kInterNode;
  if (from.node == to.node) {
    const NodeTopology& node = topology_of(from.node);
    name =
        channel_between(node.cores[static_cast<std::size_t>(from.core)], node.cores[static_cast<std::size_t>(to.core)]);
  }
  const int number = numbers_[built_in_index(name)];
  if (number < 0) {
    throw Error(fmt::format("ranks {} and {} would talk over channel {}, which was not measured; this platform has {}",
                            a, b, name, fmt::join(channels_, ", ")));
  }
  return static_cast<std::uint8_t>(number);
}

std::int32_t ChannelMap::measured_rank(std::int32_t rank) const {
  if (single_) {
    return -1;
  }
  const RankPlacement placement = mapping_.placement_of(rank);
  return static_cast<std::size_t>(placement.node) < measured_.size()
             ? measured_[static_cast<std::size_t>(placement.node)][static_cast<std::size_t>(placement.core)]
             : -1;
}

}  // namespace postage
