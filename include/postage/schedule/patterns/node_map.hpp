#pragma once

#include <postage/schedule/schedule.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace postage {

/// Some nodes alike: how many ranks each has, and where its leader is among them.
struct EqualNodes {
  Index nodes = 0;
  Index members = 0;
  /// Member that leads: 0, or the root on the root's node.
  Index leader = 0;
  /// Where the members are: virtual rank m of node g is member m.
  GroupedNumbering numbering{};
};

/// Which node each of P ranks sits on. Nodes filled one after another or dealt round-robin stay formulas: O(1) memory
/// and look-ups for any P. Nodes are numbered by their lowest rank, members of a node by rank.
class NodeMap {
 public:
  /// Rank r on node r / per_node; the last node may be partly filled. Throws UsageError for less than one of either.
  [[nodiscard]] static NodeMap block(Rank ranks, Rank per_node);
  /// Rank r on node r % nodes; the first nodes may have one rank more. Throws UsageError for less than one of either.
  [[nodiscard]] static NodeMap cyclic(Rank ranks, Rank nodes);
  /// Rank r on the node that is called labels[r]. O(P log P). Throws UsageError where there is no rank.
  [[nodiscard]] static NodeMap listed(const std::vector<Index>& labels);

  [[nodiscard]] Rank ranks() const { return ranks_; }
  /// Those that have a rank.
  [[nodiscard]] Index nodes() const { return nodes_; }
  [[nodiscard]] Index node_of(Rank rank) const;
  [[nodiscard]] Index member_of(Rank rank) const;
  [[nodiscard]] Index members_on(Index node) const;
  [[nodiscard]] Rank rank_at(Index node, Index member) const;
  /// True where all ranks of a node come before all of the next: then sums of nodes combine in rank order.
  [[nodiscard]] bool is_in_rank_order() const;

  /// The nodes in groups of equal size, and the root's node, if there is a root, by itself: O(1) groups for block and
  /// cyclic maps, one for each size otherwise.
  [[nodiscard]] std::vector<EqualNodes> groups(std::optional<Rank> root) const;
  /// The leaders of all nodes, in the order of nodes: lowest ranks, but the root on its node.
  [[nodiscard]] GroupedNumbering leaders(std::optional<Rank> root) const;
  /// For blocks of ranks: what block n stands for, the members of node n, and how many those are.
  [[nodiscard]] BlockExpansion node_blocks() const;
  [[nodiscard]] BlockLayout node_sizes() const;

 private:
  enum class Kind { kBlock, kCyclic, kListed };
  /// Nodes [first, first + count) of equal size, in the order of `Listing::by_size`.
  struct SizeClass {
    Index first = 0;
    Index count = 0;
    Index members = 0;
  };
  struct Listing {
    std::vector<Index> node_of;
    std::vector<Index> member_of;
    std::shared_ptr<const std::vector<Index>> starts;   ///< of each node in `members`, and the end
    std::shared_ptr<const std::vector<Index>> members;  ///< ranks, node after node
    std::vector<Index> by_size;                         ///< nodes, larger ones first
    std::vector<Index> position;                        ///< inverse of by_size
    ExplicitNumbering listed;                           ///< ranks, node after node in the order of by_size
    std::vector<SizeClass> classes;
  };

  NodeMap(Kind kind, Rank ranks, Index nodes, Index per_node)
      : kind_(kind), ranks_(ranks), nodes_(nodes), per_node_(per_node) {}
  [[nodiscard]] static Listing listing_of(const std::vector<Index>& labels);
  [[nodiscard]] std::vector<SizeClass> size_classes() const;
  [[nodiscard]] EqualNodes group_of(const SizeClass& nodes, Index leader) const;
  [[nodiscard]] Index members_before(Index position) const;

  Kind kind_;
  Rank ranks_;
  Index nodes_;
  Index per_node_;  ///< of a block map
  std::shared_ptr<const Listing> listing_;
};

}  // namespace postage
