#include <postage/base/error.hpp>
#include <postage/schedule/patterns/node_map.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace postage {
namespace {

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

void require_positive(Rank ranks, Rank value, const char* what) {
  if (ranks < 1 || value < 1) {
    throw UsageError(
        fmt::format("{} ranks and {} {} make no map of nodes; both must be at least 1", ranks, value, what));
  }
}

}  // namespace

NodeMap NodeMap::block(Rank ranks, Rank per_node) {
  require_positive(ranks, per_node, "ranks a node");
  return {Kind::kBlock, ranks, (Index{ranks} + per_node - 1) / per_node, per_node};
}

NodeMap NodeMap::cyclic(Rank ranks, Rank nodes) {
  require_positive(ranks, nodes, "nodes");
  return {Kind::kCyclic, ranks, std::min(ranks, nodes), 0};
}

NodeMap NodeMap::listed(const std::vector<Index>& labels) {
  if (labels.empty()) {
    throw UsageError("a list of nodes must name the node of at least one rank");
  }
  auto listing = std::make_shared<const Listing>(listing_of(labels));
  NodeMap map(Kind::kListed, static_cast<Rank>(labels.size()), static_cast<Index>(listing->by_size.size()), 0);
  map.listing_ = std::move(listing);
  return map;
}

NodeMap::Listing NodeMap::listing_of(const std::vector<Index>& labels) {
  Listing listing;
  std::map<Index, Index> numbers;
  std::vector<std::vector<Index>> nodes;
  for (std::size_t rank = 0; rank < labels.size(); ++rank) {
    const Index node = numbers.try_emplace(labels[rank], static_cast<Index>(nodes.size())).first->second;
    nodes.resize(std::max(nodes.size(), at(node) + 1));
    listing.node_of.push_back(node);
    listing.member_of.push_back(static_cast<Index>(nodes[at(node)].size()));
    nodes[at(node)].push_back(static_cast<Index>(rank));
  }
  std::vector<Index> starts{0};
  std::vector<Index> members;
  for (const std::vector<Index>& node : nodes) {
    members.insert(members.end(), node.begin(), node.end());
    starts.push_back(static_cast<Index>(members.size()));
  }
  listing.by_size.resize(nodes.size());
  std::iota(listing.by_size.begin(), listing.by_size.end(), Index{0});
  std::stable_sort(listing.by_size.begin(), listing.by_size.end(),
                   [&](Index a, Index b) { return nodes[at(a)].size() > nodes[at(b)].size(); });
  listing.position.resize(nodes.size());
  std::vector<Index> members_in_order;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::vector<Index>& node = nodes[at(listing.by_size[i])];
    const Index size = static_cast<Index>(node.size());
    listing.position[at(listing.by_size[i])] = static_cast<Index>(i);
    members_in_order.insert(members_in_order.end(), node.begin(), node.end());
    if (listing.classes.empty() || listing.classes.back().members != size) {
      listing.classes.push_back({static_cast<Index>(i), 0, size});
    }
    ++listing.classes.back().count;
  }
  listing.starts = std::make_shared<const std::vector<Index>>(std::move(starts));
  listing.members = std::make_shared<const std::vector<Index>>(std::move(members));
  listing.listed = explicit_numbering(std::move(members_in_order), static_cast<Index>(labels.size()));
  return listing;
}

Index NodeMap::node_of(Rank rank) const {
  switch (kind_) {
    case Kind::kBlock:
      return rank / per_node_;
    case Kind::kCyclic:
      return rank % nodes_;
    case Kind::kListed:
      break;
  }
  return listing_->node_of[at(rank)];
}

Index NodeMap::member_of(Rank rank) const {
  switch (kind_) {
    case Kind::kBlock:
      return rank % per_node_;
    case Kind::kCyclic:
      return rank / nodes_;
    case Kind::kListed:
      break;
  }
  return listing_->member_of[at(rank)];
}

Index NodeMap::members_on(Index node) const {
  switch (kind_) {
    case Kind::kBlock:
      return std::min(per_node_, ranks_ - node * per_node_);
    case Kind::kCyclic:
      return (ranks_ - node + nodes_ - 1) / nodes_;
    case Kind::kListed:
      break;
  }
  return (*listing_->starts)[at(node) + 1] - (*listing_->starts)[at(node)];
}

Rank NodeMap::rank_at(Index node, Index member) const {
  switch (kind_) {
    case Kind::kBlock:
      return static_cast<Rank>(node * per_node_ + member);
    case Kind::kCyclic:
      return static_cast<Rank>(node + member * nodes_);
    case Kind::kListed:
      break;
  }
  return static_cast<Rank>((*listing_->members)[at((*listing_->starts)[at(node)] + member)]);
}

