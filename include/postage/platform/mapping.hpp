#pragma once

#include <postage/platform/platform.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Where the ranks of a predicted job sit: node and slot (core) of each. Block and cyclic mappings stay symbolic:
/// O(1) memory for any number of ranks.
class Mapping {
 public:
  enum class Kind { kBlock, kCyclic, kExplicit };

  /// Ranks 0..Q-1 on node 0, the next Q on node 1, ...: rank r sits on node r/Q, slot r%Q. Throws UsageError for fewer
  /// than one of either, as do the others.
  [[nodiscard]] static Mapping block(std::int32_t nodes, std::int32_t per_node);
  /// Round-robin: rank r sits on node r % nodes, slot r / nodes.
  [[nodiscard]] static Mapping cyclic(std::int32_t nodes, std::int32_t per_node);
  /// places[r] for every rank.
  [[nodiscard]] static Mapping explicit_places(std::vector<RankPlace> places);
  /// Reads a mapping file: one line "node slot" a rank, '#' begins a comment. Throws UsageError naming the line, also
  /// of a slot that is given to two ranks.
  [[nodiscard]] static Mapping from_file(const std::string& path);

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Places there are; a job of P <= capacity() ranks uses the first P.
  [[nodiscard]] std::int64_t capacity() const;
  /// Throws Error for a rank outside [0, capacity()).
  [[nodiscard]] RankPlace place_of(std::int32_t rank) const;
  [[nodiscard]] std::int32_t nodes() const { return nodes_; }
  [[nodiscard]] std::int32_t per_node() const { return per_node_; }

 private:
  Kind kind_ = Kind::kBlock;
  std::int32_t nodes_ = 1;
  std::int32_t per_node_ = 1;
  std::vector<RankPlace> places_;
};

/// Resolves two ranks to a channel of a platform: inter-node if their nodes differ, else what the topology of
/// the platform's node says of their slots (platform nodes are used cyclically if the job has more nodes than were
/// measured). O(1), no allocation.
class ChannelMap {
 public:
  /// Throws Error if the mapping uses a slot that the platform's nodes do not have, naming both numbers.
  ChannelMap(const Platform& platform, Mapping mapping);
  /// All pairs on channel 0, every rank on a node of its own, any number of ranks: for parameters given by hand.
  [[nodiscard]] static ChannelMap single_channel();

  /// Index into Platform::channels. Throws Error listing the platform's channels if this pair's is not among them.
  [[nodiscard]] std::uint8_t channel_of(std::int32_t a, std::int32_t b) const;
  [[nodiscard]] const Mapping& mapping() const { return mapping_; }

 private:
  ChannelMap() = default;
  void check_slots(const Platform& platform) const;

  Mapping mapping_ = Mapping::block(1, 1);
  std::vector<NodeTopology> nodes_;
  std::vector<std::string> channels_;
  bool single_ = false;
};

}  // namespace postage
