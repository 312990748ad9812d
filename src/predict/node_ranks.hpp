#pragma once

#include <postage/platform/mapping.hpp>
#include <postage/schedule/schedule.hpp>

#include <algorithm>
#include <vector>

namespace postage {

/// Throws Error if the mapping places less than `ranks` ranks.
void check_capacity(const ChannelMap& channels, Rank ranks);

/// The ranks 0..P-1 of a job, node by node. With parameters given by hand all sit on one node.
class NodeRanks {
 public:
  /// Throws Error if the mapping has less than `ranks` places.
  NodeRanks(const ChannelMap& channels, Rank ranks);

  [[nodiscard]] Index nodes() const { return nodes_; }
  [[nodiscard]] Rank ranks() const { return ranks_; }
  /// O(1), one division at most.
  [[nodiscard]] Index node_of(Rank rank) const {
    if (single_) {
      return 0;
    }
    switch (mapping_.kind()) {
      case Mapping::Kind::kBlock:
        return rank / mapping_.per_node();
      case Mapping::Kind::kCyclic:
        return rank % mapping_.nodes();
      case Mapping::Kind::kExplicit:
        break;
    }
    return mapping_.placement_of(rank).node;
  }
  [[nodiscard]] bool is_single() const { return single_; }
  /// A symbolic mapping that the ranks fill to the last place: then all nodes look alike to a pattern that goes round.
  [[nodiscard]] bool is_full_and_regular() const;
  [[nodiscard]] bool is_explicit() const { return !single_ && mapping_.kind() == Mapping::Kind::kExplicit; }
  [[nodiscard]] const Mapping& mapping() const { return mapping_; }

  /// Calls visit(rank) for each rank of a node, in rank order. O(ranks of the node).
  template <typename Visit>
  void for_each(Index node, const Visit& visit) const {
    if (single_) {
      visit_range(0, 1, ranks_, visit);
    } else if (is_explicit()) {
      for (const Rank rank : listed_[static_cast<std::size_t>(node)]) {
        visit(rank);
      }
    } else if (mapping_.kind() == Mapping::Kind::kBlock) {
      const Index first = node * mapping_.per_node();
      visit_range(first, 1, std::min<Index>(first + mapping_.per_node(), ranks_), visit);
    } else {
      visit_range(node, mapping_.nodes(), ranks_, visit);
    }
  }

  /// The same for those among the `count` <= P ranks from `first` on, counted around the ring of all ranks.
  /// O(ranks of the node among them) for block and cyclic mappings.
  template <typename Visit>
  void for_each_on_arc(Index node, Index first, Index count, const Visit& visit) const {
    const Index from = (first % ranks_ + ranks_) % ranks_;
    const Index before_wrap = std::min<Index>(count, ranks_ - from);
    for_each_between(node, from, from + before_wrap, visit);
    for_each_between(node, 0, count - before_wrap, visit);
  }

 private:
  template <typename Visit>
  void for_each_between(Index node, Index first, Index end, const Visit& visit) const {
    if (is_single()) {
      visit_range(first, 1, end, visit);
    } else if (is_explicit()) {
      for_each(node, [&](Rank rank) {
        if (rank >= first && rank < end) {
          visit(rank);
        }
      });
    } else if (mapping_.kind() == Mapping::Kind::kBlock) {
      const Index begin = node * mapping_.per_node();
      visit_range(std::max(first, begin), 1, std::min<Index>(begin + mapping_.per_node(), end), visit);
    } else {
      const Index nodes = mapping_.nodes();
      visit_range(first + ((node - first) % nodes + nodes) % nodes, nodes, end, visit);
    }
  }

  template <typename Visit>
  static void visit_range(Index first, Index stride, Index end, const Visit& visit) {
    for (Index rank = first; rank < end; rank += stride) {
      visit(static_cast<Rank>(rank));
    }
  }

  const Mapping& mapping_;
  Rank ranks_;
  bool single_;
  Index nodes_ = 1;
  std::vector<std::vector<Rank>> listed_;
};

}  // namespace postage
