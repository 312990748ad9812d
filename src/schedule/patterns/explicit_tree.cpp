#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/exchange_stages.hpp"
#include "schedule/patterns/vectors.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/patterns/explicit_tree.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace postage {
namespace {

std::size_t at(Rank rank) {
  return static_cast<std::size_t>(rank);
}

/// The tree from its root downwards.
class Levels {
 public:
  Levels(const ScheduleRequest& request, const ExplicitTree& tree) : children_(at(request.ranks)) {
    check_parents(request, tree.parents);
    for (Rank rank = 0; rank < request.ranks; ++rank) {
      if (rank != request.root) {
        children_[at(tree.parents[at(rank)])].push_back(rank);
      }
    }
    members_.resize(children_.size());
    descend(request);
    collect_members();
    sort_children(tree.order);
  }

  /// Ranks at each distance from the root.
  [[nodiscard]] const std::vector<std::vector<Rank>>& levels() const { return levels_; }
  [[nodiscard]] const std::vector<Rank>& children(Rank rank) const { return children_[at(rank)]; }

  /// The rank and all below it, ascending, as runs.
  [[nodiscard]] std::vector<BlockRun> subtree(Rank rank) const {
    std::vector<BlockRun> runs;
    for (const Rank member : members_[at(rank)]) {
      if (!runs.empty() && runs.back().first + runs.back().count == member) {
        ++runs.back().count;
      } else {
        runs.push_back({member, 1});
      }
    }
    return runs;
  }

 private:
  static void check_parents(const ScheduleRequest& request, const std::vector<Rank>& parents) {
    if (parents.size() != at(request.ranks)) {
      throw UsageError(fmt::format("the tree lists {} parents; P = {} ranks need one each, -1 for the root",
                                   parents.size(), request.ranks));
    }
    for (Rank rank = 0; rank < request.ranks; ++rank) {
      const Rank parent = parents[at(rank)];
      const bool is_root = rank == request.root;
      if (is_root ? parent != -1 : parent < 0 || parent >= request.ranks) {
        throw UsageError(
            fmt::format("the parent of rank {} is {}; it must be {}", rank, parent,
                        is_root ? "-1, since it is the root" : fmt::format("a rank, 0 to {}", request.ranks - 1)));
      }
    }
  }

  void descend(const ScheduleRequest& request) {
    std::size_t reached = 0;
    for (std::vector<Rank> level{request.root}; !level.empty();) {
      reached += level.size();
      std::vector<Rank> next;
      for (const Rank rank : level) {
        next.insert(next.end(), children(rank).begin(), children(rank).end());
      }
      levels_.push_back(std::move(level));
      level = std::move(next);
    }
    if (reached != at(request.ranks)) {
      throw UsageError(fmt::format("{} of {} ranks do not hang from the root {}: their parents form a circle",
                                   at(request.ranks) - reached, request.ranks, request.root));
    }
  }

  void collect_members() {
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      for (const Rank rank : *level) {
        std::vector<Rank>& members = members_[at(rank)];
        members.push_back(rank);
        for (const Rank child : children(rank)) {
          members.insert(members.end(), members_[at(child)].begin(), members_[at(child)].end());
        }
        std::sort(members.begin(), members.end());
      }
    }
  }

  void sort_children(const std::vector<Rank>& order) {
    std::vector<std::size_t> position(children_.size());
    if (!order.empty()) {
      std::vector<Rank> sorted = order;
      std::sort(sorted.begin(), sorted.end());
      std::vector<Rank> all(children_.size());
      std::iota(all.begin(), all.end(), 0);
      if (sorted != all) {
        throw UsageError(
            fmt::format("the order of the tree's children must list each rank of 0 to {} once", children_.size() - 1));
      }
      for (std::size_t i = 0; i < order.size(); ++i) {
        position[at(order[i])] = i;
      }
    }
    const auto earlier = [&](Rank a, Rank b) {
      return order.empty() ? members_[at(a)].size() > members_[at(b)].size() : position[at(a)] < position[at(b)];
    };
    for (std::vector<Rank>& children : children_) {
      std::stable_sort(children.begin(), children.end(), earlier);
    }
  }

  std::vector<std::vector<Rank>> children_;
  std::vector<std::vector<Rank>> members_;
  std::vector<std::vector<Rank>> levels_;
};

Pattern edge(const ScheduleRequest& request, Rank source, Rank target, BlockSelector blocks,
             Combine combine = Combine::kCopy) {
  return {.pairs = AffinePairs{.count = 1, .source_first = source, .target_first = target},
          .numbering = as_ranks(request.ranks),
          .blocks = std::move(blocks),
          .combine = combine};
}

/// A sub-tree's blocks.
BlockSelector blocks_below(const Levels& levels, Rank rank) {
  return ExplicitBlocks{std::make_shared<const std::vector<BlockRun>>(levels.subtree(rank))};
}

/// One round for each level, or where ranks' children have rounds of their own, one for each of the most of them.
class LevelRounds {
 public:
  /// `all` one by one, or those that the tree lists.
  LevelRounds(const ExplicitTree& tree, bool all) : one_by_one_(tree.parents.size(), all) {
    for (const Rank rank : tree.one_by_one) {
      if (rank < 0 || at(rank) >= one_by_one_.size()) {
        throw UsageError(
            fmt::format("the tree serves rank {} one by one, which is none of its {} ranks", rank, one_by_one_.size()));
      }
      one_by_one_[at(rank)] = true;
    }
  }

