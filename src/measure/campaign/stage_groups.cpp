#include "measure/campaign/stage_groups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace postage {
namespace {

/// Hosts, or couples of them, whose groups are measured at the same time, where others are alike.
constexpr std::size_t kMostUnits = 4;

/// Pairs that were led, less those that another one led.
struct Turns {
  std::map<int, int> of_host;
  std::map<Rank, int> of_rank;
};

/// Who leads a pair is who learns its own overheads: the rank whose host has led less of its pairs so far, or that has
/// done so itself. Each host and rank leads in about half of its pairs, whatever the numbers of its peers.
std::vector<RankGroup> led_in_turn(const std::vector<RankPair>& pairs, const std::vector<int>& host_of) {
  Turns turns;
  const auto turns_of = [&](Rank rank) {
    return std::pair<int&, int&>(turns.of_host[host_of[static_cast<std::size_t>(rank)]], turns.of_rank[rank]);
  };
  std::vector<RankGroup> groups;
  for (const auto& [a, b] : pairs) {
    const bool is_even = (b - a) % 2 == 0;
    const bool first_leads = turns_of(a) < turns_of(b) || (turns_of(a) == turns_of(b) && !is_even);
    groups.push_back(first_leads ? RankGroup{a, b} : RankGroup{b, a});
    for (const Rank rank : {a, b}) {
      const int change = rank == groups.back().front() ? 1 : -1;
      turns_of(rank).first += change;
      turns_of(rank).second += change;
    }
  }
  return groups;
}

}  // namespace

std::vector<ConcurrentSet> pairs_of(const StageRanks& ranks) {
  const std::vector<int> hosts = ranks.placements.host_of();
  if (!ranks.representatives) {
    return pairs_to_measure(hosts);
  }
  return pack_into_sets(led_in_turn(ranks.representatives->pairs, hosts), hosts);
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
