#include "preload/nodes/layout.hpp"

#include <gtest/gtest.h>

namespace postage::preload {
namespace {

using Ranks = std::vector<std::int32_t>;

TEST(NodeLayout, NumbersNodesByTheirFirstRanks) {
  const NodeLayout layout(Ranks{7, 3, 7, 3, 7});
  EXPECT_EQ(layout.ranks(), 5);
  EXPECT_EQ(layout.nodes(), 2);
  EXPECT_EQ(layout.node_of, (Ranks{0, 1, 0, 1, 0}));
  EXPECT_EQ(layout.place_of, (Ranks{0, 0, 1, 1, 2}));
  EXPECT_EQ(layout.on(0), (Ranks{0, 2, 4}));
  EXPECT_EQ(layout.on(1), (Ranks{1, 3}));
  EXPECT_FALSE(layout.in_order);
}

TEST(NodeLayout, IsInOrderWhereNodesFollowOneAnother) {
  EXPECT_TRUE(NodeLayout(Ranks{4, 4, 9, 9, 2}).in_order);
  EXPECT_TRUE(NodeLayout(Ranks{5}).in_order);
  EXPECT_FALSE(NodeLayout(Ranks{0, 1, 0}).in_order);
}

TEST(NodeLayout, VisitsRanksNodeByNode) {
  Ranks visited;
  for_each_by_node(NodeLayout(Ranks{7, 3, 7, 3, 7}), [&](std::int32_t rank) { visited.push_back(rank); });
  EXPECT_EQ(visited, (Ranks{0, 2, 4, 1, 3}));
}

}  // namespace
}  // namespace postage::preload
