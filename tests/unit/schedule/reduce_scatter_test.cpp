#include "unit/schedule/shape.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/check/dataflow.hpp>

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace postage {
namespace {

Schedule reduce_scatter(std::string_view name, const ScheduleRequest& request) {
  return build_schedule(find_algorithm(Collective::kReduceScatter, name), request);
}

Traffic reduce_scatter_traffic(std::string_view name, const ScheduleRequest& request) {
  return traffic_of(reduce_scatter(name, request));
}

/// Each rank sends (P-1)/P of the vector: the least there is.
TEST(ReduceScatter, SendsTheLeastBytesWhereBlocksMoveOnce) {
  EXPECT_EQ(reduce_scatter_traffic("ring", {.ranks = 9, .bytes = 90}),
            (Traffic{.messages = 72, .bytes = 8 * 90, .rounds = 8}));
  EXPECT_EQ(reduce_scatter_traffic("pairwise", {.ranks = 9, .bytes = 90}),
            (Traffic{.messages = 72, .bytes = 8 * 90, .rounds = 8}));
  EXPECT_EQ(reduce_scatter_traffic("recursive-halving", {.ranks = 16, .bytes = 160}),
            (Traffic{.messages = 64, .bytes = 15 * 160, .rounds = 4}));
}

TEST(ReduceScatter, CutsAVectorAtWholeElements) {
  EXPECT_EQ(messages_of(reduce_scatter("pairwise", {.ranks = 3, .bytes = 20, .element_bytes = 4})),
            (std::vector<Message>{{0, 1, 8}, {1, 2, 4}, {2, 0, 8}, {0, 2, 4}, {1, 0, 8}, {2, 1, 8}}));
}

TEST(RecursiveHalving, FoldsTheRanksBeyondAPowerOfTwo) {
  // Fold: 2 whole vectors. Units of 2, 2, 1, 1 blocks: halves {2,3} and {0,1}, then single ones. Unfold: 2 blocks.
  EXPECT_EQ(reduce_scatter_traffic("recursive-halving", {.ranks = 6, .bytes = 60}),
            (Traffic{.messages = 2 + 4 * 2 + 2, .bytes = 2 * 60 + 2 * 60 + 60 + 2 * 10, .rounds = 4}));
}

TEST(RecursiveHalving, StartsWithTheFarthestPartner) {
  EXPECT_EQ(messages_of(reduce_scatter("recursive-halving", {.ranks = 4, .bytes = 40})),
            (std::vector<Message>{
                {0, 2, 20}, {1, 3, 20}, {2, 0, 20}, {3, 1, 20}, {0, 1, 10}, {1, 0, 10}, {2, 3, 10}, {3, 2, 10}}));
}

TEST(Butterfly, StartsWithTheNearestPartnerAndEndsInBitReversedOrder) {
  const auto messages = messages_of(reduce_scatter("butterfly", {.ranks = 8, .bytes = 80}));
  const std::set<Message> first(messages.begin(), messages.begin() + 8);
  EXPECT_EQ(first,
            (std::set<Message>{
                {0, 1, 40}, {1, 0, 40}, {2, 3, 40}, {3, 2, 40}, {4, 5, 40}, {5, 4, 40}, {6, 7, 40}, {7, 6, 40}}));
  const std::set<Message> last(messages.begin() + 24, messages.end());
  EXPECT_EQ(last, (std::set<Message>{{1, 4, 10}, {4, 1, 10}, {3, 6, 10}, {6, 3, 10}}));
}

/// log2(P) rounds of halves and one in which all but the palindromes, 2^ceil(log2(P)/2), move one block.
TEST(Butterfly, TakesOneRoundMoreThanHalving) {
  EXPECT_EQ(reduce_scatter_traffic("butterfly", {.ranks = 32, .bytes = 320}),
            (Traffic{.messages = 32 * 5 + 24, .bytes = 31 * 320 + 24 * 10, .rounds = 6}));
  EXPECT_EQ(reduce_scatter_traffic("butterfly", {.ranks = 13, .bytes = 130}).rounds, 1 + 3 + 1);
}

/// Blocks of folded ranks go to them directly, not by way of the rank they were folded into.
TEST(Butterfly, SendsEveryRankItsBlockOnce) {
  for (Rank ranks = 2; ranks <= 40; ++ranks) {
    const Schedule schedule = reduce_scatter("butterfly", {.ranks = ranks, .bytes = 10 * ranks});
    const RoundPosition last{.stage = schedule.stages.size() - 1};
    std::set<Rank> targets;
    for_each_transfer(schedule, last, [&](const Transfer& t) {
      EXPECT_NE(t.source, t.target);
      EXPECT_EQ(t.bytes, 10);
      EXPECT_TRUE(targets.insert(t.target).second) << "P=" << ranks << " rank " << t.target;
    });
  }
}

TEST(ReduceScatterv, ReducesThenScatters) {
  EXPECT_EQ(reduce_scatter_traffic("reduce-scatterv", {.ranks = 8, .bytes = 80}),
            (Traffic{.messages = 14, .bytes = 7 * 80 + 12 * 10, .rounds = 6}));
}

/// What an algorithm's list entry denies, the checker denies too: none could serve an ordered operation after all.
TEST(ReduceScatter, KeepsTheOrderWhereItSaysSoOnly) {
  for (const Algorithm& algorithm : algorithms_of(Collective::kReduceScatter)) {
    const Schedule schedule = build_schedule(algorithm, {.ranks = 8, .bytes = 80});
    EXPECT_EQ(!find_dataflow_mistake(schedule, true), algorithm.keeps_order) << algorithm.name;
    if (!algorithm.keeps_order) {
      EXPECT_THROW((void)build_schedule(algorithm, {.ranks = 8, .commutative = false}), UsageError);
    }
  }
}

TEST(ReduceScatter, CountsAMillionRanksByFormula) {
  constexpr Index ranks = 1 << 20;
  constexpr Bytes vector = 8 * (3 * ranks + 12345);
  const ScheduleRequest request{.ranks = ranks, .bytes = vector, .element_bytes = 8};
  EXPECT_EQ(reduce_scatter_traffic("ring", request),
            (Traffic{.messages = ranks * (ranks - 1), .bytes = (ranks - 1) * vector, .rounds = ranks - 1}));
  EXPECT_EQ(reduce_scatter_traffic("recursive-halving", request),
            (Traffic{.messages = ranks * 20, .bytes = (ranks - 1) * vector, .rounds = 20}));
  const Traffic reversed = reduce_scatter_traffic("butterfly", request);
  EXPECT_EQ(reversed.messages, ranks * 21 - 1024);
  EXPECT_GT(reversed.bytes, (ranks - 1) * vector + (ranks - 1024) * 24);
  EXPECT_LT(reversed.bytes, ranks * vector);
}

}  // namespace
}  // namespace postage
