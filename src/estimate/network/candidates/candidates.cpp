#include "estimate/network/candidates/candidates.hpp"

#include "estimate/network/candidates/dragonflies.hpp"
#include "estimate/network/candidates/explained.hpp"
#include "estimate/network/candidates/group_levels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace postage {
namespace {

constexpr int kMostDimensions = 4;

/// All ways to write a number as a product of at least two factors above 1, in any order.
void append_products(int number, std::vector<int>& factors, std::vector<std::vector<int>>& all) {
  if (number == 1) {
    if (factors.size() > 1) {
      all.push_back(factors);
    }
    return;
  }
  for (int factor = 2; factor <= number && factors.size() < kMostDimensions; ++factor) {
    if (number % factor == 0) {
      factors.push_back(factor);
      append_products(number / factor, factors, all);
      factors.pop_back();
    }
  }
}

int steps_in_torus(const std::vector<int>& lengths, int from, int to) {
  int steps = 0;
  for (const int length : lengths) {
    const int apart = std::abs(from % length - to % length);
    steps += std::min(apart, length - apart);
    from /= length;
    to /= length;
  }
  return steps;
}

double unexplained_by_torus(const HostDistances& distances, const std::vector<int>& lengths) {
  return unexplained(distances, [&](int from, int to) { return steps_in_torus(lengths, from, to); });
}

/// Whether both ways along some ring can be as long, over other links.
bool has_two_ways(const std::vector<int>& lengths) {
  return std::any_of(lengths.begin(), lengths.end(), [](int length) { return length > 2 && length % 2 == 0; });
}

void append_tori(const HostDistances& distances, Explanations& tori) {
  std::vector<std::vector<int>> all;
  std::vector<int> factors;
  append_products(distances.hosts(), factors, all);
  all.push_back({distances.hosts()});  // a ring
  for (const std::vector<int>& lengths : all) {
    TorusNetwork torus{lengths, std::vector<std::optional<Estimate>>(lengths.size())};
    const double share = unexplained_by_torus(distances, lengths);
    tori.emplace_back(share, NetworkStructure{.torus = torus});
    if (has_two_ways(lengths)) {
      torus.down_from_middle = true;
      tori.emplace_back(share, NetworkStructure{.torus = std::move(torus)});
    }
  }
}

NetworkStructure tree_of(const std::vector<HostPartition>& levels) {
  NetworkStructure tree;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    append_level(levels[i], i == 0 ? "switch" : "group", GroupJunction::kSwitch, tree);
  }
  join_levels(tree);
  return tree;
}

/// Two groups with one link between them, instead of one of each to what joins them: the same bandwidth, but a message
/// that crosses has one link less of those that its share goes by (see Flow::share_bytes).
std::optional<NetworkStructure> joined_by_a_link(const NetworkStructure& tree) {
  if (tree.levels.size() != 1 || tree.groups.size() != 2) {
    return std::nullopt;
  }
  NetworkStructure joined = tree;
  joined.levels.front().junction = GroupJunction::kMesh;
  return joined;
}

}  // namespace

void append_trees(const std::vector<HostPartition>& levels, std::vector<NetworkStructure>& networks) {
  NetworkStructure tree = tree_of(levels);
  std::optional<NetworkStructure> joined = joined_by_a_link(tree);
  networks.push_back(std::move(tree));
  if (joined) {
    networks.push_back(std::move(*joined));
  }
}

std::vector<NetworkStructure> possible_trees(const HostDistances& distances, bool with_each_level) {
  std::vector<NetworkStructure> trees;
  const std::vector<HostPartition> levels = nested_groups(distances);
  if (!levels.empty()) {
    append_trees(levels, trees);
  }
  for (std::size_t i = 0; with_each_level && levels.size() > 1 && i < levels.size(); ++i) {
    append_trees({levels[i]}, trees);
  }
  return trees;
}

std::vector<NetworkStructure> possible_networks(const HostDistances& distances, bool with_each_level) {
  std::vector<NetworkStructure> networks = possible_trees(distances, with_each_level);
  Explanations by_steps;
  append_tori(distances, by_steps);
  append_dragonflies(distances, by_steps);
  append_best(std::move(by_steps), networks);
  return networks;
}

bool is_torus(const HostDistances& distances, const std::vector<int>& lengths) {
  return unexplained_by_torus(distances, lengths) <= kFewUnexplained;
}

}  // namespace postage
