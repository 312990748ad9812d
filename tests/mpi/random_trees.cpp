#include "mpi/random_trees.hpp"

#include <postage/schedule/tree_file.hpp>

#include <algorithm>
#include <numeric>
#include <random>

namespace postage {
namespace {

/// Each rank below any of those before it, in a random order; every second rank serves its children one by one.
ExplicitTree random_tree(Rank ranks, Rank root, std::uint64_t seed) {
  std::mt19937_64 random(seed * 67 + static_cast<std::uint64_t>(ranks));
  ExplicitTree tree{.parents = std::vector<Rank>(static_cast<std::size_t>(ranks), -1)};
  tree.order.resize(tree.parents.size());
  std::iota(tree.order.begin(), tree.order.end(), 0);
  std::shuffle(tree.order.begin(), tree.order.end(), random);
  std::swap(tree.order.front(), *std::ranges::find(tree.order, root));
  for (std::size_t i = 1; i < tree.order.size(); ++i) {
    tree.parents[static_cast<std::size_t>(tree.order[i])] = tree.order[random() % i];
  }
  for (Rank rank = 0; rank < ranks; rank += 2) {
    tree.one_by_one.push_back(rank);
  }
  return tree;
}

template <Collective kCollective>
Schedule build(const ScheduleRequest& request) {
  ScheduleRequest whole = request;
  whole.segment_bytes = 0;
  whole.root = has_root(kCollective) ? request.root : request.ranks / 2;
  return schedule_along({.collective = kCollective,
                         .request = whole,
                         .up = random_tree(whole.ranks, whole.root, 1),
                         .down = random_tree(whole.ranks, whole.root, 2)});
}

template <Collective kCollective>
void register_one() {
  register_algorithm({.collective = kCollective,
                      .name = "random-tree",
                      .summary = "A tree of any form",
                      .segmentable = true,
                      .build = build<kCollective>});
}

}  // namespace

void register_random_trees() {
  register_one<Collective::kBcast>();
  register_one<Collective::kReduce>();
  register_one<Collective::kScatter>();
  register_one<Collective::kGather>();
  register_one<Collective::kAllgather>();
}

}  // namespace postage
