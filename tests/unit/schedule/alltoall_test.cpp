#include "unit/schedule/shape.hpp"

#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace postage {
namespace {

Schedule alltoall(std::string_view name, const ScheduleRequest& request) {
  return build_schedule(find_algorithm(Collective::kAlltoall, name), request);
}

Traffic alltoall_traffic(std::string_view name, const ScheduleRequest& request) {
  return traffic_of(alltoall(name, request));
}

constexpr Traffic direct(Index ranks, Bytes bytes, Index rounds) {
  return {.messages = ranks * (ranks - 1), .bytes = ranks * (ranks - 1) * bytes, .rounds = rounds};
}

TEST(DirectAlltoall, SendsEveryBlockOnce) {
  EXPECT_EQ(alltoall_traffic("linear", {.ranks = 9, .bytes = 10}), direct(9, 10, 1));
  EXPECT_EQ(alltoall_traffic("pairwise", {.ranks = 9, .bytes = 10}), direct(9, 10, 8));
  EXPECT_EQ(alltoall_traffic("pairwise-xor", {.ranks = 8, .bytes = 10}), direct(8, 10, 7));
}

TEST(DirectAlltoall, TakesListedSizes) {
  EXPECT_EQ(messages_of(alltoall("pairwise", {.ranks = 3, .block_bytes = {9, 1, 2, 3, 9, 5, 6, 7, 9}})),
            (std::vector<Message>{{0, 1, 1}, {1, 2, 5}, {2, 0, 6}, {0, 2, 2}, {1, 0, 3}, {2, 1, 7}}));
}

TEST(PairwiseAlltoall, GivesEachRankOneMessageARound) {
  for (const char* name : {"pairwise", "pairwise-xor"}) {
    const Schedule schedule = alltoall(name, {.ranks = 16, .bytes = 1});
    for_each_rank_round(schedule, 5, [&](const RankRound& round) {
      EXPECT_EQ(round.sends.size(), 1U);
      EXPECT_EQ(round.receives.size(), 1U);
      if (schedule.algorithm == "pairwise-xor") {
        EXPECT_EQ(round.sends[0].target, round.receives[0].source);
      }
    });
  }
}

/// P/2 blocks in each of log2(P) rounds where P is a power of two.
TEST(BruckAlltoall, TakesTheLogarithmOfRounds) {
  EXPECT_EQ(alltoall_traffic("bruck", {.ranks = 16, .bytes = 10}),
            (Traffic{.messages = 16 * 4, .bytes = 16 * 4 * 8 * 10, .rounds = 4}));
  EXPECT_EQ(alltoall_traffic("bruck", {.ranks = 27, .bytes = 1, .parameters = {{"radix", 3}}}),
            (Traffic{.messages = 27 * 3 * 2, .bytes = 27 * 3 * 2 * 9, .rounds = 3}));
  EXPECT_EQ(alltoall_traffic("bruck", {.ranks = 11, .bytes = 1}),
            (Traffic{.messages = 11 * 4, .bytes = 11 * (5 + 5 + 4 + 3), .rounds = 4}));
}

TEST(BruckAlltoall, OfRadixPIsLinear) {
  EXPECT_EQ(messages_of(alltoall("bruck", {.ranks = 7, .bytes = 3, .parameters = {{"radix", 7}}})),
            messages_of(alltoall("linear", {.ranks = 7, .bytes = 3})));
}

TEST(LinearSyncAlltoall, IsLinearOrPairwiseAtItsEnds) {
  EXPECT_EQ(alltoall_traffic("linear-sync", {.ranks = 10, .bytes = 3, .parameters = {{"window", 4}}}),
            direct(10, 3, 3));
  EXPECT_EQ(messages_of(alltoall("linear-sync", {.ranks = 10, .bytes = 3, .parameters = {{"window", 1}}})),
            messages_of(alltoall("pairwise", {.ranks = 10, .bytes = 3})));
  EXPECT_EQ(alltoall_traffic("linear-sync", {.ranks = 10, .bytes = 3, .parameters = {{"window", 9}}}),
            alltoall_traffic("linear", {.ranks = 10, .bytes = 3}));
}

/// With a window of 4 among 8 ranks: 3 others beside the own block, then 4.
TEST(LinearSyncAlltoall, MayCountTheOwnBlock) {
  const auto rounds = [](Rank ranks, Index window) {
    std::vector<Index> sends;
    for_each_rank_round(
        alltoall("linear-sync", {.ranks = ranks, .bytes = 3, .parameters = {{"own", 1}, {"window", window}}}), 2,
        [&](const RankRound& round) { sends.push_back(static_cast<Index>(round.sends.size())); });
    return sends;
  };
  EXPECT_EQ(rounds(8, 4), (std::vector<Index>{3, 4}));
  EXPECT_EQ(rounds(9, 4), (std::vector<Index>{3, 4, 1}));
  EXPECT_EQ(rounds(8, 7), (std::vector<Index>{6, 1}));
  EXPECT_EQ(rounds(8, 8), (std::vector<Index>{7}));
  EXPECT_EQ(rounds(4, 1), (std::vector<Index>{1, 1, 1}));
}

TEST(Alltoall, CountsAMillionRanksByFormula) {
  constexpr Index ranks = 1 << 20;
  for (const char* name : {"pairwise", "pairwise-xor"}) {
    EXPECT_EQ(alltoall_traffic(name, {.ranks = ranks, .bytes = 8}), direct(ranks, 8, ranks - 1));
  }
  EXPECT_EQ(alltoall_traffic("linear", {.ranks = ranks, .bytes = 8}), direct(ranks, 8, 1));
  EXPECT_EQ(alltoall_traffic("bruck", {.ranks = ranks, .bytes = 8}),
            (Traffic{.messages = ranks * 20, .bytes = ranks * 20 * (ranks / 2) * 8, .rounds = 20}));
}

}  // namespace
}  // namespace postage
