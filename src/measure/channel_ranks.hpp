#pragma once

#include "measure/rank_placements.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Groups of which each makes the same experiments.
using GroupList = std::vector<RankGroup>;

/// The ranks between which one channel's transfers run.
struct ChannelRanks {
  const RankPlacements& placements;
  std::string channel;
  /// Ranks among which transfers run without disturbing others: those of one host, or of two.
  std::vector<RankGroup> units{};
  /// Disjoint pairs that talk over the channel, [unit][pair].
  std::vector<GroupList> pairs{};
  std::size_t most_pairs = 0;  ///< in a unit
  std::size_t most_ranks = 0;
};

/// The channels that some pair of ranks talks over, nearest first.
[[nodiscard]] std::vector<ChannelRanks> channels_among(const RankPlacements& placements);

/// Leaves `most` of the units that are wanted, or of all where none is; units of the most pairs and of the most ranks
/// first.
void keep_units(ChannelRanks& channel, std::size_t most, const std::function<bool(const RankGroup&)>& is_wanted);

/// Disjoint pairs of the ranks that talk over the channel, as many as are found from the first rank on.
[[nodiscard]] GroupList pairs_over(const RankPlacements& placements, const RankGroup& ranks, std::string_view channel);

/// `count` pairs of each unit that has so many, joined to one group.
[[nodiscard]] GroupList groups_of_pairs(const ChannelRanks& channel, std::size_t count);
/// The same for 2, 3, 4, 6, 8, ... pairs, up to as many as there are.
[[nodiscard]] std::vector<GroupList> growing_groups_of_pairs(const ChannelRanks& channel);

/// Rings of 2, 3, 4, 6, 8, ... ranks in which each talks to the next over the channel.
[[nodiscard]] std::vector<GroupList> growing_rings(const ChannelRanks& channel);

/// The first rank that talks to others over the channel, with them.
[[nodiscard]] std::vector<GroupList> one_with_its_peers(const ChannelRanks& channel);
/// As one_with_its_peers_and_one; and between hosts that rank with the first of them and, in turn, the second and the
/// third: messages to some take the same link as those to the first, where hosts have several.
[[nodiscard]] std::vector<GroupList> one_with_its_peers_and_two(const ChannelRanks& channel);
/// The same; and inside a node that rank with the first of them alone: what starting together takes shows there.
[[nodiscard]] std::vector<GroupList> one_with_its_peers_and_one(const ChannelRanks& channel);
/// That rank with the first of them.
[[nodiscard]] std::vector<GroupList> one_pair(const ChannelRanks& channel);

}  // namespace postage
