#include <postage/base/error.hpp>
#include <postage/schedule/patterns/node_map.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace postage {
namespace {

std::vector<Index> labels_of(const NodeMap& map) {
  std::vector<Index> labels;
  for (Rank rank = 0; rank < map.ranks(); ++rank) {
    labels.push_back(map.node_of(rank));
  }
  return labels;
}

TEST(NodeMap, FillsNodesOneAfterAnother) {
  EXPECT_EQ(labels_of(NodeMap::block(8, 3)), (std::vector<Index>{0, 0, 0, 1, 1, 1, 2, 2}));
  EXPECT_EQ(NodeMap::block(8, 3).nodes(), 3);
  EXPECT_EQ(NodeMap::block(8, 3).members_on(2), 2);
  EXPECT_EQ(NodeMap::block(2, 5).nodes(), 1);
}

TEST(NodeMap, DealsRanksRoundRobin) {
  EXPECT_EQ(labels_of(NodeMap::cyclic(8, 3)), (std::vector<Index>{0, 1, 2, 0, 1, 2, 0, 1}));
  EXPECT_EQ(NodeMap::cyclic(8, 3).members_on(1), 3);
  EXPECT_EQ(NodeMap::cyclic(8, 3).members_on(2), 2);
  EXPECT_EQ(NodeMap::cyclic(2, 5).nodes(), 2);
}

TEST(NodeMap, NumbersListedNodesByTheirLowestRank) {
  const NodeMap map = NodeMap::listed({7, -2, 7, 7, -2, 30});
  EXPECT_EQ(labels_of(map), (std::vector<Index>{0, 1, 0, 0, 1, 2}));
  EXPECT_EQ(map.rank_at(0, 2), 3);
  EXPECT_EQ(map.member_of(4), 1);
}

TEST(NodeMap, KnowsWhetherNodesFollowTheRanks) {
  EXPECT_TRUE(NodeMap::block(8, 3).is_in_rank_order());
  EXPECT_FALSE(NodeMap::cyclic(8, 3).is_in_rank_order());
  EXPECT_TRUE(NodeMap::cyclic(8, 1).is_in_rank_order());
  EXPECT_TRUE(NodeMap::cyclic(8, 9).is_in_rank_order());
  EXPECT_TRUE(NodeMap::listed({4, 4, 1, 1, 1}).is_in_rank_order());
  EXPECT_FALSE(NodeMap::listed({4, 1, 4}).is_in_rank_order());
}

/// Every map of every size, listed ones among them, and the same maps as lists.
std::vector<NodeMap> all_maps(Rank most) {
  std::vector<NodeMap> maps;
  for (Rank ranks = 1; ranks <= most; ++ranks) {
    for (Rank n = 1; n <= ranks + 1; ++n) {
      maps.push_back(NodeMap::block(ranks, n));
      maps.push_back(NodeMap::cyclic(ranks, n));
      maps.push_back(NodeMap::listed(labels_of(maps.back())));
      std::vector<Index> scattered;
      for (Rank rank = 0; rank < ranks; ++rank) {
        scattered.push_back(rank * rank % n);
      }
      maps.push_back(NodeMap::listed(scattered));
    }
  }
  return maps;
}

TEST(NodeMap, FindsRanksAndMembersEitherWay) {
  for (const NodeMap& map : all_maps(12)) {
    Index members = 0;
    for (Index node = 0; node < map.nodes(); ++node) {
      EXPECT_GE(map.members_on(node), 1);
      for (Index member = 0; member < map.members_on(node); ++member, ++members) {
        const Rank rank = map.rank_at(node, member);
        EXPECT_EQ(map.node_of(rank), node);
        EXPECT_EQ(map.member_of(rank), member);
      }
    }
    EXPECT_EQ(members, map.ranks());
    EXPECT_EQ(map.node_sizes().total(), map.ranks());
  }
}

TEST(NodeMap, GroupsEveryNodeOnceWithTheRootsApart) {
  for (const NodeMap& map : all_maps(9)) {
    for (Rank root = -1; root < map.ranks(); ++root) {
      const auto asked = root < 0 ? std::optional<Rank>() : std::optional(root);
      std::vector<Index> seen;
      for (const EqualNodes& group : map.groups(asked)) {
        for (Index node = 0; node < group.nodes; ++node) {
          for (Index member = 0; member < group.members; ++member) {
            const Index v = node * kGroupWidth + member;
            const Index rank = rank_of(group.numbering, v);
            EXPECT_EQ(virtual_of(group.numbering, rank), v);
            EXPECT_EQ(map.member_of(static_cast<Rank>(rank)), member);
            seen.push_back(rank);
            if (rank == root) {
              EXPECT_EQ(group.nodes, 1);
              EXPECT_EQ(group.leader, member);
            }
          }
        }
      }
      std::sort(seen.begin(), seen.end());
      EXPECT_TRUE(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(map.ranks()));
    }
  }
}

TEST(NodeMap, LeadsWithLowestRanksAndTheRoot) {
  for (const NodeMap& map : all_maps(9)) {
    for (Rank root = 0; root < map.ranks(); ++root) {
      const GroupedNumbering leaders = map.leaders(root);
      Index found = 0;
      for (Rank rank = 0; rank < map.ranks(); ++rank) {
        const bool leads = map.node_of(rank) == map.node_of(root) ? rank == root : map.member_of(rank) == 0;
        EXPECT_EQ(virtual_of(leaders, rank), leads ? std::optional(map.node_of(rank)) : std::nullopt);
        found += leads ? 1 : 0;
        if (leads) {
          EXPECT_EQ(rank_of(leaders, map.node_of(rank)), rank);
        }
      }
      EXPECT_EQ(found, map.nodes());
    }
  }
}

TEST(NodeMap, HasAtMostFourGroupsOfAMillionRanks) {
  EXPECT_EQ(NodeMap::block(1000001, 64).groups(500000).size(), 4U);
  EXPECT_EQ(NodeMap::cyclic(1000001, 4096).groups(500000).size(), 4U);
  EXPECT_EQ(NodeMap::cyclic(1 << 20, 4096).groups(std::nullopt).size(), 1U);
}

TEST(NodeMap, RefusesWhatIsNoMap) {
  EXPECT_THROW((void)NodeMap::block(4, 0), UsageError);
  EXPECT_THROW((void)NodeMap::cyclic(0, 4), UsageError);
  EXPECT_THROW((void)NodeMap::listed({}), UsageError);
}

}  // namespace
}  // namespace postage
