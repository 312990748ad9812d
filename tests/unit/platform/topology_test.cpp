#include "platform/hwloc_topology.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace postage {
namespace {

// hwloc's description of a machine that it makes up; `usable` as in "0-3,8" (all if empty).
NodeTopology synthetic(const std::string& description, const std::string& usable = "") {
  hwloc_topology_t topology = nullptr;
  hwloc_topology_init(&topology);
  EXPECT_EQ(hwloc_topology_set_synthetic(topology, description.c_str()), 0) << description;
  EXPECT_EQ(hwloc_topology_load(topology), 0);
  hwloc_bitmap_t set = hwloc_bitmap_dup(hwloc_topology_get_topology_cpuset(topology));
  if (!usable.empty()) {
    hwloc_bitmap_list_sscanf(set, usable.c_str());
  }
  NodeTopology result = topology_from(topology, set);
  hwloc_bitmap_free(set);
  hwloc_topology_destroy(topology);
  return result;
}

using Cores = std::vector<Core>;

TEST(TopologyFrom, OneSocketWithASharedLastCache) {
  EXPECT_EQ(synthetic("package:1 l3:1 l2:2 core:1 pu:1").cores, (Cores{{0, 0, 0, 0}, {1, 0, 0, 0}}));
}

TEST(TopologyFrom, TwoSocketsEachANumaNode) {
  EXPECT_EQ(synthetic("package:2 [numa] l3:1 core:2 pu:1").cores,
            (Cores{{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 1, 1, 1}, {3, 1, 1, 1}}));
}

TEST(TopologyFrom, SeveralCacheGroupsAndNumaNodesInASocket) {
  EXPECT_EQ(synthetic("package:1 group:2 [numa] l3:2 core:1 pu:1").cores,
            (Cores{{0, 0, 0, 0}, {1, 0, 0, 1}, {2, 0, 1, 2}, {3, 0, 1, 3}}));
}

TEST(TopologyFrom, HardwareThreadsAreNotCores) {
  EXPECT_EQ(synthetic("package:1 l3:1 core:2 pu:2").cores, (Cores{{0, 0, 0, 0}, {2, 0, 0, 0}}));
}

TEST(TopologyFrom, HardwareThreadsNumberedAcrossCores) {
  // As Linux numbers them: first threads 0, 1, then their siblings 2, 3.
  EXPECT_EQ(synthetic("package:1 l3:1 core:2 pu:2(indexes=0,2,1,3)").cores, (Cores{{0, 0, 0, 0}, {1, 0, 0, 0}}));
}

TEST(TopologyFrom, PrivateCachesAreGroupsOfOne) {
  EXPECT_EQ(synthetic("package:1 l2:2 core:1 pu:1").cores, (Cores{{0, 0, 0, 0}, {1, 0, 0, 1}}));
  EXPECT_EQ(synthetic("package:1 core:2 pu:1").cores, (Cores{{0, 0, 0, 0}, {1, 0, 0, 1}}));
}

TEST(TopologyFrom, WithoutCoresEachThreadCounts) {
  EXPECT_EQ(synthetic("numa:1 pu:3").cores, (Cores{{0, 0, 0, 0}, {1, 0, 0, 1}, {2, 0, 0, 2}}));
}

TEST(TopologyFrom, KeepsWhatIsUsableAndRenumbersIt) {
  EXPECT_EQ(synthetic("package:2 [numa] l3:1 core:2 pu:2", "5,6").cores, (Cores{{5, 0, 0, 0}, {6, 0, 0, 0}}));
  EXPECT_TRUE(synthetic("package:1 core:1 pu:1", "7").cores.empty());
}

TEST(ChannelBetween, IsTheNearestThingShared) {
  const auto cores = synthetic("package:2 [numa] l3:2 core:2 pu:1").cores;
  EXPECT_STREQ(channel_between(cores[0], cores[1]), kSharedCache);
  EXPECT_STREQ(channel_between(cores[0], cores[2]), kIntraSocket);
  EXPECT_STREQ(channel_between(cores[0], cores[4]), kInterSocket);
}

TEST(Discover, ThisMachineHasAtLeastTheCoresOfThisProcess) {
  const auto mine = discover_topology().cores;
  EXPECT_FALSE(mine.empty());
  EXPECT_LE(mine.size(), discover_node().cores.size());
}

}  // namespace
}  // namespace postage
