#pragma once

#include "measure/channel_ranks.hpp"
#include "measure/group_task.hpp"
#include "measure/rank_placements.hpp"

#include <random>

namespace postage {

/// What counts of the members' times in experiments on links that hosts share. On real machines the longest, since
/// connections do not share a link fairly: those that have it keep it, and end long before the others.
[[nodiscard]] inline CombineTimes mean_or_longest(const TaskContext& context) {
  return context.transport.is_virtual() ? mean_of_all : longest;
}

/// The first rank of each host, ascending.
[[nodiscard]] RankGroup first_ranks(const RankPlacements& placements);

/// In an order by chance, the same everywhere: what std::shuffle does is not.
[[nodiscard]] RankGroup shuffled(RankGroup ranks, std::mt19937_64& random);

/// Permutations of the first ranks of all hosts, where the channel joins hosts: shifts by 1, 2, 3, 4, 6, 8, ... hosts
/// and as many back, by half of them, the reversal, and some by chance, the same each time, more of few
/// hosts. What slows these messages down, beside hosts' own links, is what hosts share. The i-th lowest rank sends to
/// the i-th of a group. O(log hosts) groups.
[[nodiscard]] std::vector<GroupList> permutations_of_hosts(const ChannelRanks& channel);

/// The first ranks of four hosts that follow one another, of four that are spread over all, and of eight: how messages
/// slow one another down that have neither their sources nor their targets in common.
[[nodiscard]] std::vector<GroupList> meshes_of_hosts(const ChannelRanks& channel);

/// The rank of each host, of up to 64 of them, and those of up to 32 others, some by chance where there are more: what
/// a host's own links carry, which messages of other hosts, that cross slower links, do not show.
[[nodiscard]] std::vector<GroupList> outcasts_of_hosts(const ChannelRanks& channel);

}  // namespace postage
