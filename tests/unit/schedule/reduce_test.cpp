#include "unit/schedule/shape.hpp"

#include <postage/base/error.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

constexpr Bytes kReduced = 1024;

Traffic reduce_traffic(std::string_view name, const ScheduleRequest& request) {
  return traffic_for(Collective::kReduce, name, request);
}

std::vector<Message> reduce_messages(std::string_view name, const ScheduleRequest& request) {
  return messages_of(schedule_for(Collective::kReduce, name, request));
}

TEST(ReduceTrees, TakeOneMessageFromEveryOtherRankInTheKnownNumberOfRounds) {
  for (const Rank p : {2, 3, 7, 8, 31, 32, 100, 1 << 20}) {
    const auto tree = [&](Index rounds) {
      return Traffic{.messages = p - 1, .bytes = (p - 1) * kReduced, .rounds = rounds};
    };
    const ScheduleRequest request{.ranks = p, .root = p / 2, .bytes = kReduced};
    EXPECT_EQ(reduce_traffic("linear", request), tree(p - 1));
    EXPECT_EQ(reduce_traffic("pipeline", request), tree(p - 1));
    EXPECT_EQ(reduce_traffic("chain", request), tree((p + 2) / 4 - 1 + std::min<Index>(4, p - 1)));
    EXPECT_EQ(reduce_traffic("binomial", request), tree(ceil_log2(p)));
  }
  for (const Rank levels : {2, 3, 10}) {
    const Rank nodes = (1 << levels) - 1;
    const Traffic tree{.messages = nodes - 1, .bytes = (nodes - 1) * kReduced, .rounds = 2 * (levels - 1)};
    EXPECT_EQ(reduce_traffic("binary", {.ranks = nodes, .bytes = kReduced}), tree);
    EXPECT_EQ(reduce_traffic("in-order-binary", {.ranks = nodes, .root = nodes / 2, .bytes = kReduced}), tree);
    const Rank power = 1 << (2 * levels);
    EXPECT_EQ(reduce_traffic("knomial", {.ranks = power, .bytes = kReduced}),
              (Traffic{.messages = power - 1, .bytes = (power - 1) * kReduced, .rounds = 3 * levels}));
  }
}

TEST(ReduceTrees, HandTheResultOverWhereTheRootWouldBreakTheOrder) {
  for (const char* name : {"chain", "pipeline", "binomial", "knomial"}) {
    ScheduleRequest request{.ranks = 9, .bytes = 4, .commutative = false};
    EXPECT_EQ(reduce_traffic(name, request).messages, 8);
    request.root = 3;
    EXPECT_EQ(reduce_traffic(name, request).messages, 9);
    EXPECT_EQ(reduce_messages(name, request).back(), (Message{0, 3, 4}));
    request.commutative = true;
    EXPECT_EQ(reduce_traffic(name, request).messages, 8);
  }
}

TEST(ReduceLinear, TakesTheHigherRanksUpwardsThenTheLowerOnesDownwards) {
  EXPECT_EQ(reduce_messages("linear", {.ranks = 5, .root = 2, .bytes = 4}),
            (std::vector<Message>{{3, 2, 4}, {4, 2, 4}, {1, 2, 4}, {0, 2, 4}}));
}

TEST(ReduceChain, RunsBackwards) {
  EXPECT_EQ(reduce_messages("chain", {.ranks = 6, .root = 2, .bytes = 9, .parameters = {{"chains", 2}}}),
            (std::vector<Message>{{5, 4, 9}, {4, 3, 9}, {1, 0, 9}, {3, 2, 9}, {0, 2, 9}}));
}

TEST(ReducePipeline, HandsOverEachSegmentBeforeTheNextIsReduced) {
  EXPECT_EQ(reduce_messages("pipeline", {.ranks = 3, .root = 2, .bytes = 7, .segment_bytes = 4, .commutative = false}),
            (std::vector<Message>{{2, 1, 4}, {1, 0, 4}, {0, 2, 4}, {2, 1, 3}, {1, 0, 3}, {0, 2, 3}}));
}

TEST(ReduceInOrderBinary, PutsEachRankBetweenItsSubtrees) {
  EXPECT_EQ(reduce_messages("in-order-binary", {.ranks = 6, .root = 3, .bytes = 1}),
            (std::vector<Message>{{0, 1, 1}, {4, 5, 1}, {2, 1, 1}, {1, 3, 1}, {5, 3, 1}}));
  EXPECT_EQ(reduce_messages("in-order-binary", {.ranks = 5, .root = 0, .bytes = 1}),
            (std::vector<Message>{{0, 1, 1}, {2, 1, 1}, {1, 3, 1}, {4, 3, 1}, {3, 0, 1}}));
  for (Rank p = 2; p < 300; ++p) {
    EXPECT_LE(reduce_traffic("in-order-binary", {.ranks = p}).rounds, 2 * floor_log2(p) + 1) << p;
  }
}

TEST(ReduceRabenseifner, MovesTheKnownBytes) {
  for (const Rank p : {2, 8, 1024}) {
    const Index levels = ceil_log2(p);
    const Traffic known{
        .messages = p * levels + p - 1, .bytes = (p - 1) * kReduced + levels * kReduced / 2, .rounds = 2 * levels};
    for (const Rank root : {0, 1, p - 1}) {
      EXPECT_EQ(reduce_traffic("rabenseifner", {.ranks = p, .root = root, .bytes = kReduced}), known);
    }
  }
}

TEST(ReduceRabenseifner, FoldsHalvesOfNeighbours) {
  // Ranks 0 and 1 fold; the root stays. Then one exchange of halves and one message of half the vector.
  EXPECT_EQ(reduce_messages("rabenseifner", {.ranks = 3, .root = 1, .bytes = 8}),
            (std::vector<Message>{{0, 1, 4}, {1, 0, 4}, {0, 1, 4}, {1, 2, 4}, {2, 1, 4}, {2, 1, 4}}));
  EXPECT_EQ(reduce_messages("rabenseifner", {.ranks = 3, .root = 0, .bytes = 8}),
            (std::vector<Message>{{0, 1, 4}, {1, 0, 4}, {1, 0, 4}, {0, 2, 4}, {2, 0, 4}, {2, 0, 4}}));
}

TEST(ReduceRabenseifner, ExchangesHalvesWithNeighboursFirst) {
  const std::vector<Message> all = reduce_messages("rabenseifner", {.ranks = 8, .bytes = 8});
  for (std::size_t i = 0; i < 8; ++i) {
    const auto& [source, target, bytes] = all.at(i);
    EXPECT_EQ(source ^ target, 1);
    EXPECT_EQ(bytes, 4);
  }
}

TEST(Reduce, RefusesAnOperationInRankOrderWhereTheTreeCannotKeepIt) {
  EXPECT_THROW((void)reduce_traffic("binary", {.ranks = 4, .commutative = false}), UsageError);
  EXPECT_NO_THROW((void)reduce_traffic("in-order-binary", {.ranks = 4, .commutative = false}));
}

}  // namespace
}  // namespace postage
