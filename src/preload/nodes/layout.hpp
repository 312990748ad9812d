#pragma once

#include <postage/base/units.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace postage::preload {

/// Which ranks of a communicator share a node. Nodes are numbered by their first ranks, each of which is its node's
/// leader.
struct NodeLayout {
  NodeLayout() = default;
  /// `node_of[r]`: any number that ranks of one node, and no others, share.
  explicit NodeLayout(std::span<const std::int32_t> node_of);

  std::vector<std::int32_t> node_of{};                ///< by rank
  std::vector<std::int32_t> place_of{};               ///< by rank: how many ranks of its node come before it
  std::vector<std::vector<std::int32_t>> ranks_on{};  ///< by node, in the ranks' order
  bool in_order = true;                               ///< every node's ranks follow one another

  [[nodiscard]] std::int32_t ranks() const { return static_cast<std::int32_t>(node_of.size()); }
  [[nodiscard]] std::int32_t nodes() const { return static_cast<std::int32_t>(ranks_on.size()); }
  [[nodiscard]] std::int32_t node(std::int32_t rank) const { return node_of[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::int32_t place(std::int32_t rank) const { return place_of[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const std::vector<std::int32_t>& on(std::int32_t node) const {
    return ranks_on[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] std::int32_t count_on(std::int32_t node) const { return static_cast<std::int32_t>(on(node).size()); }
};

/// Calls act(rank) for all ranks, node by node.
template <typename Act>
void for_each_by_node(const NodeLayout& layout, const Act& act) {
  for (const std::vector<std::int32_t>& ranks : layout.ranks_on) {
    for (const std::int32_t rank : ranks) {
      act(rank);
    }
  }
}

}  // namespace postage::preload
