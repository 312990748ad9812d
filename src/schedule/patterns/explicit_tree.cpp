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

Pattern edge(const ScheduleRequest& request, Rank source, Rank target, std::vector<BlockRun> blocks) {
  return {AffinePairs{.count = 1, .source_first = source, .target_first = target}, as_ranks(request.ranks),
          ExplicitBlocks{std::make_shared<const std::vector<BlockRun>>(std::move(blocks))}};
}

Schedule tree_schedule(Collective collective, const ScheduleRequest& request, Stage stage) {
  Schedule schedule{
      .collective = collective, .algorithm = "explicit tree", .ranks = request.ranks, .root = request.root};
  schedule.layout = contribution_layout(request);
  schedule.stages.push_back(std::move(stage));
  return segmented(std::move(schedule), request.segment_bytes);
}

}  // namespace

Schedule gather_along_tree(const ScheduleRequest& request, const ExplicitTree& tree) {
  check_request(Collective::kGather, request);
  const Levels levels(request, tree);
  Stage stage{.name = "gather up the tree"};
  for (auto level = levels.levels().rbegin() + 1; level != levels.levels().rend(); ++level) {
    Round round;
    for (const Rank parent : *level) {
      const std::vector<Rank>& children = levels.children(parent);
      for (auto child = children.rbegin(); child != children.rend(); ++child) {
        round.patterns.push_back(edge(request, *child, parent, levels.subtree(*child)));
      }
    }
    stage.rounds.push_back(std::move(round));
  }
  return tree_schedule(Collective::kGather, request, std::move(stage));
}

Schedule scatter_along_tree(const ScheduleRequest& request, const ExplicitTree& tree) {
  check_request(Collective::kScatter, request);
  const Levels levels(request, tree);
  Stage stage{.name = "scatter down the tree"};
  for (auto level = levels.levels().begin(); level + 1 != levels.levels().end(); ++level) {
    Round round;
    for (const Rank parent : *level) {
      for (const Rank child : levels.children(parent)) {
        round.patterns.push_back(edge(request, parent, child, levels.subtree(child)));
      }
    }
    stage.rounds.push_back(std::move(round));
  }
  return tree_schedule(Collective::kScatter, request, std::move(stage));
}

}  // namespace postage
