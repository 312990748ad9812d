#include <postage/base/error.hpp>
#include <postage/platform/platform.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace postage {
namespace {

/// Of eight hosts: two groups of two rows of two routers with a host each.
Platform platform_of_rows() {
  Platform platform{.name = "rows", .implementation = "X", .channels = {kInterNode}};
  for (int host = 0; host < 8; ++host) {
    platform.nodes.push_back({"n" + std::to_string(host), {}});
  }
  NetworkStructure& network = platform.network.emplace();
  network.levels = {{GroupJunction::kMesh}, {GroupJunction::kRows}, {GroupJunction::kMesh}};
  for (int router = 0; router < 8; ++router) {
    network.groups.push_back({"r", 0, 8 + router / 2, {router}});
  }
  for (int row = 0; row < 4; ++row) {
    network.groups.push_back({"row", 1, 12 + row / 2, {2 * row, 2 * row + 1}});
  }
  network.groups.push_back({"left", 2, -1, {0, 1, 2, 3}, {}, {}, {{13, 1}}});
  network.groups.push_back({"right", 2, -1, {4, 5, 6, 7}, {}, {}, {{12, 4}}});
  return platform;
}

/// What is said of it as a file; "" where it is read.
std::string refused(const Platform& platform) {
  try {
    return platform_from_json(to_json(platform), "file.json") == platform ? "" : "another one is read";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(NetworkFile, OfRowsIsRead) {
  EXPECT_EQ(refused(platform_of_rows()), "");
}

TEST(NetworkFile, WhoseExitIsNowhereIsRefused) {
  Platform platform = platform_of_rows();
  platform.network->groups[12].exits = {{13, 99}};
  EXPECT_NE(refused(platform).find("groups with exits by groups within them; those of group 12 are not"),
            std::string::npos)
      << refused(platform);
}

/// The exit's own group is looked at before it was found to be within none.
TEST(NetworkFile, WhoseExitIsWithinAGroupThatDoesNotExistIsRefused) {
  Platform platform = platform_of_rows();
  std::swap(platform.network->groups[0], platform.network->groups[12]);
  platform.network->groups[12].parent = 1'000'000;
  platform.network->groups[0].exits = {{13, 12}};
  EXPECT_NE(refused(platform).find("group"), std::string::npos) << refused(platform);
}

TEST(NetworkFile, WhoseHostIsInTwoGroupsOfALevelIsRefused) {
  Platform platform = platform_of_rows();
  platform.network->groups.push_back({"beside", 0, -1, {3}});
  EXPECT_NE(refused(platform).find("each host in one group of a level; host 3 is in two of level 0"), std::string::npos)
      << refused(platform);
}

}  // namespace
}  // namespace postage
