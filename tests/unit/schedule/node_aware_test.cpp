#include "unit/schedule/shape.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/check/dataflow.hpp>
#include <postage/schedule/patterns/node_aware.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace postage {
namespace {

/// Messages and bytes between nodes.
Traffic crossing(const Schedule& schedule, const NodeMap& map) {
  Traffic traffic;
  for_each_transfer(schedule, [&](const RoundPosition&, const Transfer& t) {
    if (map.node_of(t.source) != map.node_of(t.target)) {
      ++traffic.messages;
      traffic.bytes += t.bytes;
    }
  });
  return traffic;
}

std::size_t patterns_of(const Schedule& schedule) {
  std::size_t patterns = 0;
  for (const Stage& stage : schedule.stages) {
    for (const Round& round : stage.rounds) {
      patterns += round.patterns.size();
    }
  }
  return patterns;
}

TEST(NodeAware, BroadcastsToTheRootsNodeFromTheRootItself) {
  const Schedule schedule = node_aware_schedule(Collective::kBcast, {.ranks = 6, .root = 3, .bytes = 10},
                                                NodeMap::block(6, 2), {.across = {"linear"}, .down = {"binomial"}});
  EXPECT_EQ(messages_of(schedule), (std::vector<Message>{{3, 4, 10}, {3, 0, 10}, {0, 1, 10}, {3, 2, 10}, {4, 5, 10}}));
  EXPECT_EQ(schedule.algorithm, "node-aware / linear / binomial");
}

/// N-1 messages of the whole vector cross; a binomial tree over all ranks dealt round-robin would cross more often.
TEST(NodeAware, CrossesOncePerNode) {
  const NodeMap map = NodeMap::cyclic(24, 6);
  const ScheduleRequest request{.ranks = 24, .root = 7, .bytes = 10};
  EXPECT_EQ(
      crossing(node_aware_schedule(Collective::kBcast, request, map, {.across = {"binomial"}, .down = {"linear"}}),
               map),
      (Traffic{.messages = 5, .bytes = 50}));
  const Schedule flat = build_schedule(find_algorithm(Collective::kBcast, "binomial"), request);
  EXPECT_GT(crossing(flat, map).messages, 5);
}

/// 4 nodes of 4: gather 4 + 4 + ... blocks up, rings of 4 blocks a node, all 16 blocks down.
TEST(NodeAware, GathersRingsAndSpreadsAnAllgather) {
  const NodeMap map = NodeMap::block(16, 4);
  const Schedule schedule = node_aware_schedule(Collective::kAllgather, {.ranks = 16, .bytes = 1}, map,
                                                {.up = {"binomial"}, .across = {"ring"}, .down = {"binomial"}});
  EXPECT_EQ(traffic_of(schedule),
            (Traffic{.messages = 12 + 12 + 12, .bytes = 4 * 4 + 12 * 4 + 12 * 16, .rounds = 2 + 3 + 2}));
  EXPECT_EQ(crossing(schedule, map), (Traffic{.messages = 12, .bytes = 48}));
}

/// N(N-1) messages of Q*Q blocks instead of P*(P-Q) of one.
TEST(NodeAware, BundlesAnAlltoallBetweenNodes) {
  const NodeMap map = NodeMap::block(16, 4);
  const Schedule schedule = node_aware_schedule(Collective::kAlltoall, {.ranks = 16, .bytes = 1}, map,
                                                {.up = {"linear"}, .across = {"pairwise"}, .down = {"linear"}});
  EXPECT_EQ(traffic_of(schedule), (Traffic{.messages = 36, .bytes = 12 * 16 + 12 * 16 + 12 * 16, .rounds = 1 + 3 + 1}));
  EXPECT_EQ(crossing(schedule, map), (Traffic{.messages = 12, .bytes = 12 * 16}));
}

TEST(NodeAware, ReducesWithinNodesFirst) {
  const NodeMap map = NodeMap::block(12, 4);
  const Schedule schedule =
      node_aware_schedule(Collective::kAllreduce, {.ranks = 12, .bytes = 80, .element_bytes = 8}, map,
                          {.up = {"binomial"}, .across = {"recursive-doubling"}, .down = {"binomial"}});
  EXPECT_EQ(traffic_of(schedule).messages,
            9 +
                traffic_of(build_schedule(find_algorithm(Collective::kAllreduce, "recursive-doubling"),
                                          {.ranks = 3, .bytes = 80}))
                    .messages +
                9);
  EXPECT_EQ(find_dataflow_mistake(schedule), std::nullopt);
}

/// Nodes of 4, 4 and 2 ranks: the rounds of the larger ones count once.
TEST(NodeAware, LetsNodesOfDifferentSizesWorkSideBySide) {
  const Schedule schedule = node_aware_schedule(Collective::kBcast, {.ranks = 10, .root = 5, .bytes = 10},
                                                NodeMap::block(10, 4), {.across = {"linear"}, .down = {"binomial"}});
  EXPECT_EQ(traffic_of(schedule), (Traffic{.messages = 9, .bytes = 90, .rounds = 1 + 2}));
}

TEST(NodeAware, CutsAVectorSoThatEveryPartsSharesAreWholeBlocks) {
  // 3 nodes of 4: the ring among leaders needs 3 blocks, scattering within nodes 4.
  const Schedule schedule =
      node_aware_schedule(Collective::kBcast, {.ranks = 12, .bytes = 120}, NodeMap::block(12, 4),
                          {.across = {"scatter-ring-allgather"}, .down = {"scatter-ring-allgather"}});
  EXPECT_EQ(schedule.layout.blocks(), 12);
  EXPECT_EQ(find_dataflow_mistake(schedule), std::nullopt);
}

TEST(NodeAware, SegmentsEachPartAsItWouldBeAlone) {
  const Schedule schedule = node_aware_schedule(Collective::kBcast, {.ranks = 8, .bytes = 100, .segment_bytes = 25},
                                                NodeMap::block(8, 4), {.across = {"linear"}, .down = {"pipeline"}});
  ASSERT_EQ(schedule.stages.size(), 2U);
  EXPECT_EQ(schedule.stages[0].segments, 1);
  EXPECT_EQ(schedule.stages[1].segments, 4);
}

TEST(NodeAware, IsTheSameForAListedMap) {
  for (Rank ranks = 1; ranks <= 14; ++ranks) {
    std::vector<Index> labels;
    for (Rank rank = 0; rank < ranks; ++rank) {
      labels.push_back(rank / 4);
    }
    const ScheduleRequest request{.ranks = ranks, .root = ranks - 1, .bytes = 12};
    const NodeParts parts{.up = {"binomial"}, .across = {"binomial"}};
    const auto gather = [&](const NodeMap& map) {
      return messages_of(node_aware_schedule(Collective::kGather, request, map, parts));
    };
    EXPECT_EQ(gather(NodeMap::listed(labels)), gather(NodeMap::block(ranks, 4))) << "P=" << ranks;
  }
}

/// 2^14 nodes of 64 ranks, and one more rank on a node of its own.
TEST(NodeAware, StaysSymbolicForAMillionRanks) {
  constexpr Index nodes = 1 << 14;
  constexpr Index ranks = nodes * 64;
  const ScheduleRequest request{.ranks = ranks, .root = 777777, .bytes = 8};
  const Schedule gather = node_aware_schedule(Collective::kGather, request, NodeMap::block(ranks, 64),
                                              {.up = {"linear"}, .across = {"linear"}});
  EXPECT_EQ(traffic_of(gather),
            (Traffic{.messages = ranks - 1, .bytes = 8 * (nodes * 63 + (nodes - 1) * 64), .rounds = 2}));
  const Schedule allgather = node_aware_schedule(Collective::kAllgather, request, NodeMap::cyclic(ranks, nodes),
                                                 {.up = {"binomial"}, .across = {"ring"}, .down = {"binomial"}});
  EXPECT_LE(patterns_of(allgather), 13U);
  EXPECT_EQ(traffic_of(allgather),
            (Traffic{.messages = nodes * 63 + nodes * (nodes - 1) + nodes * 63,
                     .bytes = 8 * (nodes * 32 * 6 + nodes * (nodes - 1) * 64 + nodes * 63 * ranks),
                     .rounds = 6 + nodes - 1 + 6}));
  ScheduleRequest one_more = request;
  one_more.ranks = ranks + 1;
  const Schedule uneven = node_aware_schedule(Collective::kAllgather, one_more, NodeMap::block(ranks + 1, 64),
                                              {.up = {"binomial"}, .across = {"ring"}, .down = {"binomial"}});
  EXPECT_EQ(traffic_of(uneven).bytes, 8 * (nodes * 32 * 6 + nodes * (ranks + 1) + nodes * 63 * (ranks + 1)));
  const Schedule alltoall = node_aware_schedule(Collective::kAlltoall, request, NodeMap::block(ranks, 64),
                                                {.up = {"linear"}, .across = {"bruck"}, .down = {"linear"}});
  EXPECT_EQ(traffic_of(alltoall).bytes, 8 * (2 * nodes * 63 * ranks + nodes * 14 * (nodes / 2) * 64 * 64));
}

std::string refusal(Collective collective, const ScheduleRequest& request, const NodeMap& map, const NodeParts& parts) {
  try {
    (void)node_aware_schedule(collective, request, map, parts);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(NodeAware, RefusesWhatItCannotDo) {
  const NodeParts parts{.up = {"binomial"}, .across = {"binomial"}, .down = {"binomial"}};
  EXPECT_EQ(refusal(Collective::kScan, {.ranks = 4}, NodeMap::block(4, 2), parts),
            "scan has no node-aware form; barrier, bcast, reduce, allreduce, gather, scatter, allgather and alltoall "
            "have");
  EXPECT_EQ(refusal(Collective::kBcast, {.ranks = 4}, NodeMap::block(5, 2), parts),
            "the map of nodes has 5 ranks, but P is 4");
  EXPECT_EQ(refusal(Collective::kReduce, {.ranks = 4, .commutative = false}, NodeMap::cyclic(4, 2), parts),
            "sums of nodes keep the ranks' order only where all ranks of a node come before those of the next; here "
            "the operation must commute");
  EXPECT_EQ(refusal(Collective::kAllgather, {.ranks = 6}, NodeMap::block(6, 2),
                    {.up = {"binomial"}, .across = {"recursive-doubling"}, .down = {"binomial"}}),
            "allgather recursive-doubling needs a power of two of ranks, not P = 3");
  EXPECT_NE(refusal(Collective::kBcast, {.ranks = 4}, NodeMap::block(4, 2), {.across = {"binomial"}}), "");
}

}  // namespace
}  // namespace postage
