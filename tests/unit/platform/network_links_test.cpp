#include "unit/platform/groups_of_rows.hpp"

#include <postage/platform/network_links.hpp>
#include <postage/platform/number_list.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

std::vector<std::string> names_of(const NetworkLinks& links, int source, int target) {
  std::vector<LinkOnRoute> route;
  links.find_route(source, target, route);
  std::vector<std::string> names;
  for (const LinkOnRoute& link : route) {
    names.push_back(links.name_of(link.id));
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(NumberList, IsReadAsItIsWritten) {
  const std::vector<int> numbers{0, 1, 2, 5, 7, 8};
  EXPECT_EQ(format_number_list(numbers), "0-2 5 7-8");
  EXPECT_EQ(parse_number_list("0-2 5 7-8"), numbers);
  for (const char* wrong : {"3-1", "2 2", "a", "1-", "-1", "1,2", "99999999999"}) {
    EXPECT_FALSE(parse_number_list(wrong)) << wrong;
  }
}

TEST(NetworkLinks, OfAFatTreeAreTheWaysOfItsTargets) {
  NetworkStructure tree;
  tree.levels = {{GroupJunction::kSwitch, 2, Estimate::exactly(1e9)}};
  tree.groups = {{"leaf 0", 0, -1, {0, 1, 2, 3}}, {"leaf 1", 0, -1, {4, 5, 6, 7}, {}, Estimate::exactly(5e8)}};
  const NetworkLinks links(tree, 8);
  EXPECT_EQ(names_of(links, 0, 3), Names{});
  EXPECT_EQ(names_of(links, 0, 5), (Names{"up link 1 of leaf 0", "down link 1 of leaf 1"}));
  EXPECT_EQ(names_of(links, 4, 2), (Names{"up link 0 of leaf 1", "down link 0 of leaf 0"}));
  std::vector<LinkOnRoute> route;
  links.find_route(0, 4, route);
  EXPECT_DOUBLE_EQ(route[0].bandwidth, 1e9);
  EXPECT_DOUBLE_EQ(route[1].bandwidth, 5e8) << "its own";
  links.find_route(0, 9, route);
  EXPECT_TRUE(route.empty()) << "of no host of the network";
}

TEST(NetworkLinks, OfATreeOfTwoLevelsPassBothUpAndDown) {
  NetworkStructure tree;
  tree.levels = {{GroupJunction::kSwitch, 1, Estimate::exactly(1)}, {GroupJunction::kSwitch, 1, Estimate::exactly(1)}};
  tree.groups = {{"a", 0, 4, {0, 1}}, {"b", 0, 4, {2, 3}},        {"c", 0, 5, {4, 5}},
                 {"d", 0, 5, {6, 7}}, {"x", 1, -1, {0, 1, 2, 3}}, {"y", 1, -1, {4, 5, 6, 7}}};
  const NetworkLinks links(tree, 8);
  EXPECT_EQ(names_of(links, 0, 2), (Names{"up link of a", "down link of b"}));
  EXPECT_EQ(names_of(links, 1, 7), (Names{"up link of a", "up link of x", "down link of y", "down link of d"}));
}

/// Groups of two routers with one host each; router 0 of group 0 has the link to group 1, whose router 1 has it.
TEST(NetworkLinks, OfADragonflyPassTheRouterThatHasTheLink) {
  NetworkStructure network;
  network.levels = {{GroupJunction::kMesh, 1, Estimate::exactly(1)}, {GroupJunction::kMesh, 1, Estimate::exactly(2)}};
  network.groups = {{"r0", 0, 4, {0}},
                    {"r1", 0, 4, {1}},
                    {"r2", 0, 5, {2}},
                    {"r3", 0, 5, {3}},
                    {"g0", 1, -1, {0, 1}, {}, {}, {{5, 0}}},
                    {"g1", 1, -1, {2, 3}, {}, {}, {{4, 3}}}};
  const NetworkLinks links(network, 4);
  EXPECT_EQ(names_of(links, 0, 1), Names{"link from r0 to r1"});
  EXPECT_EQ(names_of(links, 0, 3), Names{"link from g0 to g1"});
  EXPECT_EQ(names_of(links, 1, 2), (Names{"link from r1 to r0", "link from g0 to g1", "link from r3 to r2"}));
}

/// The fat tree "2;4,4;1,2;1,2" of SimGrid's documentation: two switches above four, with two cables to each.
TEST(NetworkLinks, OfCablesToOneSwitchAreTheWaysOfTheirSources) {
  NetworkStructure tree;
  tree.levels = {{.ways = 4, .bandwidth = Estimate::exactly(1), .cables = 2}};
  tree.groups = {{"a", 0, -1, {0, 1, 2, 3}}, {"b", 0, -1, {4, 5, 6, 7}}};
  const NetworkLinks links(tree, 8);
  EXPECT_EQ(names_of(links, 0, 6), (Names{"up link 2 of a", "down link 0 of b"}));
  EXPECT_EQ(names_of(links, 1, 6), (Names{"up link 2 of a", "down link 2 of b"}));
  EXPECT_EQ(names_of(links, 2, 7), (Names{"up link 3 of a", "down link 1 of b"}));
  EXPECT_EQ(names_of(links, 5, 0), (Names{"up link 0 of b", "down link 2 of a"}));
}

TEST(NetworkLinks, OfRowsGoToTheTargetsPlaceFirst) {
  const NetworkLinks links(groups_of_rows(), 8);
  EXPECT_EQ(names_of(links, 0, 2), Names{"link from r0 to r2"});
  EXPECT_EQ(names_of(links, 2, 3), Names{"link from r2 to r3"});
  EXPECT_EQ(names_of(links, 0, 3), (Names{"link from r0 to r1", "link from r1 to r3"}));
  EXPECT_EQ(names_of(links, 2, 1), (Names{"link from r2 to r3", "link from r3 to r1"}));
  EXPECT_EQ(names_of(links, 0, 7),
            (Names{"link from r0 to r1", "link from g0 to g1", "link from r4 to r5", "link from r5 to r7"}));
  EXPECT_EQ(names_of(links, 7, 2), (Names{"link from r7 to r6", "link from r6 to r4", "link from g1 to g0",
                                          "link from r1 to r0", "link from r0 to r2"}));
  std::vector<LinkOnRoute> route;
  links.find_route(0, 7, route);
  ASSERT_EQ(route.size(), 4U);
  EXPECT_DOUBLE_EQ(route[0].bandwidth, 1);
  EXPECT_DOUBLE_EQ(route[1].bandwidth, 3);
  EXPECT_DOUBLE_EQ(route[3].bandwidth, 2);
}

TEST(NetworkLinks, OfRowsMayGoOnFromTheFirst) {
  NetworkStructure network = groups_of_rows();
  network.levels[1].from_first_row = true;
  const NetworkLinks links(network, 8);
  EXPECT_EQ(names_of(links, 2, 0), Names{"link from r2 to r0"}) << "at its target's place";
  EXPECT_EQ(names_of(links, 2, 3), (Names{"link from r2 to r3", "link from r1 to r3"}));
  EXPECT_EQ(names_of(links, 2, 1), Names{"link from r2 to r3"});
  EXPECT_EQ(names_of(links, 7, 2), (Names{"link from r7 to r6", "link from r6 to r4", "link from g1 to g0",
                                          "link from r1 to r0", "link from r0 to r2"}));
}

/// As of a link that carries one direction at a time: it is the same one both ways.
TEST(NetworkLinks, OfHalfDuplexAreTheSameThereAndBack) {
  NetworkStructure network = groups_of_rows();
  network.half_duplex = true;
  const NetworkLinks rows(network, 8);
  EXPECT_EQ(names_of(rows, 0, 2), Names{"link of r0 and r2"});
  EXPECT_EQ(names_of(rows, 2, 0), Names{"link of r0 and r2"});
  EXPECT_EQ(names_of(rows, 7, 2), (Names{"link of r6 and r7", "link of r4 and r6", "link of g0 and g1",
                                         "link of r0 and r1", "link of r0 and r2"}));
  const std::optional<Estimate> rate = Estimate::exactly(1);
  NetworkStructure tree{.levels = {{GroupJunction::kSwitch, 4, rate, 2}}, .half_duplex = true};
  tree.groups = {{"a", 0, -1, {0, 1, 2, 3}}, {"b", 0, -1, {4, 5, 6, 7}}};
  const NetworkLinks cables(tree, 8);
  EXPECT_EQ(names_of(cables, 0, 5), (Names{"link 1 of a", "link 1 of b"}));
  EXPECT_EQ(names_of(cables, 5, 0), (Names{"link 0 of b", "link 2 of a"}));
  const NetworkLinks torus({.torus = TorusNetwork{{4, 2}, {rate, rate}}, .half_duplex = true}, 8);
  EXPECT_EQ(names_of(torus, 0, 3), Names{"link of hosts 0 and 3 along dimension 0"});
  EXPECT_EQ(names_of(torus, 3, 0), Names{"link of hosts 0 and 3 along dimension 0"});
  EXPECT_EQ(names_of(torus, 0, 4), Names{"link of hosts 0 and 4 along dimension 1"});
  EXPECT_EQ(names_of(torus, 4, 0), Names{"link of hosts 4 and 0 along dimension 1"}) << "a ring of two has two links";
}

/// As no dragonfly is built, but a platform file may say it.
TEST(NetworkLinks, OfGroupsBesideRowsAreThoseOfAMesh) {
  NetworkStructure network = groups_of_rows();
  network.groups.push_back({"beside", 0, -1, {8}});
  const NetworkLinks links(network, 9);
  EXPECT_EQ(names_of(links, 8, 0), Names{"link from beside to r0"});
  EXPECT_EQ(names_of(links, 0, 8), Names{"link from r0 to beside"});
}

TEST(NetworkLinks, OfATorusGoTheShorterWayAroundEachRing) {
  NetworkStructure network;
  network.torus = TorusNetwork{{4, 3}, {Estimate::exactly(1), Estimate::exactly(1)}};
  const NetworkLinks links(network, 12);
  EXPECT_EQ(names_of(links, 0, 3), Names{"link of hosts 0 and 3 along dimension 0"});
  EXPECT_EQ(names_of(links, 3, 1),
            (Names{"link of hosts 3 and 0 along dimension 0", "link of hosts 0 and 1 along dimension 0"}))
      << "both ways are as long: upwards";
  EXPECT_EQ(names_of(links, 0, 9),
            (Names{"link of hosts 0 and 1 along dimension 0", "link of hosts 1 and 9 along dimension 1"}));
  std::vector<LinkOnRoute> one;
  std::vector<LinkOnRoute> other;
  links.find_route(0, 1, one);
  links.find_route(1, 0, other);
  EXPECT_NE(one, other) << "a link for each direction";
}

TEST(NetworkLinks, OfATorusMayGoDownFromTheMiddle) {
  NetworkStructure network;
  network.torus = TorusNetwork{{4}, {Estimate::exactly(1)}, true};
  const NetworkLinks links(network, 4);
  EXPECT_EQ(names_of(links, 2, 0),
            (Names{"link of hosts 2 and 1 along dimension 0", "link of hosts 1 and 0 along dimension 0"}));
  EXPECT_EQ(names_of(links, 3, 1),
            (Names{"link of hosts 3 and 0 along dimension 0", "link of hosts 0 and 1 along dimension 0"}));
}

TEST(NetworkLinks, OfABackboneAreSharedByBothDirections) {
  NetworkStructure network{.backbone = Estimate::exactly(2)};
  const NetworkLinks alone(network, 3);
  std::vector<LinkOnRoute> one;
  std::vector<LinkOnRoute> other;
  alone.find_route(0, 1, one);
  alone.find_route(2, 0, other);
  EXPECT_EQ(one, other);
  EXPECT_EQ(names_of(alone, 0, 1), Names{"backbone"});

  network.levels = {{GroupJunction::kSwitch, 1, Estimate::exactly(1)}};
  network.groups = {{"s0", 0, -1, {0, 1}}, {"s1", 0, -1, {2}}};
  const NetworkLinks of_groups(network, 3);
  EXPECT_EQ(names_of(of_groups, 0, 1), Names{}) << "within a group";
  EXPECT_EQ(names_of(of_groups, 1, 2), (Names{"backbone", "up link of s0", "down link of s1"}));
}

}  // namespace
}  // namespace postage
