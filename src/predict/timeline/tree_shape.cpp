#include "predict/timeline/tree_edges.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace postage {
namespace {

/// Ranks lowest, ..., highest.
struct RankInterval {
  Index lowest = 0;
  Index highest = -1;

  [[nodiscard]] bool is_empty() const { return highest < lowest; }
  void include(const RankInterval& other) {
    if (is_empty()) {
      *this = other;
    } else if (!other.is_empty()) {
      lowest = std::min(lowest, other.lowest);
      highest = std::max(highest, other.highest);
    }
  }
  [[nodiscard]] RankInterval moved(Index by) const {
    return is_empty() ? *this : RankInterval{lowest + by, highest + by};
  }
};

/// What nodes have in common whose sub-trees look alike, from their parents on.
using FormKey = std::tuple<std::size_t, Index, std::uint64_t, bool>;

/// Ranks that hang below a node over some edges.
struct Hanging {
  std::size_t edge = 0;
  std::size_t depth = 0;  ///< the edge's
  RankInterval ranks;
};

constexpr std::uint64_t kMostEdges = 1U << 20U;

}  // namespace

class TreeBuilder {
 public:
  TreeBuilder(TreePatterns tree, const ChannelMap& channels, Rank ranks, std::size_t most_nodes)
      : channels_(channels), most_nodes_(most_nodes), root_(tree.root) {
    shape_.ranks_ = ranks;
    shape_.offset_ = tree.offset;
    shape_.goes_down_ = tree.goes_down;
    shape_.edges_ = std::move(tree.edges);
    by_depth_.resize(shape_.edges_.size());
    std::iota(by_depth_.begin(), by_depth_.end(), std::size_t{0});
    std::stable_sort(by_depth_.begin(), by_depth_.end(),
                     [&](std::size_t a, std::size_t b) { return shape_.edges_[a].depth < shape_.edges_[b].depth; });
  }

  std::optional<TreeShape> build() {
    const auto root = node_at(TreeShape::kRoot, root_);
    const bool is_whole = root && shape_.nodes_[*root].size == shape_.ranks_;
    return is_whole ? std::optional(std::move(shape_)) : std::nullopt;
  }

 private:
  /// The number of the node for virtual rank v below an edge; nothing once there are too many.
  std::optional<std::size_t> node_at(std::size_t edge, Index v) {
    const FormKey key = key_of(edge, v);
    if (const auto known = known_.find(key); known != known_.end()) {
      return known->second;
    }
    TreeNode node{.edge = edge, .v = v};
    for (std::size_t e = 0; e < shape_.edges_.size(); ++e) {
      if (is_below(e, edge) && shape_.edges_[e].has_parent(v)) {
        const auto child = node_at(e, v + shape_.edges_[e].distance);
        if (!child) {
          return std::nullopt;
        }
        node.children.push_back(*child);
        node.size += shape_.nodes_[*child].size;
      }
    }
    if (shape_.nodes_.size() >= most_nodes_) {
      return std::nullopt;
    }
    shape_.nodes_.push_back(std::move(node));
    return known_.emplace(key, shape_.nodes_.size() - 1).first->second;
  }

  [[nodiscard]] bool is_below(std::size_t e, std::size_t edge) const {
    return edge == TreeShape::kRoot || shape_.edges_[e].depth > shape_.edges_[edge].depth;
  }

