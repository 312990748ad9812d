#include "optimize/trees/all_trees.hpp"

#include <postage/predict/prediction.hpp>

#include <algorithm>
#include <limits>

namespace postage {
namespace {

class AllTrees {
 public:
  AllTrees(Rank ranks, Rank root, const std::function<void(const ExplicitTree&)>& visit)
      : root_(root), visit_(visit), children_(static_cast<std::size_t>(ranks)) {
    tree_.parents.assign(children_.size(), 0);
    parent(root) = -1;
  }

  void run() {
    do {
      if (set_children()) {
        order_children(0);
      }
    } while (next_parents());
  }

 private:
  [[nodiscard]] Rank& parent(Rank rank) { return tree_.parents[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::vector<Rank>& children(Rank rank) { return children_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] Rank ranks() const { return static_cast<Rank>(children_.size()); }

  /// Counts the parents up, like digits; false after the last.
  bool next_parents() {
    for (Rank rank = 0; rank < ranks(); ++rank) {
      if (rank == root_) {
        continue;
      }
      if (++parent(rank) < ranks()) {
        return true;
      }
      parent(rank) = 0;
    }
    return false;
  }

  /// The children of each rank, and the ranks from the root on; false where some do not hang from it.
  bool set_children() {
    for (std::vector<Rank>& below : children_) {
      below.clear();
    }
    for (Rank rank = 0; rank < ranks(); ++rank) {
      if (rank != root_) {
        children(parent(rank)).push_back(rank);
      }
    }
    downwards_ = {root_};
    for (std::size_t i = 0; i < downwards_.size(); ++i) {
      const std::vector<Rank>& below = children(downwards_[i]);
      downwards_.insert(downwards_.end(), below.begin(), below.end());
    }
    return downwards_.size() == children_.size();
  }

  /// All orders of the children of the ranks from the i-th of downwards_ on.
  void order_children(std::size_t i) {
    if (i == downwards_.size()) {
      tree_.order = {root_};
      for (const std::vector<Rank>& below : children_) {
        tree_.order.insert(tree_.order.end(), below.begin(), below.end());
      }
      visit_(tree_);
      return;
    }
    std::vector<Rank>& below = children(downwards_[i]);
    do {
      order_children(i + 1);
    } while (std::ranges::next_permutation(below).found);
  }

  Rank root_;
  const std::function<void(const ExplicitTree&)>& visit_;
  ExplicitTree tree_;
  std::vector<std::vector<Rank>> children_;
  std::vector<Rank> downwards_;
};

/// Keeps the fastest.
class FastestTree {
 public:
  explicit FastestTree(const PlatformModel& platform) : platform_(platform) {}
  void take(const CollectiveTree& tree) {
    if (const Seconds seconds = evaluate(schedule_along(tree), platform_.channels(), platform_.model());
        seconds < least_) {
      least_ = seconds;
      best_ = tree;
    }
  }
  [[nodiscard]] const CollectiveTree& best() const { return best_; }

 private:
  const PlatformModel& platform_;
  Seconds least_ = std::numeric_limits<Seconds>::infinity();
  CollectiveTree best_{};
};

}  // namespace

void for_each_tree(Rank ranks, Rank root, const std::function<void(const ExplicitTree&)>& visit) {
  AllTrees(ranks, root, visit).run();
}

CollectiveTree best_of_all_trees(Collective collective, const ScheduleRequest& request, const PlatformModel& platform) {
  FastestTree fastest(platform);
  CollectiveTree tree{.collective = collective, .request = request};
  const TreeDirections directions = tree_directions(collective);
  if (directions.up != directions.down) {
    for_each_tree(request.ranks, request.root, [&](const ExplicitTree& one) {
      (directions.up ? tree.up : tree.down) = one;
      fastest.take(tree);
    });
    return fastest.best();
  }
  for (tree.request.root = 0; tree.request.root < request.ranks; ++tree.request.root) {
    for_each_tree(request.ranks, tree.request.root, [&](const ExplicitTree& up) {
      tree.up = up;
      for_each_tree(request.ranks, tree.request.root, [&](const ExplicitTree& down) {
        tree.down = down;
        fastest.take(tree);
      });
    });
  }
  return fastest.best();
}

}  // namespace postage
