#include "estimate/network/candidates/clear_groups.hpp"

#include "estimate/network/candidates/candidates.hpp"

#include <utility>
#include <vector>

namespace postage {
namespace {

/// Share of the variance that groups may leave: noise of 30 % alone left more in each of 50 campaigns of six hosts.
constexpr double kMostLeftToNoise = 0.2;

double left_by(const HostPartition& groups, const HostDistances& distances) {
  std::vector<std::size_t> group_of(static_cast<std::size_t>(distances.hosts()));
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const int host : groups[group]) {
      group_of[static_cast<std::size_t>(host)] = group;
    }
  }
  return unexplained(distances, [&](int from, int to) {
    return group_of[static_cast<std::size_t>(from)] == group_of[static_cast<std::size_t>(to)] ? 0 : 1;
  });
}

}  // namespace

std::optional<NetworkStructure> clear_groups(const HostDistances& distances) {
  double least = kMostLeftToNoise;
  std::optional<HostPartition> clearest;
  for (HostPartition& groups : nested_groups(distances)) {
    if (const double left = left_by(groups, distances); left < least) {
      least = left;
      clearest = std::move(groups);
    }
  }
  if (!clearest) {
    return std::nullopt;
  }
  std::vector<NetworkStructure> trees;
  append_trees({*clearest}, trees);
  return std::move(trees.front());
}

}  // namespace postage
