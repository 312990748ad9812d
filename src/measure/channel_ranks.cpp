#include "measure/channel_ranks.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace postage {
namespace {

/// 2, 3, 4, 6, 8, 12, 16, ... up to `most`, which is among them.
std::vector<std::size_t> steps_up_to(std::size_t most) {
  std::vector<std::size_t> steps;
  for (std::size_t step = 2; step < most; step = step + (step & (step - 1) ? step / 3 : step / 2)) {
    steps.push_back(step);
  }
  if (most >= 2) {
    steps.push_back(most);
  }
  return steps;
}

std::vector<RankGroup> units_of(const RankPlacements& placements, std::string_view channel) {
  std::vector<RankGroup> hosts(placements.nodes.size());
  for (Rank rank = 0; rank < placements.count(); ++rank) {
    hosts[static_cast<std::size_t>(placements.ranks[static_cast<std::size_t>(rank)].node)].push_back(rank);
  }
  if (channel != kInterNode) {
    return hosts;
  }
  std::vector<RankGroup> couples;
  for (std::size_t host = 0; host + 1 < hosts.size(); host += 2) {
    couples.push_back(hosts[host]);
    couples.back().insert(couples.back().end(), hosts[host + 1].begin(), hosts[host + 1].end());
  }
  return couples;
}

/// A ring of `count` of the ranks in which each talks to the next over the channel; empty where none was found.
RankGroup ring_over(const ChannelRanks& channel, const RankGroup& ranks, std::size_t count) {
  RankGroup ring;
  std::vector<Rank> waiting = ranks;
  while (ring.size() < count && !waiting.empty()) {
    const auto next = std::find_if(waiting.begin(), waiting.end(), [&](Rank rank) {
      return ring.empty() || channel.placements.channel(ring.back(), rank) == channel.channel;
    });
    if (next == waiting.end()) {
      return {};
    }
    ring.push_back(*next);
    waiting.erase(next);
  }
  const bool closes = ring.size() == count && channel.placements.channel(ring.back(), ring.front()) == channel.channel;
  return closes ? ring : RankGroup{};
}

}  // namespace

GroupList pairs_over(const RankPlacements& placements, const RankGroup& ranks, std::string_view channel) {
  GroupList pairs;
  std::vector<bool> used(ranks.size());
  for (std::size_t a = 0; a < ranks.size(); ++a) {
    for (std::size_t b = a + 1; b < ranks.size() && !used[a]; ++b) {
      if (!used[b] && placements.channel(ranks[a], ranks[b]) == channel) {
        pairs.push_back({ranks[a], ranks[b]});
        used[a] = true;
        used[b] = true;
      }
    }
  }
  return pairs;
}

std::vector<ChannelRanks> channels_among(const RankPlacements& placements) {
  std::vector<ChannelRanks> channels;
  for (const char* name : {kSharedCache, kIntraSocket, kInterSocket, kInterNode}) {
    ChannelRanks channel{placements, name, units_of(placements, name)};
    for (const RankGroup& unit : channel.units) {
      channel.pairs.push_back(pairs_over(placements, unit, name));
      channel.most_pairs = std::max(channel.most_pairs, channel.pairs.back().size());
      channel.most_ranks = std::max(channel.most_ranks, unit.size());
    }
    if (channel.most_pairs > 0) {
      channels.push_back(std::move(channel));
    }
  }
  return channels;
}

void keep_units(ChannelRanks& channel, std::size_t most, const std::function<bool(const RankGroup&)>& is_wanted) {
  std::vector<std::size_t> order(channel.units.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto worth = [&](std::size_t i) {
      return std::tuple(!is_wanted(channel.units[i]), channel.most_pairs - channel.pairs[i].size(),
                        channel.most_ranks - channel.units[i].size());
    };
    return worth(a) < worth(b);
  });
  order.resize(std::min(order.size(), most));
  std::sort(order.begin(), order.end());
  ChannelRanks kept{channel.placements, channel.channel};
  for (const std::size_t i : order) {
    kept.units.push_back(channel.units[i]);
    kept.pairs.push_back(channel.pairs[i]);
    kept.most_pairs = std::max(kept.most_pairs, channel.pairs[i].size());
    kept.most_ranks = std::max(kept.most_ranks, channel.units[i].size());
  }
  channel.units = std::move(kept.units);
  channel.pairs = std::move(kept.pairs);
  channel.most_pairs = kept.most_pairs;
  channel.most_ranks = kept.most_ranks;
}

GroupList groups_of_pairs(const ChannelRanks& channel, std::size_t count) {
  GroupList groups;
  for (const GroupList& unit : channel.pairs) {
    if (unit.size() >= count) {
      RankGroup& joined = groups.emplace_back();
      for (std::size_t i = 0; i < count; ++i) {
        joined.insert(joined.end(), unit[i].begin(), unit[i].end());
      }
    }
  }
  return groups;
}

std::vector<GroupList> growing_groups_of_pairs(const ChannelRanks& channel) {
  std::vector<GroupList> lists;
  for (const std::size_t count : steps_up_to(channel.most_pairs)) {
    lists.push_back(groups_of_pairs(channel, count));
  }
  return lists;
}

std::vector<GroupList> growing_rings(const ChannelRanks& channel) {
  std::vector<GroupList> lists;
  for (const std::size_t count : steps_up_to(channel.most_ranks)) {
    GroupList& rings = lists.emplace_back();
    for (const RankGroup& unit : channel.units) {
      if (RankGroup ring = ring_over(channel, unit, count); !ring.empty()) {
        rings.push_back(std::move(ring));
      }
    }
  }
  return lists;
}

std::vector<GroupList> one_with_its_peers(const ChannelRanks& channel) {
  const RankPlacements& placements = channel.placements;
  for (Rank root = 0; root < placements.count(); ++root) {
    RankGroup group{root};
    for (Rank rank = 0; rank < placements.count(); ++rank) {
      if (rank != root && placements.channel(root, rank) == channel.channel) {
        group.push_back(rank);
      }
    }
    if (group.size() > 1) {
      return {{group}};
    }
  }
  return {};
}

std::vector<GroupList> one_with_its_peers_and_one(const ChannelRanks& channel) {
  std::vector<GroupList> lists = one_with_its_peers(channel);
  if (channel.channel != kInterNode && !lists.empty() && lists.front().front().size() > 2) {
    const RankGroup& all = lists.front().front();
    lists.push_back({{all[0], all[1]}});
  }
  return lists;
}

std::vector<GroupList> one_with_its_peers_and_two(const ChannelRanks& channel) {
  std::vector<GroupList> lists = one_with_its_peers_and_one(channel);
  if (channel.channel != kInterNode || lists.empty()) {
    return lists;
  }
  constexpr std::size_t kLast = 3;
  RankGroup apart;  // the first rank, and one of each other host
  std::set<int> hosts;
  for (const Rank rank : lists.front().front()) {
    if (hosts.insert(channel.placements.ranks[static_cast<std::size_t>(rank)].node).second) {
      apart.push_back(rank);
    }
  }
  for (std::size_t second = 2; second <= kLast && apart.size() > kLast + 1; ++second) {
    lists.push_back({{apart[0], apart[1], apart[second]}});
  }
  return lists;
}

std::vector<GroupList> one_pair(const ChannelRanks& channel) {
  std::vector<GroupList> lists = one_with_its_peers(channel);
  for (GroupList& list : lists) {
    list.front().resize(2);
  }
  return lists;
}

}  // namespace postage
