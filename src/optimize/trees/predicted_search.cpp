#include "optimize/trees/predicted_search.hpp"

#include <postage/predict/prediction.hpp>

#include <algorithm>
#include <random>
#include <utility>

namespace postage {
namespace {

constexpr std::size_t kMostPredictedMessages = 100'000;
/// Above, so many messages are too few changes to find a better tree by.
constexpr Rank kMostChanged = 128;
/// Changes in a row without a gain after which the tree is disturbed, for each rank.
constexpr std::size_t kPatience = 40;
constexpr double kLeastPredictedGain = 1e-9;

/// Changes, drawn at random, that keep a tree one.
class ChangingTree {
 public:
  ChangingTree(ExplicitTree& tree, std::mt19937_64& random) : tree_(tree), random_(random) {}

  /// Below another parent, first, last or between its children; or only elsewhere among those that it is with.
  void move() {
    const Rank rank = any_rank();
    const Rank new_parent = random_() % 3 == 0 ? parent(rank) : any_rank();
    if (parent(rank) >= 0 && !is_below(new_parent, rank)) {
      parent(rank) = new_parent;
      std::erase(tree_.order, rank);
      const auto place = random_() % (tree_.order.size() + 1);
      tree_.order.insert(tree_.order.begin() + static_cast<std::ptrdiff_t>(place), rank);
    }
  }

  void exchange(Rank a, Rank b) {
    const auto renamed = [&](Rank rank) { return rank == a ? b : rank == b ? a : rank; };
    std::swap(parent(a), parent(b));
    std::ranges::transform(tree_.parents, tree_.parents.begin(), renamed);
    std::ranges::transform(tree_.order, tree_.order.begin(), renamed);
  }

  [[nodiscard]] Rank any_rank() { return static_cast<Rank>(random_() % tree_.parents.size()); }

 private:
  [[nodiscard]] Rank& parent(Rank rank) { return tree_.parents[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool is_below(Rank rank, Rank top) {
    while (rank != -1 && rank != top) {
      rank = parent(rank);
    }
    return rank == top;
  }

  ExplicitTree& tree_;
  std::mt19937_64& random_;
};

class PredictedSearch {
 public:
  PredictedSearch(CollectiveTree tree, const PlatformModel& platform)
      : platform_(platform), random_(2009), best_(std::move(tree)) {}

  CollectiveTree run() {
    const auto ranks = static_cast<std::size_t>(best_.request.ranks);
    least_ = seconds_of(best_);
    CollectiveTree current = best_;
    Seconds now = least_;
    std::size_t in_vain = 0;
    for (std::size_t left = kMostPredictedMessages / (ranks * trees_of(best_).size()); left > 0; --left) {
      const bool disturbs = in_vain >= kPatience * ranks;
      CollectiveTree changed = disturbs ? best_ : current;
      for (int changes = disturbs ? 3 : 1; changes > 0; --changes) {
        change(changed);
      }
      const Seconds seconds = seconds_of(changed);
      in_vain = disturbs || seconds < now * (1 - kLeastPredictedGain) ? 0 : in_vain + 1;
      if (disturbs || seconds <= now) {
        current = std::move(changed);
        now = seconds;
        keep(current, now);
      }
    }
    return std::move(best_);
  }

 private:
  [[nodiscard]] static std::vector<ExplicitTree CollectiveTree::*> trees_of(const CollectiveTree& tree) {
    std::vector<ExplicitTree CollectiveTree::*> trees;
    for (const auto one : {&CollectiveTree::up, &CollectiveTree::down}) {
      if (!(tree.*one).parents.empty()) {
        trees.push_back(one);
      }
    }
    return trees;
  }

  [[nodiscard]] Seconds seconds_of(const CollectiveTree& tree) const {
    return evaluate(schedule_along(tree), platform_.channels(), platform_.model());
  }

  void keep(const CollectiveTree& tree, Seconds seconds) {
    if (seconds < least_ * (1 - kLeastPredictedGain)) {
      least_ = seconds;
      best_ = tree;
    }
  }

  void change(CollectiveTree& tree) {
    const auto trees = trees_of(tree);
    ChangingTree one(tree.*trees[random_() % trees.size()], random_);
    if (random_() % 3 != 0) {
      one.move();
      return;
    }
    const Rank a = one.any_rank();
    const Rank b = one.any_rank();
    if (a != tree.request.root && b != tree.request.root) {
      one.exchange(a, b);
    } else if (trees.size() > 1) {
      for (const auto each : trees) {
        ChangingTree(tree.*each, random_).exchange(a, b);
      }
      tree.request.root = a == tree.request.root ? b : a;
    }
  }

  const PlatformModel& platform_;
  std::mt19937_64 random_;
  CollectiveTree best_;
  Seconds least_ = 0;
};

}  // namespace

CollectiveTree improve_by_prediction(CollectiveTree tree, const PlatformModel& platform) {
  const Rank ranks = tree.request.ranks;
  return ranks > 2 && ranks <= kMostChanged ? PredictedSearch(std::move(tree), platform).run() : tree;
}

}  // namespace postage
