#include "optimize/trees/single_tree.hpp"

#include "optimize/trees/exact.hpp"
#include "optimize/trees/forms.hpp"
#include "optimize/trees/growing.hpp"
#include "optimize/trees/local_search.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace postage {
namespace {

/// Above, growing takes seconds.
constexpr std::size_t kMostGrown = 1024;

/// Up to so many ranks every start is improved, else the two best.
constexpr std::size_t kMostFromEverywhere = 32;

std::vector<Rank> flat_parents(std::size_t ranks, Rank root) {
  std::vector<Rank> parents(ranks, root);
  parents[static_cast<std::size_t>(root)] = -1;
  return parents;
}

void check_exact(const EdgeCosts& costs) {
  if (costs.ranks() > static_cast<std::size_t>(kMostExactRanks)) {
    throw UsageError(fmt::format("the exact tree is for up to {} ranks, not {}; take the optimised one",
                                 kMostExactRanks, costs.ranks()));
  }
  Bytes all = 0;
  for (Rank rank = 0; rank < static_cast<Rank>(costs.ranks()); ++rank) {
    all += costs.block(rank);
  }
  if (costs.is_limited(costs.message(all))) {
    throw UsageError("the exact tree is for messages below the model's S and M_1; take the optimised one");
  }
}

std::vector<Rank> parents_by(TreeMethod method, Rank root, const EdgeCosts& costs) {
  switch (method) {
    case TreeMethod::kBinomial:
      return place_ranks(binomial_form(costs.ranks()), root, costs, PlaceChoice::kInOrder);
    case TreeMethod::kMappedBinomial:
      return place_ranks(binomial_form(costs.ranks()), root, costs, PlaceChoice::kFastest);
    case TreeMethod::kWorstBinomial:
      return place_ranks(binomial_form(costs.ranks()), root, costs, PlaceChoice::kSlowest);
    case TreeMethod::kFormForEqualRanks:
      return place_ranks(form_for_equal_ranks(costs), root, costs, PlaceChoice::kFastest);
    case TreeMethod::kFastestEdgeFirst:
      return grow_tree(Growth::kFastestEdge, root, costs);
    case TreeMethod::kFastestNodeFirst:
      return grow_tree(Growth::kFastestNode, root, costs);
    case TreeMethod::kEarliestEdgeFirst:
      return grow_tree(Growth::kEarliestEdge, root, costs);
    case TreeMethod::kWidestEdgeLast:
      return grow_tree(Growth::kWidestEdge, root, costs);
    default:
      return flat_parents(costs.ranks(), root);
  }
}

std::vector<TreeMethod> starting_methods(std::size_t ranks) {
  std::vector<TreeMethod> methods{TreeMethod::kFlat, TreeMethod::kBinomial, TreeMethod::kFormForEqualRanks};
  if (ranks <= kMostGrown) {
    methods.insert(methods.end(),
                   {TreeMethod::kMappedBinomial, TreeMethod::kFastestEdgeFirst, TreeMethod::kFastestNodeFirst,
                    TreeMethod::kEarliestEdgeFirst, TreeMethod::kWidestEdgeLast});
  }
  return methods;
}

/// O(P^2), and no more than some seconds. Of one of many trees, one for each root, less: only the best of them counts.
std::size_t usual_work(std::size_t ranks, std::size_t trees) {
  constexpr std::size_t kOfEachPair = 12'000;
  constexpr std::size_t kOfEachPairAmongMany = 1000;
  constexpr std::size_t kMost = 3'000'000;
  const std::size_t of_each_pair = trees == 1 ? kOfEachPair : kOfEachPairAmongMany;
  return std::max(std::min(of_each_pair * ranks * ranks, kMost), ranks * ranks / 4);
}

}  // namespace

SingleTree optimise_single_tree(Rank root, const EdgeCosts& costs, std::size_t work) {
  std::vector<std::vector<Rank>> starts;
  std::vector<std::pair<Seconds, std::size_t>> order;
  for (const TreeMethod method : starting_methods(costs.ranks())) {
    starts.push_back(parents_by(method, root, costs));
    order.emplace_back(TreeTimes(costs, root, starts.back()).seconds(), order.size());
  }
  std::ranges::sort(order);
  // Forms that are slow at first may hold what the best ones cannot be moved into; those two get most of the work.
  const std::size_t starts_used = costs.ranks() <= kMostFromEverywhere ? order.size() : 2;
  SingleTree best{.tree = {}, .seconds = std::numeric_limits<Seconds>::infinity()};
  for (std::size_t i = 0; i < starts_used; ++i) {
    TreeTimes tree(costs, root, starts[order[i].second]);
    improve_tree(tree, work / (i < 2 ? 2 : starts_used), i + 1);
    if (tree.seconds() < best.seconds) {
      best = {tree.explicit_tree(), tree.seconds()};
    }
  }
  return best;
}

std::vector<SingleTree> build_single_trees(TreeMethod method, const std::vector<Rank>& roots, const EdgeCosts& costs) {
  std::vector<std::vector<Rank>> exact;
  if (method == TreeMethod::kExact) {
    check_exact(costs);
    exact = exact_trees(roots, costs);
  }
  std::vector<SingleTree> trees;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (method == TreeMethod::kOptimised) {
      trees.push_back(optimise_single_tree(roots[i], costs, usual_work(costs.ranks(), roots.size())));
      continue;
    }
    const TreeTimes tree(costs, roots[i], exact.empty() ? parents_by(method, roots[i], costs) : exact[i]);
    trees.push_back({tree.explicit_tree(), tree.seconds()});
  }
  return trees;
}

}  // namespace postage
