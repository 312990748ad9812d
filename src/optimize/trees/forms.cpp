#include "optimize/trees/forms.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace postage {
namespace {

constexpr std::size_t kMostChosenOneByOne = 1024;
/// Pairs of ranks that stand for all of them.
constexpr std::size_t kSampledPairs = 16;

double mean_block(const EdgeCosts& costs) {
  double sum = 0;
  for (std::size_t rank = 0; rank < costs.ranks(); ++rank) {
    sum += static_cast<double>(costs.block(static_cast<Rank>(rank)));
  }
  return sum / static_cast<double>(costs.ranks());
}

/// Of a message to a sub-tree of `size` ranks.
Bytes mean_message(const EdgeCosts& costs, std::size_t size, double block) {
  return costs.message(static_cast<Bytes>(static_cast<double>(size) * block));
}

EdgeCost mean_cost(const EdgeCosts& costs, Bytes bytes) {
  const std::size_t ranks = costs.ranks();
  EdgeCost sum;
  for (std::size_t i = 0; i < kSampledPairs; ++i) {
    const std::size_t a = i * ranks / kSampledPairs % ranks;
    const std::size_t b = (a + 1 + i * 7 % (ranks - 1)) % ranks;
    const EdgeCost one = costs.of(static_cast<Rank>(a), static_cast<Rank>(b), bytes);
    sum.busy += one.busy / static_cast<double>(kSampledPairs);
    sum.rest += one.rest / static_cast<double>(kSampledPairs);
  }
  return sum;
}

/// Of n equal ranks: how many the first message of the root is for.
std::vector<std::size_t> best_first_sizes(const EdgeCosts& costs) {
  const std::size_t ranks = costs.ranks();
  const double block = mean_block(costs);
  std::vector<EdgeCost> to(ranks);
  std::vector<Seconds> best(ranks + 1, 0);
  std::vector<std::size_t> first(ranks + 1, 0);
  for (std::size_t size = 1; size < ranks; ++size) {
    to[size] = mean_cost(costs, mean_message(costs, size, block));
  }
  for (std::size_t n = 2; n <= ranks; ++n) {
    best[n] = std::numeric_limits<Seconds>::infinity();
    for (std::size_t size = 1; size < n; ++size) {
      const Seconds seconds = to[size].busy + std::max(to[size].rest + best[size], best[n - size]);
      if (seconds < best[n]) {
        best[n] = seconds;
        first[n] = size;
      }
    }
  }
  return first;
}

std::vector<Rank> others_than(Rank root, std::size_t ranks) {
  std::vector<Rank> others;
  for (std::size_t i = 1; i < ranks; ++i) {
    others.push_back(static_cast<Rank>((static_cast<std::size_t>(root) + i) % ranks));
  }
  return others;
}

/// The rank of each place.
std::vector<Rank> ranks_of_places(const TreeForm& form, Rank root, const EdgeCosts& costs, PlaceChoice choice) {
  const std::size_t ranks = costs.ranks();
  const double block = mean_block(costs);
  std::vector<std::size_t> places(ranks - 1);
  std::iota(places.begin(), places.end(), 1);
  std::vector<Rank> left = others_than(root, ranks);
  std::vector<Rank> chosen(ranks, root);
  const bool fastest = choice == PlaceChoice::kFastest;
  const auto seconds = [&](Rank parent, Rank rank, std::size_t size) {
    const Bytes others = static_cast<Bytes>(static_cast<double>(size - 1) * block);
    return costs.of(parent, rank, costs.message(others + costs.block(rank))).total();
  };
  if (choice != PlaceChoice::kInOrder) {
    std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) { return form.sizes[a] > form.sizes[b]; });
  }
  if (choice != PlaceChoice::kInOrder && ranks > kMostChosenOneByOne) {
    std::vector<Seconds> to(ranks, 0);
    for (const Rank rank : left) {
      to[static_cast<std::size_t>(rank)] = seconds(root, rank, 1);
    }
    std::ranges::stable_sort(left, [&](Rank a, Rank b) {
      const Seconds to_a = to[static_cast<std::size_t>(a)];
      const Seconds to_b = to[static_cast<std::size_t>(b)];
      return fastest ? to_a < to_b : to_b < to_a;
    });
    choice = PlaceChoice::kInOrder;
  }
  if (choice == PlaceChoice::kInOrder) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      chosen[places[i]] = left[i];
    }
    return chosen;
  }
  for (const std::size_t place : places) {
    const Rank parent = chosen[form.parents[place]];
    const auto best = std::ranges::min_element(left, {}, [&](Rank rank) {
      const Seconds one = seconds(parent, rank, form.sizes[place]);
      return fastest ? one : -one;
    });
    chosen[place] = *best;
    left.erase(best);
  }
  return chosen;
}

}  // namespace

TreeForm binomial_form(std::size_t ranks) {
  TreeForm form{.parents = std::vector<std::size_t>(ranks, 0), .sizes = std::vector<std::size_t>(ranks, ranks)};
  for (std::size_t v = 1; v < ranks; ++v) {
    form.parents[v] = v & (v - 1);
    form.sizes[v] = std::min(v & -v, ranks - v);
  }
  return form;
}

TreeForm form_for_equal_ranks(const EdgeCosts& costs) {
  const std::size_t ranks = costs.ranks();
  TreeForm form{.parents = {0}, .sizes = {ranks}};
  if (ranks == 1) {
    return form;
  }
  const std::vector<std::size_t> first = best_first_sizes(costs);
  for (std::size_t place = 0; place < form.sizes.size(); ++place) {
    for (std::size_t left = form.sizes[place]; left > 1; left -= first[left]) {
      form.parents.push_back(place);
      form.sizes.push_back(first[left]);
    }
  }
  return form;
}

std::vector<Rank> place_ranks(const TreeForm& form, Rank root, const EdgeCosts& costs, PlaceChoice choice) {
  std::vector<Rank> parents(costs.ranks(), -1);
  if (costs.ranks() > 1) {
    const std::vector<Rank> ranks = ranks_of_places(form, root, costs, choice);
    for (std::size_t place = 1; place < ranks.size(); ++place) {
      parents[static_cast<std::size_t>(ranks[place])] = ranks[form.parents[place]];
    }
  }
  return parents;
}

}  // namespace postage
