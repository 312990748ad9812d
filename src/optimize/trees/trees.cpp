#include "optimize/trees/all_trees.hpp"
#include "optimize/trees/single_tree.hpp"
#include "optimize/trees/tree_times.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace postage {
namespace {

/// Every rank is tried as an allgather's root up to so many ranks.
constexpr Rank kMostTriedRoots = 16;

/// What an allgather's messages down carry.
ScheduleRequest of_everything(const ScheduleRequest& request) {
  ScheduleRequest all = request;
  all.bytes = request.block_bytes.empty()
                  ? request.bytes * request.ranks
                  : std::accumulate(request.block_bytes.begin(), request.block_bytes.end(), Bytes{0});
  all.block_bytes.clear();
  return all;
}

std::vector<Rank> roots_to_try(TreeMethod method, const ScheduleRequest& request, const EdgeCosts& costs) {
  std::vector<Rank> roots;
  if (request.ranks <= kMostTriedRoots || method == TreeMethod::kExact) {
    roots.resize(static_cast<std::size_t>(request.ranks));
    std::iota(roots.begin(), roots.end(), 0);
    return roots;
  }
  std::vector<std::pair<Seconds, Rank>> speeds;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    const Rank other = (rank + 1) % request.ranks;
    speeds.emplace_back(costs.of(rank, other, costs.message(costs.block(other))).busy, rank);
  }
  const std::set<Rank> distinct{0, request.root, std::ranges::min_element(speeds)->second};
  roots.assign(distinct.begin(), distinct.end());
  return roots;
}

CollectiveTree try_all(Collective collective, const ScheduleRequest& request, const PlatformModel& platform) {
  const bool is_pair = collective == Collective::kAllgather;
  const Rank most = is_pair ? kMostTriedPairRanks : kMostTriedRanks;
  if (request.ranks > most) {
    throw UsageError(
        fmt::format("under the model {} the exact {} is found among all trees of up to {} ranks, not {}; take "
                    "the optimised one",
                    platform.name(), is_pair ? "pair of trees" : "tree", most, request.ranks));
  }
  return best_of_all_trees(collective, request, platform);
}

CollectiveTree build_allgather(TreeMethod method, const ScheduleRequest& request, const PlatformModel& platform) {
  const EdgeCosts up(platform, Collective::kGather, request);
  const EdgeCosts down(platform, Collective::kBcast, of_everything(request));
  CollectiveTree best{.collective = Collective::kAllgather, .request = request};
  Seconds least = std::numeric_limits<Seconds>::infinity();
  const std::vector<Rank> roots = roots_to_try(method, request, up);
  std::vector<SingleTree> gathered = build_single_trees(method, roots, up);
  std::vector<SingleTree> spread = build_single_trees(method, roots, down);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (gathered[i].seconds + spread[i].seconds < least) {
      least = gathered[i].seconds + spread[i].seconds;
      best.request.root = roots[i];
      best.up = std::move(gathered[i].tree);
      best.down = std::move(spread[i].tree);
    }
  }
  return best;
}

}  // namespace

CollectiveTree build_tree(TreeMethod method, Collective collective, const ScheduleRequest& request,
                          const PlatformModel& platform) {
  const TreeDirections directions = tree_directions(collective);
  check_tree_request(collective, request);
  if (request.ranks > kMostTreeRanks) {
    throw UsageError(
        fmt::format("trees are built for up to {} ranks, not {}: searching takes the square of their number",
                    kMostTreeRanks, request.ranks));
  }
  if (method == TreeMethod::kExact && !are_independent(platform, collective, request)) {
    return try_all(collective, request, platform);
  }
  if (directions.up && directions.down) {
    return build_allgather(method, request, platform);
  }
  const EdgeCosts costs(platform, collective, request);
  CollectiveTree tree{.collective = collective, .request = request};
  (directions.up ? tree.up : tree.down) = std::move(build_single_trees(method, {request.root}, costs).front().tree);
  return tree;
}

Seconds tree_seconds(const CollectiveTree& tree, const PlatformModel& platform) {
  const auto seconds = [&](const EdgeCosts& costs, const ExplicitTree& one) {
    return TreeTimes(costs, tree.request.root, one.parents).seconds();
  };
  if (tree.collective == Collective::kAllgather) {
    return seconds(EdgeCosts(platform, Collective::kGather, tree.request), tree.up) +
           seconds(EdgeCosts(platform, Collective::kBcast, of_everything(tree.request)), tree.down);
  }
  return seconds(EdgeCosts(platform, tree.collective, tree.request),
                 tree_directions(tree.collective).up ? tree.up : tree.down);
}

}  // namespace postage
