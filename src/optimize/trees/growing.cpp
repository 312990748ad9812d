#include "optimize/trees/growing.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace postage {
namespace {

/// One number for each pair of a rank in the tree and a rank outside.
class EdgeTable {
 public:
  template <typename Value>
  EdgeTable(std::size_t ranks, const Value& value) : ranks_(ranks), values_(ranks * ranks, 0) {
    for (std::size_t a = 0; a < ranks; ++a) {
      for (std::size_t b = 0; b < ranks; ++b) {
        if (a != b) {
          values_[a * ranks + b] = value(static_cast<Rank>(a), static_cast<Rank>(b));
        }
      }
    }
  }
  [[nodiscard]] double at(Rank parent, Rank child) const {
    return values_[static_cast<std::size_t>(parent) * ranks_ + static_cast<std::size_t>(child)];
  }

 private:
  std::size_t ranks_;
  std::vector<double> values_;
};

Bytes own_message(const EdgeCosts& costs, Rank rank) {
  return costs.message(costs.block(rank));
}

/// Seconds of each edge's message, or seconds a byte of them.
EdgeTable edge_table(Growth growth, const EdgeCosts& costs) {
  return {costs.ranks(), [&](Rank parent, Rank child) {
            const Bytes bytes = std::max<Bytes>(own_message(costs, child), 1);
            const Seconds whole = costs.of(parent, child, bytes).total();
            return growth == Growth::kWidestEdge
                       ? (whole - costs.of(parent, child, 0).total()) / static_cast<double>(bytes)
                       : whole;
          }};
}

/// When each rank of the growing tree could send next.
class GrowingTree {
 public:
  GrowingTree(Rank root, const EdgeCosts& costs)
      : costs_(costs), parents_(costs.ranks(), -1), ready_(costs.ranks(), 0), inside_{root} {
    for (Rank rank = 0; rank < static_cast<Rank>(costs.ranks()); ++rank) {
      if (rank != root) {
        outside_.push_back(rank);
      }
    }
  }

  [[nodiscard]] const std::vector<Rank>& inside() const { return inside_; }
  [[nodiscard]] const std::vector<Rank>& outside() const { return outside_; }
  [[nodiscard]] Seconds ready(Rank rank) const { return ready_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const std::vector<Rank>& parents() const { return parents_; }

  void add(Rank parent, Rank child) {
    const EdgeCost cost = costs_.of(parent, child, own_message(costs_, child));
    ready_[static_cast<std::size_t>(child)] = ready(parent) + cost.total();
    ready_[static_cast<std::size_t>(parent)] += cost.busy;
    parents_[static_cast<std::size_t>(child)] = parent;
    inside_.push_back(child);
    std::erase(outside_, child);
  }

 private:
  const EdgeCosts& costs_;
  std::vector<Rank> parents_;
  std::vector<Seconds> ready_;
  std::vector<Rank> inside_;
  std::vector<Rank> outside_;
};

/// The smallest edge between the tree and the others, again and again.
void grow_by_edges(GrowingTree& tree, const EdgeTable& edges) {
  std::vector<Rank> best(tree.parents().size(), tree.inside().front());
  while (!tree.outside().empty()) {
    const auto edge = [&](Rank child) { return edges.at(best[static_cast<std::size_t>(child)], child); };
    const Rank next = *std::ranges::min_element(tree.outside(), {}, edge);
    tree.add(best[static_cast<std::size_t>(next)], next);
    for (const Rank child : tree.outside()) {
      if (edges.at(next, child) < edge(child)) {
        best[static_cast<std::size_t>(child)] = next;
      }
    }
  }
}

void grow_by_nodes(GrowingTree& tree, const EdgeTable& edges) {
  std::vector<Rank> fastest = tree.outside();
  std::vector<double> sums(tree.parents().size(), 0);
  for (const Rank rank : fastest) {
    for (Rank other = 0; other < static_cast<Rank>(sums.size()); ++other) {
      sums[static_cast<std::size_t>(rank)] += edges.at(other, rank);
    }
  }
  std::ranges::stable_sort(fastest, {}, [&](Rank rank) { return sums[static_cast<std::size_t>(rank)]; });
  for (const Rank child : fastest) {
    tree.add(*std::ranges::min_element(tree.inside(), {},
                                       [&](Rank parent) { return tree.ready(parent) + edges.at(parent, child); }),
             child);
  }
}

/// The ranks outside by the length of the edge from one inside: which is next for it.
class NextChildren {
 public:
  NextChildren(Rank parent, const std::vector<Rank>& outside, const EdgeTable& edges)
      : parent_(parent), left_(outside) {
    std::ranges::sort(left_, std::greater(), [&](Rank child) { return std::pair(edges.at(parent, child), child); });
  }
  [[nodiscard]] Rank parent() const { return parent_; }
  /// The one with the shortest edge that is still outside; there must be one.
  [[nodiscard]] Rank next(const std::vector<bool>& is_inside) {
    while (is_inside[static_cast<std::size_t>(left_.back())]) {
      left_.pop_back();
    }
    return left_.back();
  }

 private:
  Rank parent_;
  std::vector<Rank> left_;
};

/// O(P^2 log P): of each rank inside only its shortest edge can be the next.
void grow_earliest(GrowingTree& tree, const EdgeTable& edges) {
  std::vector<bool> is_inside(tree.parents().size(), false);
  std::vector<NextChildren> parents;
  const auto enter = [&](Rank rank) {
    is_inside[static_cast<std::size_t>(rank)] = true;
    parents.emplace_back(rank, tree.outside(), edges);
  };
  enter(tree.inside().front());
  while (!tree.outside().empty()) {
    Seconds earliest = std::numeric_limits<Seconds>::infinity();
    Rank from = -1;
    Rank to = -1;
    for (NextChildren& one : parents) {
      const Rank child = one.next(is_inside);
      const Seconds end = tree.ready(one.parent()) + edges.at(one.parent(), child);
      if (end < earliest) {
        earliest = end;
        from = one.parent();
        to = child;
      }
    }
    tree.add(from, to);
    enter(to);
  }
}

}  // namespace

std::vector<Rank> grow_tree(Growth growth, Rank root, const EdgeCosts& costs) {
  GrowingTree tree(root, costs);
  const EdgeTable edges = edge_table(growth, costs);
  switch (growth) {
    case Growth::kFastestEdge:
    case Growth::kWidestEdge:
      grow_by_edges(tree, edges);
      break;
    case Growth::kFastestNode:
      grow_by_nodes(tree, edges);
      break;
    case Growth::kEarliestEdge:
      grow_earliest(tree, edges);
      break;
  }
  return tree.parents();
}

}  // namespace postage