bool NodeMap::is_in_rank_order() const {
  switch (kind_) {
    case Kind::kBlock:
      return true;
    case Kind::kCyclic:
      return nodes_ == 1 || nodes_ == ranks_;
    case Kind::kListed:
      break;
  }
  return std::is_sorted(listing_->members->begin(), listing_->members->end());
}

std::vector<NodeMap::SizeClass> NodeMap::size_classes() const {
  if (kind_ == Kind::kListed) {
    return listing_->classes;
  }
  const Index larger = kind_ == Kind::kBlock ? ranks_ / per_node_ : ranks_ % nodes_;
  std::vector<SizeClass> classes;
  for (const auto& [first, count] : {std::pair{Index{0}, larger}, std::pair{larger, nodes_ - larger}}) {
    if (count > 0) {
      classes.push_back({first, count, members_on(first)});
    }
  }
  return classes;
}

/// Of a listed map: ranks on the nodes before this one in the order of sizes.
Index NodeMap::members_before(Index position) const {
  Index members = 0;
  for (const SizeClass& nodes : listing_->classes) {
    members += std::clamp<Index>(position - nodes.first, 0, nodes.count) * nodes.members;
  }
  return members;
}

EqualNodes NodeMap::group_of(const SizeClass& nodes, Index leader) const {
  GroupedNumbering numbering{
      .inner = LinearNumbering{0, 1, nodes.members}, .groups = nodes.count, .members = nodes.members};
  switch (kind_) {
    case Kind::kBlock:
      numbering.base = nodes.first * per_node_;
      numbering.group_stride = per_node_;
      break;
    case Kind::kCyclic:
      numbering.base = nodes.first;
      numbering.group_stride = 1;
      numbering.member_stride = nodes_;
      break;
    case Kind::kListed:
      numbering.base = members_before(nodes.first);
      numbering.group_stride = nodes.members;
      numbering.listed = listing_->listed;
      break;
  }
  return {nodes.count, nodes.members, leader, numbering};
}

std::vector<EqualNodes> NodeMap::groups(std::optional<Rank> root) const {
  std::vector<EqualNodes> groups;
  const auto add = [&](Index first, Index end, Index members, Index leader) {
    if (first < end) {
      groups.push_back(group_of({first, end - first, members}, leader));
    }
  };
  Index apart = -1;
  if (root) {
    apart = kind_ == Kind::kListed ? listing_->position[at(node_of(*root))] : node_of(*root);
  }
  for (const SizeClass& nodes : size_classes()) {
    const Index end = nodes.first + nodes.count;
    if (apart < nodes.first || apart >= end) {
      add(nodes.first, end, nodes.members, 0);
      continue;
    }
    add(nodes.first, apart, nodes.members, 0);
    add(apart, apart + 1, nodes.members, member_of(*root));
    add(apart + 1, end, nodes.members, 0);
  }
  return groups;
}

GroupedNumbering NodeMap::leaders(std::optional<Rank> root) const {
  GroupedNumbering numbering{.inner = LinearNumbering{0, 1, nodes_},
                             .members = nodes_,
                             .member_stride = kind_ == Kind::kBlock ? per_node_ : 1};
  if (kind_ == Kind::kListed) {
    std::vector<Index> leaders(at(nodes_));
    for (Index node = 0; node < nodes_; ++node) {
      leaders[at(node)] = rank_at(node, 0);
    }
    numbering.listed = explicit_numbering(std::move(leaders), ranks_);
  }
  if (root && member_of(*root) != 0) {
    numbering.swapped_a = rank_at(node_of(*root), 0);
    numbering.swapped_b = *root;
  }
  return numbering;
}

BlockExpansion NodeMap::node_blocks() const {
  switch (kind_) {
    case Kind::kBlock:
      return {.block_stride = per_node_, .count = per_node_, .limit = ranks_};
    case Kind::kCyclic:
      return {.count = members_on(0), .stride = nodes_, .limit = ranks_};
    case Kind::kListed:
      break;
  }
  return {.starts = listing_->starts, .members = listing_->members};
}

BlockLayout NodeMap::node_sizes() const {
  if (kind_ != Kind::kListed) {
    const std::vector<SizeClass> classes = size_classes();
    return BlockLayout::two_sizes(nodes_, classes.front().count, classes.front().members, classes.back().members);
  }
  std::vector<Bytes> sizes(at(nodes_));
  for (Index node = 0; node < nodes_; ++node) {
    sizes[at(node)] = members_on(node);
  }
  return BlockLayout::explicit_sizes(sizes);
}

}  // namespace postage
