#include "unit/schedule/shape.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/check/dataflow.hpp>
#include <postage/schedule/patterns/explicit_tree.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace postage {
namespace {

Schedule build(Collective collective, std::string_view name, const ScheduleRequest& request) {
  return build_schedule(find_algorithm(collective, name), request);
}

TEST(Linear, MovesEveryBlockOnce) {
  for (const Collective collective : {Collective::kGather, Collective::kScatter}) {
    EXPECT_EQ(traffic_of(build(collective, "linear", {.ranks = 9, .root = 4, .bytes = 10})),
              (Traffic{.messages = 8, .bytes = 80, .rounds = 1}));
  }
}

TEST(LinearSync, AsksBeforeEachBlock) {
  EXPECT_EQ(messages_of(build(Collective::kGather, "linear-sync", {.ranks = 3, .root = 1, .bytes = 10})),
            (std::vector<Message>{{1, 2, 0}, {2, 1, 10}, {1, 0, 0}, {0, 1, 10}}));
  EXPECT_EQ(messages_of(build(Collective::kScatter, "linear-sync", {.ranks = 3, .root = 1, .bytes = 10})),
            (std::vector<Message>{{2, 1, 0}, {1, 2, 10}, {0, 1, 0}, {1, 0, 10}}));
}

TEST(LinearSync, LeavesARankThatIsNotTheRootOneExchange) {
  const Schedule schedule = build(Collective::kGather, "linear-sync", {.ranks = 1 << 20, .bytes = 10});
  int rounds = 0;
  for_each_rank_round(schedule, 77777, [&](const RankRound&) { ++rounds; });
  EXPECT_EQ(rounds, 2);
}

/// Each rank's block crosses as many edges as its virtual rank has ones: P/2 log2(P) blocks for a power of two.
TEST(BinomialGatherAndScatter, MoveSubtrees) {
  for (const Collective collective : {Collective::kGather, Collective::kScatter}) {
    EXPECT_EQ(traffic_of(build(collective, "binomial", {.ranks = 16, .root = 5, .bytes = 10})),
              (Traffic{.messages = 15, .bytes = 16 / 2 * 4 * 10, .rounds = 4}));
  }
  EXPECT_EQ(messages_of(build(Collective::kScatter, "binomial", {.ranks = 6, .root = 1, .bytes = 10})),
            (std::vector<Message>{{1, 5, 20}, {1, 3, 20}, {1, 2, 10}, {3, 4, 10}, {5, 0, 10}}));
  EXPECT_EQ(messages_of(build(Collective::kGather, "binomial", {.ranks = 6, .root = 1, .bytes = 10})),
            (std::vector<Message>{{2, 1, 10}, {4, 3, 10}, {0, 5, 10}, {3, 1, 20}, {5, 1, 20}}));
}

TEST(BinomialScatter, MaySendTheSmallestSubtreeFirst) {
  const ParameterValues rising{{"rising", 1}};
  EXPECT_EQ(
      messages_of(build(Collective::kScatter, "binomial", {.ranks = 7, .root = 1, .bytes = 10, .parameters = rising})),
      (std::vector<Message>{{1, 2, 10}, {1, 3, 20}, {1, 5, 30}, {5, 6, 10}, {5, 0, 10}, {3, 4, 10}}));
  EXPECT_EQ(
      traffic_of(build(Collective::kScatter, "binomial", {.ranks = 16, .root = 5, .bytes = 10, .parameters = rising})),
      (Traffic{.messages = 15, .bytes = 16 / 2 * 4 * 10, .rounds = 4 + 3 + 2 + 1}));
}

TEST(BinomialGatherAndScatter, CarryListedSizes) {
  EXPECT_EQ(messages_of(build(Collective::kGather, "binomial", {.ranks = 4, .root = 3, .block_bytes = {5, 0, 7, 1}})),
            (std::vector<Message>{{0, 3, 5}, {2, 1, 7}, {1, 3, 7}}));
}

TEST(BinomialGatherAndScatter, CountAMillionRanksByFormula) {
  constexpr Index ranks = 1 << 20;
  EXPECT_EQ(traffic_of(build(Collective::kScatter, "binomial", {.ranks = ranks, .root = 12345, .bytes = 8})),
            (Traffic{.messages = ranks - 1, .bytes = ranks / 2 * 20 * 8, .rounds = 20}));
}

/// parents of a binomial tree: the highest set bit of the virtual rank removed, or the lowest.
std::vector<Rank> binomial_parents(Rank ranks, Rank root) {
  std::vector<Rank> parents(static_cast<std::size_t>(ranks), -1);
  for (Rank v = 1; v < ranks; ++v) {
    parents[static_cast<std::size_t>((v + root) % ranks)] = ((v & (v - 1)) + root) % ranks;
  }
  return parents;
}

TEST(ExplicitTree, OfBinomialParentsIsTheBinomialTree) {
  for (Rank ranks = 1; ranks <= 33; ++ranks) {
    const ScheduleRequest request{.ranks = ranks, .root = ranks / 2, .bytes = 10};
    const ExplicitTree tree{binomial_parents(ranks, request.root)};
    EXPECT_EQ(traffic_of(scatter_along_tree(request, tree)).bytes,
              traffic_of(build(Collective::kScatter, "binomial", request)).bytes);
    EXPECT_EQ(find_dataflow_mistake(scatter_along_tree(request, tree)), std::nullopt);
    EXPECT_EQ(find_dataflow_mistake(gather_along_tree(request, tree)), std::nullopt);
  }
  EXPECT_EQ(messages_of(scatter_along_tree({.ranks = 6, .root = 1, .bytes = 10}, {binomial_parents(6, 1)})),
            (std::vector<Message>{{1, 3, 20}, {1, 5, 20}, {1, 2, 10}, {3, 4, 10}, {5, 0, 10}}));
}

TEST(ExplicitTree, TakesAnyShape) {
  const ExplicitTree chain{{1, 2, 3, -1}};
  const ScheduleRequest request{.ranks = 4, .root = 3, .block_bytes = {1, 2, 4, 8}};
  EXPECT_EQ(messages_of(gather_along_tree(request, chain)), (std::vector<Message>{{0, 1, 1}, {1, 2, 3}, {2, 3, 7}}));
  EXPECT_EQ(find_dataflow_mistake(gather_along_tree(request, chain)), std::nullopt);
}

TEST(ExplicitTree, ServesChildrenInTheOrderAskedFor) {
  const ExplicitTree star{.parents = {-1, 0, 0, 0}, .order = {0, 2, 3, 1}};
  const ScheduleRequest request{.ranks = 4, .bytes = 1};
  EXPECT_EQ(messages_of(scatter_along_tree(request, star)), (std::vector<Message>{{0, 2, 1}, {0, 3, 1}, {0, 1, 1}}));
  EXPECT_EQ(messages_of(gather_along_tree(request, star)), (std::vector<Message>{{1, 0, 1}, {3, 0, 1}, {2, 0, 1}}));
}

TEST(ExplicitTree, IsSegmentedLikeAnyOther) {
  const Schedule schedule = gather_along_tree({.ranks = 3, .bytes = 10, .segment_bytes = 6}, {.parents = {-1, 0, 1}});
  EXPECT_EQ(messages_of(schedule), (std::vector<Message>{{2, 1, 6}, {1, 0, 12}, {2, 1, 4}, {1, 0, 8}}));
}

std::string refusal(const ScheduleRequest& request, const ExplicitTree& tree) {
  try {
    (void)scatter_along_tree(request, tree);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(ExplicitTree, RefusesWhatIsNoTree) {
  EXPECT_EQ(refusal({.ranks = 3}, {{-1, 0}}), "the tree lists 2 parents; P = 3 ranks need one each, -1 for the root");
  EXPECT_EQ(refusal({.ranks = 2}, {{0, 0}}), "the parent of rank 0 is 0; it must be -1, since it is the root");
  EXPECT_EQ(refusal({.ranks = 2}, {{-1, 2}}), "the parent of rank 1 is 2; it must be a rank, 0 to 1");
  EXPECT_EQ(refusal({.ranks = 3}, {{-1, 2, 1}}),
            "2 of 3 ranks do not hang from the root 0: their parents form a circle");
  EXPECT_EQ(refusal({.ranks = 3}, {{-1, 0, 0}, {0, 1}}),
            "the order of the tree's children must list each rank of 0 to 2 once");
}

}  // namespace
}  // namespace postage
