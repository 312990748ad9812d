#pragma once

#include "predict/node_ranks.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace postage {

/// A pattern of a tree: parents first, first + stride, ..., `count` of them in virtual ranks, each with a child at the
/// same distance.
struct TreeEdges {
  const Pattern* pattern = nullptr;
  std::size_t round = 0;  ///< of the stage
  std::size_t depth = 0;  ///< rounds counted from the root's end of the tree: a child's own children are in later ones
  Index first = 0;
  Index stride = 1;
  Index count = 0;
  Index distance = 0;  ///< from a parent to its child
  Index cut_from = 0;  ///< ends of messages from this virtual rank on have their blocks cut short

  [[nodiscard]] Index last() const { return first + (count - 1) * stride; }
  [[nodiscard]] bool has_parent(Index v) const { return first <= v && v <= last() && (v - first) % stride == 0; }
};

/// Ranks whose sub-trees, with the edge to the parent, have the same form on the same channels: one of them.
struct TreeNode {
  std::size_t edge = 0;                 ///< to the parent; TreeShape::kRoot for the root
  Index v = 0;                          ///< virtual rank
  Index size = 1;                       ///< ranks of the sub-tree
  std::vector<std::size_t> children{};  ///< numbers of nodes, in the order of the schedule
};

/// A schedule that is one tree, from which all messages go down or all go up, its sub-trees of one form written once.
class TreeShape {
 public:
  static constexpr std::size_t kRoot = static_cast<std::size_t>(-1);

  /// O(forms * edges^2). Nothing where the schedule is no such tree, or none that its patterns' form tells, or where
  /// there are more than `most_nodes` forms.
  [[nodiscard]] static std::optional<TreeShape> of(const Schedule& schedule, const ChannelMap& channels,
                                                   std::size_t most_nodes);

  [[nodiscard]] bool goes_down() const { return goes_down_; }
  [[nodiscard]] const TreeEdges& edges_of(const TreeNode& node) const { return edges_[node.edge]; }
  /// Children before their parents, the root last.
  [[nodiscard]] const std::vector<TreeNode>& nodes() const { return nodes_; }
  [[nodiscard]] Rank rank_of(Index v) const { return static_cast<Rank>((v + offset_) % ranks_); }

 private:
  friend class TreeBuilder;

  Rank ranks_ = 1;
  Index offset_ = 0;
  bool goes_down_ = true;
  std::vector<TreeEdges> edges_;  ///< in the order of the schedule
  std::vector<TreeNode> nodes_;
};

}  // namespace postage
