#include "optimize/trees/local_search.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace postage {
namespace {

/// Up to so many ranks every one is tried as a partner of every one; above, so many drawn ones.
constexpr std::size_t kMostTried = 24;
/// A tree that is less faster than this is no faster.
constexpr double kLeastGain = 1e-9;

class LocalSearch {
 public:
  LocalSearch(TreeTimes& tree, std::size_t work, std::uint64_t seed)
      : tree_(tree), last_work_(tree.work() + work), random_(seed) {}

  void run() {
    descend();
    std::vector<Rank> best = tree_.parents();
    Seconds least = tree_.seconds();
    while (has_work()) {
      disturb();
      descend();
      if (tree_.seconds() <= least) {
        least = tree_.seconds();
        best = tree_.parents();
      } else {
        restore(best);
      }
    }
    restore(best);
  }

 private:
  [[nodiscard]] bool has_work() const { return tree_.work() < last_work_; }
  [[nodiscard]] Rank any_rank() { return static_cast<Rank>(random_() % tree_.ranks()); }

  /// Ranks below the root that the time depends on: those of the longest path, and their siblings.
  [[nodiscard]] std::vector<Rank> critical_ranks() {
    std::vector<Rank> ranks;
    for (Rank rank = tree_.root(); rank != -1; rank = tree_.critical_child(rank)) {
      std::vector<Rank> children = tree_.children(rank);
      if (children.size() > kMostTried) {
        for (std::size_t i = 0; i < kMostTried; ++i) {
          std::swap(children[i], children[i + random_() % (children.size() - i)]);
        }
        children.resize(kMostTried);
        if (std::ranges::find(children, tree_.critical_child(rank)) == children.end()) {
          children.front() = tree_.critical_child(rank);
        }
      }
      ranks.insert(ranks.end(), children.begin(), children.end());
    }
    return ranks;
  }

  [[nodiscard]] std::vector<Rank> partners() {
    std::vector<Rank> ranks(std::min(tree_.ranks(), kMostTried));
    if (ranks.size() == tree_.ranks()) {
      std::iota(ranks.begin(), ranks.end(), 0);
    } else {
      std::ranges::generate(ranks, [&] { return any_rank(); });
    }
    return ranks;
  }

  void descend() {
    bool improved = true;
    while (improved && has_work()) {
      improved = false;
      for (const Rank rank : critical_ranks()) {
        for (const Rank partner : partners()) {
          improved = try_move(rank, partner) || try_exchange(rank, partner) || improved;
          if (!has_work()) {
            return;
          }
        }
      }
    }
  }

  [[nodiscard]] bool is_faster(Seconds than) const { return tree_.seconds() < than * (1 - kLeastGain); }

  [[nodiscard]] bool may_move(Rank rank, Rank parent) const {
    return parent != tree_.parent(rank) && !tree_.is_below(parent, rank);
  }

  bool try_move(Rank rank, Rank parent) {
    if (!may_move(rank, parent)) {
      return false;
    }
    const Seconds before = tree_.seconds();
    const Rank old = tree_.parent(rank);
    tree_.move(rank, parent);
    if (is_faster(before)) {
      return true;
    }
    tree_.move(rank, old);
    return false;
  }

  bool try_exchange(Rank a, Rank b) {
    if (a == b || b == tree_.root()) {
      return false;
    }
    const Seconds before = tree_.seconds();
    tree_.exchange(a, b);
    if (is_faster(before)) {
      return true;
    }
    tree_.exchange(a, b);
    return false;
  }

  void disturb() {
    for (int i = 0; i < 3; ++i) {
      const Rank rank = any_rank();
      const Rank other = any_rank();
      if (rank == tree_.root() || other == rank) {
        continue;
      }
      if (random_() % 2 == 0 && other != tree_.root()) {
        tree_.exchange(rank, other);
      } else if (may_move(rank, other)) {
        tree_.move(rank, other);
      }
    }
  }

  void restore(const std::vector<Rank>& parents) {
    if (parents != tree_.parents()) {
      tree_.reset(parents);
    }
  }

  TreeTimes& tree_;
  std::size_t last_work_;
  std::mt19937_64 random_;
};

}  // namespace

void improve_tree(TreeTimes& tree, std::size_t work, std::uint64_t seed) {
  if (tree.ranks() > 2) {
    LocalSearch(tree, work, seed).run();
  }
}

}  // namespace postage
