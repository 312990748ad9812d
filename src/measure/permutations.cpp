#include "measure/permutations.hpp"

#include <algorithm>
#include <bit>
#include <random>
#include <set>

namespace postage {
namespace {

constexpr std::size_t kLeastHosts = 3;
/// Permutations by chance: at least so many, and more of few hosts, of which one rarely makes two messages meet on a
/// link of a small torus; these messages in all.
constexpr std::size_t kByChance = 4;
constexpr std::size_t kMessagesByChance = 192;
constexpr std::size_t kOfMesh = 4;
/// So many hosts send to others in turn, each to so many of them.
constexpr std::size_t kMostInTurn = 64;
constexpr std::size_t kMostReceivers = 32;

std::set<std::size_t> shifts_of(std::size_t hosts) {
  std::set<std::size_t> shifts{hosts / 2};
  for (std::size_t step = 1; step < hosts; step += std::max<std::size_t>(std::bit_floor(step) / 2, 1)) {
    shifts.insert({step, hosts - step});
  }
  return shifts;
}

}  // namespace

RankGroup first_ranks(const RankPlacements& placements) {
  RankGroup ranks;
  std::set<int> seen;
  for (Rank rank = 0; rank < placements.count(); ++rank) {
    if (seen.insert(placements.ranks[static_cast<std::size_t>(rank)].node).second) {
      ranks.push_back(rank);
    }
  }
  return ranks;
}

RankGroup shuffled(RankGroup ranks, std::mt19937_64& random) {
  for (std::size_t left = ranks.size(); left > 1; --left) {
    std::swap(ranks[left - 1], ranks[random() % left]);
  }
  return ranks;
}

std::vector<GroupList> permutations_of_hosts(const ChannelRanks& channel) {
  std::vector<GroupList> lists;
  const RankGroup ranks = first_ranks(channel.placements);
  if (channel.channel != kInterNode || ranks.size() < kLeastHosts) {
    return lists;
  }
  std::set<RankGroup> known;
  const auto add = [&](const RankGroup& group) {
    if (known.insert(group).second) {
      lists.push_back({group});
    }
  };
  for (const std::size_t shift : shifts_of(ranks.size())) {
    RankGroup shifted = ranks;
    std::rotate(shifted.begin(), shifted.begin() + static_cast<std::ptrdiff_t>(shift), shifted.end());
    add(shifted);
  }
  add({ranks.rbegin(), ranks.rend()});
  std::mt19937_64 random(1);
  const std::size_t by_chance = std::max(kByChance, kMessagesByChance / ranks.size());
  for (std::size_t i = 0; i < by_chance; ++i) {
    add(shuffled(ranks, random));
  }
  return lists;
}

std::vector<GroupList> meshes_of_hosts(const ChannelRanks& channel) {
  const RankGroup ranks = first_ranks(channel.placements);
  if (channel.channel != kInterNode || ranks.size() < kOfMesh) {
    return {};
  }
  std::vector<GroupList> lists{{RankGroup(ranks.begin(), ranks.begin() + kOfMesh)}};
  for (const std::size_t count : {kOfMesh, 2 * kOfMesh}) {
    RankGroup spread;
    for (std::size_t i = 0; i < count && count < ranks.size(); ++i) {
      spread.push_back(ranks[i * ranks.size() / count]);
    }
    if (!spread.empty()) {
      lists.push_back({spread});
    }
  }
  return lists;
}

std::vector<GroupList> outcasts_of_hosts(const ChannelRanks& channel) {
  const RankGroup ranks = first_ranks(channel.placements);
  if (channel.channel != kInterNode || ranks.size() < kLeastHosts) {
    return {};
  }
  std::vector<GroupList> lists;
  std::mt19937_64 random(1);
  const std::size_t count = std::min(ranks.size(), kMostInTurn);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t root = i * ranks.size() / count;
    RankGroup others = ranks;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(root));
    if (others.size() > kMostReceivers) {
      others = shuffled(std::move(others), random);
      others.resize(kMostReceivers);
    }
    RankGroup group{ranks[root]};
    group.insert(group.end(), others.begin(), others.end());
    lists.push_back({group});
  }
  return lists;
}

}  // namespace postage
