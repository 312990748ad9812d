#include "unit/schedule/shape.hpp"

#include <postage/schedule/check/dataflow.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

constexpr Bytes kCombined = 4096;

Traffic allreduce_traffic(std::string_view name, Rank ranks, const ParameterValues& parameters = {}) {
  return traffic_for(Collective::kAllreduce, name, {.ranks = ranks, .bytes = kCombined, .parameters = parameters});
}

std::vector<Message> allreduce_messages(std::string_view name, const ScheduleRequest& request) {
  return messages_of(schedule_for(Collective::kAllreduce, name, request));
}

TEST(Allreduce, HasTheKnownTrafficForPowersOfTwo) {
  for (const Rank p : {2, 8, 64, 1024}) {
    const Index levels = ceil_log2(p);
    EXPECT_EQ(allreduce_traffic("linear", p), (Traffic{2 * (p - 1), 2 * (p - 1) * kCombined, p}));
    EXPECT_EQ(allreduce_traffic("recursive-doubling", p), (Traffic{p * levels, p * levels * kCombined, levels}));
    EXPECT_EQ(allreduce_traffic("ring", p), (Traffic{2 * p * (p - 1), 2 * (p - 1) * kCombined, 2 * (p - 1)}));
    EXPECT_EQ(allreduce_traffic("segmented-ring", p), allreduce_traffic("ring", p));
    EXPECT_EQ(allreduce_traffic("rabenseifner", p), (Traffic{2 * p * levels, 2 * (p - 1) * kCombined, 2 * levels}));
    EXPECT_EQ(allreduce_traffic("reduce-scatter-gather-bcast", p),
              (Traffic{p * levels + 2 * (p - 1), 2 * (p - 1) * kCombined + levels * kCombined / 2, 3 * levels}));
  }
}

TEST(Allreduce, FoldsOtherNumbersOfRanks) {
  for (const Rank p : {3, 5, 23, 1000}) {
    const Index levels = floor_log2(p);
    const Index core = Index{1} << levels;
    const Index rest = p - core;
    EXPECT_EQ(allreduce_traffic("recursive-doubling", p),
              (Traffic{core * levels + 2 * rest, (core * levels + 2 * rest) * kCombined, levels + 2}));
    // Halves there and back and a half handed over, then the whole result: 2.5 vectors for each folded rank.
    EXPECT_EQ(
        allreduce_traffic("rabenseifner", p),
        (Traffic{2 * core * levels + 4 * rest, 2 * (core - 1) * kCombined + rest * kCombined * 5 / 2, 2 * levels + 3}));
    EXPECT_EQ(allreduce_traffic("hybridB", p, {{"x", 1}}),
              (Traffic{2 * core * levels + 2 * rest, 2 * (core - 1 + rest) * kCombined, 2 * levels + 2}));
  }
}

TEST(SegmentedRing, CutsOnlyTheReduceScatter) {
  const Schedule schedule =
      schedule_for(Collective::kAllreduce, "segmented-ring", {.ranks = 4, .bytes = kCombined, .segment_bytes = 256});
  EXPECT_EQ(schedule.stages.at(0).segments, 4);
  EXPECT_EQ(schedule.stages.at(1).segments, 1);
  EXPECT_EQ(traffic_of(schedule), (Traffic{5 * 12, 2 * 3 * kCombined, 5 * 3}));
}

/// HybridA-x-y of Ali et al., section 5.5: x-1 rounds of binomial reduce, log2(p)-(x-1) of recursive doubling, x-1 of
/// binomial broadcast, and y = p/2^(x-1) messages each way through the middle.
TEST(HybridA, HasTheRoundsAndCrossingMessagesOfItsName) {
  for (const auto& [x, y] : {std::pair{1, 16}, std::pair{2, 8}, std::pair{3, 4}, std::pair{4, 2}, std::pair{5, 2}}) {
    const ScheduleRequest request{.ranks = 16, .bytes = kCombined, .parameters = {{"x", x}}};
    Index crossing = 0;
    for (const auto& [source, target, bytes] : allreduce_messages("hybridA", request)) {
      crossing += source / 8 != target / 8 ? 1 : 0;
    }
    EXPECT_EQ(crossing, y) << x;
    EXPECT_EQ(allreduce_traffic("hybridA", 16, {{"x", x}}).rounds, 4 + x - 1);
  }
}

/// HybridB-x-y: the reduce-scatter of Rabenseifner's algorithm, then hybrid-x-y allgather.
TEST(HybridB, GathersInGroupsBeforeLeadersExchange) {
  for (const auto& [x, y] : {std::pair{1, 16}, std::pair{2, 8}, std::pair{3, 4}, std::pair{4, 2}}) {
    const Schedule schedule =
        schedule_for(Collective::kAllreduce, "hybridB", {.ranks = 16, .bytes = kCombined, .parameters = {{"x", x}}});
    Index crossing = 0;
    for_each_transfer(schedule, [&](const RoundPosition& position, const Transfer& transfer) {
      crossing += position.stage > 0 && transfer.source / 8 != transfer.target / 8 ? 1 : 0;
    });
    EXPECT_EQ(crossing, y) << x;
    EXPECT_EQ(traffic_of(schedule).rounds, 4 + (4 + x - 1));
  }
}

TEST(HybridB, StartsWithTheFarthestPartners) {
  for (std::size_t i = 0; i < 16; ++i) {
    const auto [source, target, bytes] = allreduce_messages("hybridB", {.ranks = 16, .bytes = kCombined}).at(i);
    EXPECT_EQ(source ^ target, 8);
    EXPECT_EQ(bytes, kCombined / 2);
  }
}

TEST(Rabenseifner, StartsWithNeighbours) {
  EXPECT_EQ(
      allreduce_messages("rabenseifner", {.ranks = 3, .bytes = 8}),
      (std::vector<Message>{{0, 1, 4}, {1, 0, 4}, {1, 0, 4}, {0, 2, 4}, {2, 0, 4}, {0, 2, 4}, {2, 0, 4}, {0, 1, 8}}));
}

/// Rank 0 leaves for the whole exchange; its vector goes to rank 1, as in MPICH's reduce_scatter_allgather.
TEST(Rabenseifner, MayFoldWholeVectors) {
  EXPECT_EQ(allreduce_messages("rabenseifner", {.ranks = 3, .bytes = 8, .parameters = {{"whole", 1}}}),
            (std::vector<Message>{{0, 1, 8}, {1, 2, 4}, {2, 1, 4}, {1, 2, 4}, {2, 1, 4}, {1, 0, 8}}));
}

TEST(Allreduce, ServesFewerElementsThanRanks) {
  for (const Algorithm& algorithm : algorithms_of(Collective::kAllreduce)) {
    for (const Bytes bytes : {0, 8, 24}) {
      const Schedule schedule = build_schedule(algorithm, {.ranks = 13, .bytes = bytes, .element_bytes = 8});
      EXPECT_EQ(schedule.layout.total(), bytes) << algorithm.name;
      EXPECT_EQ(find_dataflow_mistake(schedule, false), std::nullopt) << algorithm.name;
    }
  }
}

}  // namespace
}  // namespace postage
