#include "measure/campaign/stage_groups.hpp"

#include <algorithm>
#include <set>

namespace postage {
namespace {

/// Hosts, or couples of them, whose groups are measured at the same time, where others are alike.
constexpr std::size_t kMostUnits = 4;

}  // namespace

std::vector<ConcurrentSet> pairs_of(const StageRanks& ranks) {
  const std::vector<int> hosts = ranks.placements.host_of();
  if (!ranks.representatives) {
    return pairs_to_measure(hosts);
  }
  std::vector<RankGroup> groups;
  for (const auto& [a, b] : ranks.representatives->pairs) {
    // Each rank leads in about half of its pairs.
    groups.push_back((b - a) % 2 == 1 ? RankGroup{a, b} : RankGroup{b, a});
  }
  return pack_into_sets(groups, hosts);
}

std::vector<ConcurrentSet> triplets_of(const StageRanks& ranks, int at_least) {
  const std::vector<int> hosts = ranks.placements.host_of();
  if (!ranks.representatives) {
    return triplets_to_measure(hosts, at_least);
  }
  const std::vector<Rank>& chosen = ranks.representatives->ranks;
  std::vector<int> own_hosts;
  std::vector<int> numbers;
  for (const Rank rank : chosen) {
    const int host = hosts[static_cast<std::size_t>(rank)];
    const auto known = std::find(own_hosts.begin(), own_hosts.end(), host);
    numbers.push_back(static_cast<int>(known - own_hosts.begin()));
    if (known == own_hosts.end()) {
      own_hosts.push_back(host);
    }
  }
  std::vector<ConcurrentSet> sets = triplets_to_measure(numbers, at_least);
  for (ConcurrentSet& set : sets) {
    for (RankGroup& group : set) {
      std::transform(group.begin(), group.end(), group.begin(),
                     [&](Rank index) { return chosen[static_cast<std::size_t>(index)]; });
    }
  }
  return sets;
}

std::vector<ConcurrentSet> further_pairs(const StageRanks& ranks, const std::vector<ConcurrentSet>& triplets) {
  std::set<RankPair> taken(ranks.representatives->pairs.begin(), ranks.representatives->pairs.end());
  std::vector<RankGroup> groups;
  for (const RankGroup& triplet : groups_of(triplets)) {
    for (const std::size_t other : {1U, 2U}) {
      if (taken.insert(std::minmax(triplet[0], triplet[other])).second) {
        groups.push_back({triplet[0], triplet[other]});
      }
    }
  }
  return pack_into_sets(groups, ranks.placements.host_of());
}

ConcurrentSet one_of_each_host(const StageRanks& ranks) {
  std::set<int> wanted;
  const std::vector<int> hosts = ranks.placements.host_of();
  if (ranks.representatives) {
    for (const Rank rank : ranks.representatives->ranks) {
      wanted.insert(hosts[static_cast<std::size_t>(rank)]);
    }
  } else {
    wanted.insert(hosts.begin(), hosts.end());
  }
  ConcurrentSet set;
  for (Rank rank = 0; rank < ranks.placements.count(); ++rank) {
    if (wanted.erase(hosts[static_cast<std::size_t>(rank)]) > 0) {
      set.push_back({rank});
    }
  }
  return set;
}

std::vector<ChannelRanks> measured_channels(const StageRanks& ranks) {
  std::vector<ChannelRanks> channels = channels_among(ranks.placements);
  if (!ranks.representatives) {
    return channels;
  }
  const std::set<Rank> chosen(ranks.representatives->ranks.begin(), ranks.representatives->ranks.end());
  for (ChannelRanks& channel : channels) {
    keep_units(channel, kMostUnits, [&](const RankGroup& unit) {
      return std::any_of(unit.begin(), unit.end(), [&](Rank rank) { return chosen.contains(rank); });
    });
  }
  return channels;
}

}  // namespace postage
