#pragma once

#include <postage/platform/network_links.hpp>
#include <postage/platform/platform.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Where the ranks of a predicted job sit: node and slot (core) of each. Block and cyclic mappings stay symbolic:
/// O(1) memory for any number of ranks.
class Mapping {
 public:
  enum class Kind { kBlock, kCyclic, kExplicit };

  /// Ranks 0..Q-1 on node 0, the next Q on node 1, ...: rank r sits on node r/Q, slot r%Q.
  /// Throws UsageError for less than one of either.
  [[nodiscard]] static Mapping block(std::int32_t nodes, std::int32_t per_node);
  /// Round-robin: rank r sits on node r % nodes, slot r / nodes.
  [[nodiscard]] static Mapping cyclic(std::int32_t nodes, std::int32_t per_node);
  /// placements[r] of every rank r.
  [[nodiscard]] static Mapping explicit_placements(std::vector<RankPlacement> placements);
  /// Reads a mapping file: one line "node slot" a rank, '#' begins a comment. Throws UsageError naming the
  /// line, also of a slot that two ranks are given.
  [[nodiscard]] static Mapping from_file(const std::string& path);

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Slots there are; a job of P <= capacity() ranks uses the first P.
  [[nodiscard]] std::int64_t capacity() const;
  [[nodiscard]] RankPlacement placement_of(std::int32_t rank) const;
  [[nodiscard]] std::int32_t nodes() const { return nodes_; }
  [[nodiscard]] std::int32_t per_node() const { return per_node_; }

 private:
  Kind kind_ = Kind::kBlock;
  std::int32_t nodes_ = 1;
  std::int32_t per_node_ = 1;
  std::vector<RankPlacement> placements_;
};

/// Resolves two ranks to a channel of a platform: inter-node if their nodes differ, else what the topology of
/// the platform's node says of their slots (nodes beyond the measured ones are taken to be like the measured ones, in
/// turn). Where the platform has levels, these say it. O(levels), no allocation.
class ChannelMap {
 public:
  /// Throws Error if the mapping uses a slot that the platform's nodes do not have, naming both numbers.
  ChannelMap(const Platform& platform, Mapping mapping);
  /// All pairs on channel 0: for parameters given by hand.
  [[nodiscard]] static ChannelMap single_channel();

  /// Index into Platform::channels. Throws Error if the platform has no such channel, listing those that it has.
  [[nodiscard]] std::uint8_t channel_of(std::int32_t a, std::int32_t b) const;
  /// The measured rank whose slot `rank` takes, -1 if none does: parameters by pair belong to slots.
  [[nodiscard]] std::int32_t measured_rank(std::int32_t rank) const;
  /// True for parameters given by hand: any number of ranks, all on channel 0.
  [[nodiscard]] bool is_single() const { return single_; }
  /// True where all ranks on different nodes talk over the same channel.
  [[nodiscard]] bool has_one_network() const { return one_network_; }
  /// True where every node has the same topology, so that slots alone decide a channel inside a node.
  [[nodiscard]] bool nodes_are_alike() const {
    return std::all_of(nodes_.begin(), nodes_.end(), [&](const NodeTopology& node) { return node == nodes_.front(); });
  }
  [[nodiscard]] const Mapping& mapping() const { return mapping_; }
  /// What nodes share on their way to one another; null where nothing is known of it, or they share nothing.
  [[nodiscard]] const NetworkLinks* network() const { return network_.get(); }
  /// The same ranks on another network.
  [[nodiscard]] ChannelMap with_network(const NetworkStructure& network) const;

 private:
  ChannelMap() = default;
  [[nodiscard]] const NodeTopology& topology_of(std::int32_t node) const;
  void set_levels(const std::vector<ChannelLevel>& levels);
  [[nodiscard]] std::uint8_t level_of(const RankPlacement& a, const RankPlacement& b) const;

  Mapping mapping_ = Mapping::block(1, 1);
  std::vector<NodeTopology> nodes_;
  std::vector<std::string> channels_;
  /// ShmEndpoint numbers of shared cache, intra-socket, inter-socket and inter-node; -1 where the platform has none.
  std::array<int, 4> numbers_{};
  std::vector<std::vector<std::int32_t>> measured_;  ///< [node][slot]
  bool single_ = false;
  std::vector<ChannelLevel> levels_;
  std::int64_t cores_per_node_ = 1;  ///< of levels
  bool one_network_ = true;
  std::shared_ptr<const NetworkLinks> network_;
};

}  // namespace postage
