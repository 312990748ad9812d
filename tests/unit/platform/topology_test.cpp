#include "platform/hwloc_topology.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace postage {
namespace {

NodeTopology synthetic(const char* description) {
  hwloc_topology_t topology = nullptr;
  hwloc_topology_init(&topology);
  EXPECT_EQ(hwloc_topology_set_synthetic(topology, description), 0);
  EXPECT_EQ(hwloc_topology_load(topology), 0);
  NodeTopology node = topology_from(topology);
  hwloc_topology_destroy(topology);
  return node;
}

TEST(Topology, OfTwoSocketsWithTwoCachesEach) {
  const NodeTopology node = synthetic("pack:2 [numa] l3:2 core:2 pu:1");
  ASSERT_EQ(node.cores.size(), 8U);
  EXPECT_STREQ(channel_between(node.cores[0], node.cores[1]), kSharedCache);
  EXPECT_STREQ(channel_between(node.cores[0], node.cores[2]), kIntraSocket);
  EXPECT_STREQ(channel_between(node.cores[0], node.cores[4]), kInterSocket);
  EXPECT_EQ(node.cores[7].socket, 1);
  EXPECT_EQ(node.cores[7].numa, 1);
  EXPECT_EQ(node.cores[7].cache, 3);
}

TEST(Topology, CountsCoresNotHardwareThreads) {
  const NodeTopology node = synthetic("pack:1 l3:1 core:2 pu:2");
  ASSERT_EQ(node.cores.size(), 2U);
  EXPECT_EQ(node.cores[1].pu, 2);
}

TEST(Topology, WithoutSharedCachesKeepsCoresApart) {
  const NodeTopology node = synthetic("pack:1 l2:2 core:1 pu:1");
  EXPECT_STREQ(channel_between(node.cores[0], node.cores[1]), kIntraSocket);
}

using Cores = std::vector<Core>;

TEST(Topology, NumbersHardwareThreadsAsTheSystemDoes) {
  // Linux numbers the first threads of all cores before the second ones.
  EXPECT_EQ(synthetic("pack:1 l3:1 core:2 pu:2(indexes=0,2,1,3)").cores, (Cores{{0, 0, 0, 0}, {1, 0, 0, 0}}));
}

TEST(Topology, OfSeveralNumaNodesAndCachesInASocket) {
  EXPECT_EQ(synthetic("pack:1 group:2 [numa] l3:2 core:1 pu:1").cores,
            (Cores{{0, 0, 0, 0}, {1, 0, 0, 1}, {2, 0, 1, 2}, {3, 0, 1, 3}}));
}

TEST(Topology, IdsAreDenseWhateverTheSystemCallsTheNodes) {
  EXPECT_EQ(synthetic("pack:2 [numa(indexes=4,6)] l3:1 core:1 pu:1").cores, (Cores{{0, 0, 0, 0}, {1, 1, 1, 1}}));
}

TEST(Topology, WithoutCoresCountsThreads) {
  EXPECT_EQ(synthetic("numa:1 pu:3").cores, (Cores{{0, 0, 0, 0}, {1, 0, 0, 1}, {2, 0, 0, 2}}));
}

TEST(Topology, OfThisMachineHasCores) {
  EXPECT_GE(discover_topology().cores.size(), 1U);
}

}  // namespace
}  // namespace postage
