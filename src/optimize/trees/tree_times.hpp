#pragma once

#include "optimize/trees/edge_costs.hpp"

#include <cstddef>
#include <vector>

namespace postage {

/// A tree whose forms can be tried: what each rank's sub-tree takes, kept up to date while sub-trees move.
///
/// A rank's messages to its children follow one another in the order that is best for them: the child whose sub-tree
/// takes longest first, of which it is known that no other order ends earlier where nothing but the processor keeps
/// them apart. Going up they are taken in as they arrive.
class TreeTimes {
 public:
  /// `parents[root]` is -1. `costs` must live as long.
  TreeTimes(const EdgeCosts& costs, Rank root, std::vector<Rank> parents);

  [[nodiscard]] Rank root() const { return root_; }
  [[nodiscard]] std::size_t ranks() const { return parents_.size(); }
  [[nodiscard]] Seconds seconds() const { return node(root_).seconds; }
  [[nodiscard]] const std::vector<Rank>& parents() const { return parents_; }
  [[nodiscard]] Rank parent(Rank rank) const { return parents_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const std::vector<Rank>& children(Rank rank) const { return node(rank).children; }
  /// The child whose message ends the rank's sub-tree; -1 for a leaf.
  [[nodiscard]] Rank critical_child(Rank rank) const { return node(rank).critical; }
  [[nodiscard]] bool is_below(Rank rank, Rank top) const;

  /// Hangs `rank`, with all below it, from `parent`, which must not be below it.
  void move(Rank rank, Rank parent);
  /// The two ranks change places, also where one is the other's parent. Neither may be the root.
  void exchange(Rank a, Rank b);
  /// Another tree with the same root.
  void reset(std::vector<Rank> parents);

  /// Children looked at so far: what searching has cost.
  [[nodiscard]] std::size_t work() const { return work_; }

  /// The tree and the order of every rank's children.
  [[nodiscard]] ExplicitTree explicit_tree() const;

 private:
  struct Node {
    std::vector<Rank> children;
    Bytes bytes = 0;      ///< of the sub-tree's blocks
    Seconds seconds = 0;  ///< what the sub-tree takes from the moment at which its rank begins, or to its end
    EdgeCost above{};     ///< of the message between the rank and its parent
    Rank critical = -1;
    bool is_limited = false;  ///< FanLimits' rules hold at the rank
  };

  [[nodiscard]] Node& node(Rank rank) { return nodes_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const Node& node(Rank rank) const { return nodes_[static_cast<std::size_t>(rank)]; }
  /// The rank's children in the order in which a parent sends.
  [[nodiscard]] const std::vector<Rank>& sorted_children(Rank rank) const;
  /// FanLimits' rules hold at the rank: going up only if two messages that they limit are under way to it at once.
  /// `sorted_` holds its children.
  [[nodiscard]] bool is_limited_fan() const;
  void evaluate(Rank rank);
  void evaluate_down(Node& node);
  void evaluate_up(Node& node);
  void evaluate_fan_down(Node& node, const FanLimits& limits);
  void evaluate_fan_up(Node& node, const FanLimits& limits);
  /// The rank's sub-tree and those of all above it.
  void evaluate_upwards(Rank rank);
  void evaluate_all();

  const EdgeCosts& costs_;
  Rank root_;
  std::vector<Rank> parents_;
  std::vector<Node> nodes_;
  mutable std::vector<Rank> sorted_;
  std::size_t work_ = 0;
};

}  // namespace postage