  /// The node's own where its sub-tree's form depends on where the node is.
  [[nodiscard]] FormKey key_of(std::size_t edge, Index v) const {
    const FormKey own{edge, v, 0, true};
    if (edge == TreeShape::kRoot) {
      return own;
    }
    std::vector<Hanging> hanging{{edge, shape_.edges_[edge].depth, {v, v}}};
    const TreeEdges& to_parent = shape_.edges_[edge];
    RankInterval all{std::min(v, v - to_parent.distance), std::max(v, v - to_parent.distance)};
    Index period = slots_period();
    include_period(edge, period);
    const Index wraps_at = shape_.ranks_ - shape_.offset_;
    std::uint64_t taken = 0;
    for (const std::size_t e : by_depth_) {
      if (!is_below(e, edge)) {
        continue;
      }
      const auto children = hang(e, hanging, taken);
      if (!children || (!children->is_empty() && meets_on_node(e))) {
        return own;
      }
      if (!children->is_empty()) {
        all.include(*children);
        include_period(e, period);
        hanging.push_back({e, shape_.edges_[e].depth, *children});
        if (all.highest >= shape_.edges_[e].cut_from) {
          return own;
        }
      }
    }
    const bool is_regular = all.highest < to_parent.cut_from && (all.highest < wraps_at || all.lowest >= wraps_at) &&
                            all.highest < shape_.ranks_ && period <= shape_.ranks_ && !meets_on_node(edge);
    return is_regular ? FormKey{edge, v % period, 2 * taken + (all.lowest >= wraps_at ? 1 : 0), false} : own;
  }

  /// The children of those that hang already, over edge e; tells in `taken` over which edges those hang that have some.
  /// Nothing where the pattern begins or ends amid them.
  [[nodiscard]] std::optional<RankInterval> hang(std::size_t e, const std::vector<Hanging>& hanging,
                                                 std::uint64_t& taken) const {
    const TreeEdges& edges = shape_.edges_[e];
    const Index last = edges.last();
    RankInterval children;
    for (const Hanging& other : hanging) {
      const RankInterval& parents = other.ranks;
      if (parents.highest < edges.first || parents.lowest > last || other.depth >= edges.depth) {
        continue;
      }
      if (parents.lowest < edges.first || parents.highest >= edges.first + edges.count * edges.stride) {
        return std::nullopt;
      }
      children.include(parents.moved(edges.distance));
      taken = mixed(taken, kMostEdges * e + other.edge);
    }
    return children;
  }

  /// Of what was mixed in and its order: 64 bits tell a tree's forms apart.
  static std::uint64_t mixed(std::uint64_t into, std::uint64_t number) {
    constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15U;
    const std::uint64_t x = (into ^ (number + 1)) * kPrime;
    return x ^ (x >> 29U);
  }

  /// Ranks of a block mapping have the same slots again after as many as a node has.
  [[nodiscard]] Index slots_period() const {
    const bool is_block = !channels_.is_single() && channels_.mapping().kind() == Mapping::Kind::kBlock;
    return is_block ? channels_.mapping().per_node() : 1;
  }

  void include_period(std::size_t e, Index& period) const {
    const TreeEdges& edges = shape_.edges_[e];
    period = std::min<Index>(std::lcm(period, std::lcm(edges.stride, block_period(*edges.pattern))),
                             Index{shape_.ranks_} + 1);
  }

  /// Under a cyclic mapping the ends of such an edge share a node, and it matters on which slots they are.
  [[nodiscard]] bool meets_on_node(std::size_t e) const {
    return !channels_.is_single() && channels_.mapping().kind() == Mapping::Kind::kCyclic &&
           shape_.edges_[e].distance % channels_.mapping().nodes() == 0;
  }

  const ChannelMap& channels_;
  std::size_t most_nodes_;
  Index root_;
  TreeShape shape_;
  std::vector<std::size_t> by_depth_;  ///< edges, those nearer to the root first
  std::map<FormKey, std::size_t> known_;
};

std::optional<TreeShape> TreeShape::of(const Schedule& schedule, const ChannelMap& channels, std::size_t most_nodes) {
  check_capacity(channels, schedule.ranks);
  const bool is_regular =
      channels.is_single() || (channels.mapping().kind() != Mapping::Kind::kExplicit && channels.nodes_are_alike());
  auto tree = is_regular ? tree_patterns(schedule) : std::nullopt;
  return tree ? TreeBuilder(std::move(*tree), channels, schedule.ranks, most_nodes).build() : std::nullopt;
}

}  // namespace postage
