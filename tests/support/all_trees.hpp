#pragma once

#include <postage/predict/prediction.hpp>
#include <postage/schedule/tree_file.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace postage::test {

/// Every tree of `ranks` ranks below `root` in every order of each rank's children.
[[nodiscard]] inline std::vector<ExplicitTree> all_trees(Rank ranks, Rank root) {
  std::vector<ExplicitTree> trees;
  std::vector<Rank> parents(static_cast<std::size_t>(ranks), 0);
  parents[static_cast<std::size_t>(root)] = -1;
  const auto parent_of = [&](Rank rank) { return parents[static_cast<std::size_t>(rank)]; };
  const auto hangs = [&](Rank rank) {
    for (Rank steps = 0; rank != root && steps < ranks; ++steps) {
      rank = parent_of(rank);
    }
    return rank == root;
  };
  const auto next_parents = [&] {
    for (Rank rank = 0; rank < ranks; ++rank) {
      Rank& parent = parents[static_cast<std::size_t>(rank)];
      if (rank != root && ++parent < ranks) {
        return true;
      }
      parent = rank == root ? -1 : 0;
    }
    return false;
  };
  std::vector<Rank> order(parents.size());
  do {
    std::iota(order.begin(), order.end(), 0);
    if (!std::ranges::all_of(order, hangs)) {
      continue;
    }
    do {
      // One order stands for those that differ by ranks of different parents only.
      if (std::ranges::is_sorted(order, {}, parent_of)) {
        trees.push_back({.parents = parents, .order = order});
      }
    } while (std::ranges::next_permutation(order).found);
  } while (next_parents());
  return trees;
}

/// The least time that `predict` gives for any tree, or, of an allgather, for any two with one root.
[[nodiscard]] inline Seconds least_of_all_trees(Collective collective, const ScheduleRequest& request,
                                                const PlatformModel& platform) {
  Seconds least = std::numeric_limits<Seconds>::infinity();
  const auto take = [&](const CollectiveTree& tree) {
    least = std::min(least, predict(schedule_along(tree), platform).seconds);
  };
  const TreeDirections directions = tree_directions(collective);
  const bool are_together = platform.model().fan_limits() == nullptr;
  const bool has_both = directions.up && directions.down;
  for (Rank root = 0; root < request.ranks; ++root) {
    if (!has_both && root != request.root) {
      continue;
    }
    CollectiveTree tree{.collective = collective, .request = request};
    tree.request.root = root;
    std::vector<ExplicitTree> trees = all_trees(request.ranks, root);
    for (ExplicitTree& one : trees) {
      one.one_by_one = are_together ? std::vector<Rank>{} : one.order;
    }
    for (const ExplicitTree& one : trees) {
      (directions.up ? tree.up : tree.down) = one;
      if (!has_both) {
        take(tree);
      }
      for (std::size_t i = 0; has_both && i < trees.size(); ++i) {
        tree.down = trees[i];
        take(tree);
      }
    }
  }
  return least;
}

}  // namespace postage::test
