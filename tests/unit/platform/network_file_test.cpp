#include "unit/platform/groups_of_rows.hpp"

#include <postage/base/error.hpp>
#include <postage/platform/platform.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace postage {
namespace {

Platform platform_of_rows() {
  Platform platform{.name = "rows", .implementation = "X", .channels = {kInterNode}};
  for (int host = 0; host < 8; ++host) {
    platform.nodes.push_back({"n" + std::to_string(host), {}});
  }
  platform.network = groups_of_rows();
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
