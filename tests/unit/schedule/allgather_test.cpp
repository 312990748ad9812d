#include "unit/schedule/shape.hpp"

#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

namespace postage {
namespace {

Schedule allgather(std::string_view name, const ScheduleRequest& request) {
  return build_schedule(find_algorithm(Collective::kAllgather, name), request);
}

Traffic allgather_traffic(std::string_view name, const ScheduleRequest& request) {
  return traffic_of(allgather(name, request));
}

/// Messages in flight at once: transfers of the largest round.
Index largest_round(const Schedule& schedule) {
  Index largest = 0;
  for_each_round(schedule, [&](const RoundPosition& position) {
    Index messages = 0;
    for_each_transfer(schedule, position, [&](const Transfer&) { ++messages; });
    largest = std::max(largest, messages);
  });
  return largest;
}

TEST(LinearAllgather, SendsAllAtOnceToTheNextRankFirst) {
  EXPECT_EQ(allgather_traffic("linear", {.ranks = 9, .bytes = 10}),
            (Traffic{.messages = 72, .bytes = 720, .rounds = 1}));
  EXPECT_EQ(messages_of(allgather("linear", {.ranks = 3, .bytes = 1})),
            (std::vector<Message>{{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {0, 2, 1}, {1, 0, 1}, {2, 1, 1}}));
}

TEST(RingAllgather, TakesOneRoundLessThanRanks) {
  EXPECT_EQ(allgather_traffic("ring", {.ranks = 9, .bytes = 10}), (Traffic{.messages = 72, .bytes = 720, .rounds = 8}));
  for_each_transfer(allgather("ring", {.ranks = 5, .bytes = 1}),
                    [](const RoundPosition&, const Transfer& t) { EXPECT_EQ(t.target, (t.source + 1) % 5); });
}

/// P log2(P) messages; all receive P-1 blocks.
TEST(RecursiveDoubling, DoublesTheMessageInEachRound) {
  EXPECT_EQ(allgather_traffic("recursive-doubling", {.ranks = 16, .bytes = 10}),
            (Traffic{.messages = 64, .bytes = 16 * 15 * 10, .rounds = 4}));
  for_each_transfer(allgather("recursive-doubling", {.ranks = 16, .bytes = 10}),
                    [](const RoundPosition& position, const Transfer& t) {
                      EXPECT_EQ(t.bytes, 10 << position.round);
                      EXPECT_EQ(t.source ^ t.target, 1 << position.round);
                    });
}

/// floor(log2 P) + 2 rounds where P is no power of two (Ali et al., Table 1).
TEST(RecursiveDoubling, FoldsTheRanksBeyondAPowerOfTwo) {
  EXPECT_EQ(allgather_traffic("recursive-doubling-folded", {.ranks = 11, .bytes = 1}),
            (Traffic{.messages = 3 + 8 * 3 + 3, .bytes = 3 + 8 * 11 - 11 + 3 * 10, .rounds = 5}));
  EXPECT_EQ(allgather_traffic("recursive-doubling-folded", {.ranks = 16, .bytes = 10}),
            allgather_traffic("recursive-doubling", {.ranks = 16, .bytes = 10}));
}

TEST(BruckAllgather, TakesTheLogarithmOfRoundsForAnyRanks) {
  EXPECT_EQ(allgather_traffic("bruck", {.ranks = 11, .bytes = 10}),
            (Traffic{.messages = 4 * 11, .bytes = 11 * 10 * 10, .rounds = 4}));
  EXPECT_EQ(allgather_traffic("bruck", {.ranks = 27, .bytes = 1, .parameters = {{"radix", 3}}}),
            (Traffic{.messages = 27 * 3 * 2, .bytes = 27 * 26, .rounds = 3}));
  EXPECT_EQ(allgather_traffic("bruck", {.ranks = 29, .bytes = 1, .parameters = {{"radix", 3}}}),
            (Traffic{.messages = 29 * (3 * 2 + 1), .bytes = 29 * 28, .rounds = 4}));
}

TEST(BruckAllgather, OfRadixPIsDirect) {
  EXPECT_EQ(allgather_traffic("bruck", {.ranks = 13, .bytes = 1, .parameters = {{"radix", 13}}}),
            allgather_traffic("linear", {.ranks = 13, .bytes = 1}));
}

TEST(NeighborExchange, TakesHalfAsManyRoundsAsARing) {
  EXPECT_EQ(allgather_traffic("neighbor-exchange", {.ranks = 10, .bytes = 1}),
            (Traffic{.messages = 50, .bytes = 10 * (1 + 4 * 2), .rounds = 5}));
  EXPECT_EQ(allgather_traffic("neighbor-exchange", {.ranks = 12, .bytes = 1}).rounds, 6);
  for_each_transfer(allgather("neighbor-exchange", {.ranks = 12, .bytes = 1}),
                    [](const RoundPosition&, const Transfer& t) {
                      EXPECT_TRUE(t.target == (t.source + 1) % 12 || t.source == (t.target + 1) % 12);
                    });
}

/// Ali et al., Figure 6 and Table 3: P = 16, two chips of 8; hybrid-4-2 sends 2 messages across, 8 blocks each.
TEST(Hybrid, SendsAsManyMessagesAcrossTheChipsAsItsNameSays) {
  for (const auto& [x, y] : std::map<Index, Index>{{1, 16}, {2, 8}, {3, 4}, {4, 2}, {5, 2}}) {
    Index across = 0;
    const Schedule schedule = allgather("hybrid", {.ranks = 16, .bytes = 1, .parameters = {{"x", x}}});
    for_each_transfer(schedule,
                      [&](const RoundPosition&, const Transfer& t) { across += t.source / 8 != t.target / 8; });
    EXPECT_EQ(across, y) << "x=" << x;
    EXPECT_EQ(traffic_of(schedule).rounds, 4 + x - 1) << "x=" << x;
  }
}

TEST(Hybrid, IsRecursiveDoublingOrGatherAndBroadcastAtItsEnds) {
  const ScheduleRequest request{.ranks = 13, .bytes = 8};
  ScheduleRequest first = request;
  first.parameters = {{"x", 1}};
  ScheduleRequest last = request;
  last.parameters = {{"x", 5}};
  EXPECT_EQ(messages_of(allgather("hybrid", first)), messages_of(allgather("recursive-doubling-folded", request)));
  EXPECT_EQ(messages_of(allgather("hybrid", last)), messages_of(allgather("gather-bcast", request)));
}

TEST(Hybrid, HasFewerMessagesInFlightTheLaterItSwitches) {
  const auto in_flight = [](Index x) {
    return largest_round(allgather("hybrid", {.ranks = 64, .bytes = 1, .parameters = {{"x", x}}}));
  };
  EXPECT_EQ(in_flight(1), 64);
  EXPECT_EQ(in_flight(2), 32);
  EXPECT_EQ(in_flight(7), 32);
}

TEST(GatherBcast, GathersUpATreeAndBroadcastsEverythingDownIt) {
  EXPECT_EQ(allgather_traffic("gather-bcast", {.ranks = 8, .bytes = 1}),
            (Traffic{.messages = 14, .bytes = 4 * 1 + 2 * 2 + 4 + 7 * 8, .rounds = 6}));
}

TEST(Allgather, CountsAMillionRanksByFormula) {
  constexpr Index ranks = 1 << 20;
  const Traffic everyone{.messages = ranks * (ranks - 1), .bytes = ranks * (ranks - 1) * 8, .rounds = ranks - 1};
  EXPECT_EQ(allgather_traffic("ring", {.ranks = ranks, .bytes = 8}), everyone);
  EXPECT_EQ(allgather_traffic("recursive-doubling", {.ranks = ranks, .bytes = 8}),
            (Traffic{.messages = ranks * 20, .bytes = everyone.bytes, .rounds = 20}));
  EXPECT_EQ(allgather_traffic("bruck", {.ranks = ranks - 1, .bytes = 8}),
            (Traffic{.messages = (ranks - 1) * 20, .bytes = (ranks - 1) * (ranks - 2) * 8, .rounds = 20}));
  EXPECT_EQ(allgather_traffic("recursive-doubling-folded", {.ranks = ranks - 1, .bytes = 8}).rounds, 21);
}

}  // namespace
}  // namespace postage