  void begin_level() { first_ = rounds_.size(); }
  /// `number` counts the messages of one parent.
  void add(Rank parent, std::size_t number, Pattern message) {
    const std::size_t round = first_ + (one_by_one_[at(parent)] ? number : 0);
    rounds_.resize(std::max(rounds_.size(), round + 1));
    rounds_[round].patterns.push_back(std::move(message));
  }
  [[nodiscard]] std::vector<Round> take() { return std::move(rounds_); }

 private:
  std::vector<bool> one_by_one_;
  std::size_t first_ = 0;
  std::vector<Round> rounds_;
};

/// From the leaves on; `blocks(child)` go over the edge above a child.
template <typename Blocks>
std::vector<Round> rounds_up(const ScheduleRequest& request, const Levels& levels, LevelRounds rounds, Combine combine,
                             const Blocks& blocks) {
  for (auto level = levels.levels().rbegin() + 1; level != levels.levels().rend(); ++level) {
    rounds.begin_level();
    for (const Rank parent : *level) {
      const std::vector<Rank>& children = levels.children(parent);
      std::size_t number = 0;
      for (auto child = children.rbegin(); child != children.rend(); ++child) {
        rounds.add(parent, number++, edge(request, *child, parent, blocks(*child), combine));
      }
    }
  }
  return rounds.take();
}

/// The same from the root on.
template <typename Blocks>
std::vector<Round> rounds_down(const ScheduleRequest& request, const Levels& levels, LevelRounds rounds,
                               const Blocks& blocks) {
  for (auto level = levels.levels().begin(); level + 1 != levels.levels().end(); ++level) {
    rounds.begin_level();
    for (const Rank parent : *level) {
      std::size_t number = 0;
      for (const Rank child : levels.children(parent)) {
        rounds.add(parent, number++, edge(request, parent, child, blocks(child)));
      }
    }
  }
  return rounds.take();
}

Schedule tree_schedule(Collective collective, const ScheduleRequest& request, BlockLayout layout,
                       std::vector<Stage> stages) {
  Schedule schedule{
      .collective = collective, .algorithm = "explicit tree", .ranks = request.ranks, .root = request.root};
  schedule.layout = std::move(layout);
  schedule.stages = std::move(stages);
  return segmented(std::move(schedule), request.segment_bytes);
}

}  // namespace

Schedule gather_along_tree(const ScheduleRequest& request, const ExplicitTree& tree) {
  check_request(Collective::kGather, request);
  const Levels levels(request, tree);
  const auto blocks = [&](Rank child) { return blocks_below(levels, child); };
  return tree_schedule(
      Collective::kGather, request, contribution_layout(request),
      {{.name = "gather up the tree", .rounds = rounds_up(request, levels, {tree, false}, Combine::kCopy, blocks)}});
}

Schedule scatter_along_tree(const ScheduleRequest& request, const ExplicitTree& tree) {
  check_request(Collective::kScatter, request);
  const Levels levels(request, tree);
  const auto blocks = [&](Rank child) { return blocks_below(levels, child); };
  return tree_schedule(
      Collective::kScatter, request, contribution_layout(request),
      {{.name = "scatter down the tree", .rounds = rounds_down(request, levels, {tree, false}, blocks)}});
}

Schedule bcast_along_tree(const ScheduleRequest& request, const ExplicitTree& tree) {
  check_request(Collective::kBcast, request);
  const Levels levels(request, tree);
  const auto blocks = [](Rank) { return whole_vector(); };
  return tree_schedule(Collective::kBcast, request, cut_vector(request, 1),
                       {{.name = "tree", .rounds = rounds_down(request, levels, {tree, false}, blocks)}});
}

Schedule reduce_along_tree(const ScheduleRequest& request, const ExplicitTree& tree) {
  check_request(Collective::kReduce, request);
  if (!request.commutative) {
    throw UsageError("a tree of any form combines in its own order: give it an operation that commutes");
  }
  const Levels levels(request, tree);
  const auto blocks = [](Rank) { return whole_vector(); };
  return tree_schedule(
      Collective::kReduce, request, cut_vector(request, 1),
      {{.name = "tree", .rounds = rounds_up(request, levels, {tree, true}, Combine::kReduceRight, blocks)}});
}

Schedule allgather_along_trees(const ScheduleRequest& request, const ExplicitTree& up, const ExplicitTree& down) {
  check_request(Collective::kAllgather, request);
  ScheduleRequest rooted = request;
  const auto top = std::ranges::find(up.parents, Rank{-1});
  rooted.root = top == up.parents.end() ? 0 : static_cast<Rank>(top - up.parents.begin());
  const Levels gathering(rooted, up);
  const Levels spreading(rooted, down);
  const auto blocks = [&](Rank child) { return blocks_below(gathering, child); };
  const auto all = [&](Rank) { return fixed_blocks(rooted.ranks); };
  Schedule schedule = tree_schedule(
      Collective::kAllgather, rooted, contribution_layout(rooted),
      {{.name = "gather up a tree", .rounds = rounds_up(rooted, gathering, {up, false}, Combine::kCopy, blocks)},
       {.name = "broadcast down a tree", .rounds = rounds_down(rooted, spreading, {down, false}, all)}});
  schedule.root = 0;
  return schedule;
}

}  // namespace postage
