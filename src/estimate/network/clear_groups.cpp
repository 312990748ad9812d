#include "estimate/network/clear_groups.hpp"

#include "estimate/network/candidates.hpp"

#include <utility>
#include <vector>

namespace postage {
namespace {

/// Share of the variance that groups may leave. Noise of 40 % alone leaves more than half of it to the best of them.
constexpr double kMostLeftToNoise = 0.2;

/// Sums over pairs of hosts.
struct PairSums {
  double count = 0;
  double sum = 0;
  double squares = 0;

  void add(double figure) {
    ++count;
    sum += figure;
    squares += figure * figure;
  }
  [[nodiscard]] double mean() const { return sum / count; }
  [[nodiscard]] double scatter() const { return squares - sum * sum / count; }
};

/// 1 where hosts of one group are no nearer to one another than to others.
double left_within(const HostDistances& distances, const HostPartition& groups) {
  std::vector<std::size_t> group_of(static_cast<std::size_t>(distances.hosts()));
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const int host : groups[group]) {
      group_of[static_cast<std::size_t>(host)] = group;
    }
  }
  PairSums near;
  PairSums far;
  PairSums all;
  for (int a = 0; a < distances.hosts(); ++a) {
    for (int b = 0; b < a; ++b) {
      if (distances.latency(a, b) >= 0) {
        const double figure = distances.latency(a, b);
        all.add(figure);
        (group_of[static_cast<std::size_t>(a)] == group_of[static_cast<std::size_t>(b)] ? near : far).add(figure);
      }
    }
  }
  const bool are_near = near.count > 0 && far.count > 0 && near.mean() < far.mean();
  return are_near && all.scatter() > 0 ? (near.scatter() + far.scatter()) / all.scatter() : 1;
}

}  // namespace

std::optional<NetworkStructure> clear_groups(const HostDistances& distances) {
  double least = kMostLeftToNoise;
  std::optional<HostPartition> clearest;
  for (HostPartition& groups : nested_groups(distances)) {
    if (const double left = left_within(distances, groups); left < least) {
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

std::optional<NetworkStructure> clear_groups(const CampaignData& campaign) {
  std::optional<NetworkStructure> groups = clear_groups(HostDistances::by_large_messages(campaign));
  return groups ? groups : clear_groups(HostDistances(campaign));
}

}  // namespace postage
