#include "support/random_lmo.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/optimize/trees.hpp>
#include <postage/predict/given_parameters.hpp>
#include <postage/schedule/check/dataflow.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace postage {
namespace {

/// Rank 3 is ten times as fast as the others.
constexpr const char* kOneFast =
    "C=50us,t=10ns,beta=100MB/s[processor 0]C=50us,t=10ns[processor 1]C=50us,t=10ns[processor 2]C=50us,t=10ns"
    "[processor 3]C=5us,t=1ns";

TEST(Trees, PaperPutsTheFastestRankWhereTheLargestBlocksGo) {
  const PlatformModel platform = test::lmo_platform(kOneFast, 4);
  const ScheduleRequest request{.ranks = 4, .bytes = 1000};
  EXPECT_EQ(build_tree(TreeMethod::kMappedBinomial, Collective::kScatter, request, platform).down.parents,
            (std::vector<Rank>{-1, 0, 3, 0}));
  EXPECT_EQ(build_tree(TreeMethod::kWorstBinomial, Collective::kScatter, request, platform).down.parents,
            (std::vector<Rank>{-1, 0, 0, 1}));
}

/// By hand: each message costs 1 us to send, nothing on the way and 1 us to receive. Of 4 equal ranks the root reaches
/// one at 2 us, another at 3 us; the first of them reaches the last at 4 us, the root itself too.
TEST(Trees, FormForEqualRanksIsTheKnownOne) {
  const PlatformModel platform = test::lmo_platform("C=1us,t=0,beta=1000GB/s", 4);
  const CollectiveTree tree =
      build_tree(TreeMethod::kFormForEqualRanks, Collective::kBcast, {.ranks = 4, .bytes = 0}, platform);
  EXPECT_NEAR(tree_seconds(tree, platform), 4e-6, 1e-12);
}

/// By hand: n sends of 10 us one after another and 10 us at the last receiver; a chain takes 20 us for each.
TEST(Trees, FlatOneSendsOneAfterAnother) {
  const PlatformModel platform = test::lmo_platform("C=10us,t=0,beta=1000GB/s", 5);
  const CollectiveTree tree = build_tree(TreeMethod::kFlat, Collective::kGather, {.ranks = 5, .bytes = 0}, platform);
  EXPECT_NEAR(tree_seconds(tree, platform), 50e-6, 1e-12);
}

PlatformModel platform_by_pairs(const std::string& model, const std::string& parameters, Rank ranks) {
  const ParameterTable table = parse_parameters(model, parameters);
  const Platform nodes = platform_of(table, ranks, 1);
  return {table, nodes.channels, ChannelMap(nodes, Mapping::block(ranks, 1))};
}

/// By hand: 0 -> 1 takes 1 + 10 + 1 us, 1 -> 2 then 1 + 1 + 1 us, 15 us in all; 0 -> 2 and then 0 -> 1 32 us. No
/// message follows the last one of a rank, whose gap of 100 us keeps nothing up.
TEST(Trees, ExactOneLeavesOutTheGapAfterTheLastMessage) {
  const PlatformModel platform =
      platform_by_pairs("loggp",
                        "[pair 0 1] L=10us,o=1us,g=100us,G=0 [pair 0 2] L=30us,o=1us,g=1us,G=0 "
                        "[pair 1 2] L=1us,o=1us,g=100us,G=0",
                        3);
  const ScheduleRequest request{.ranks = 3, .bytes = 1};
  const CollectiveTree tree = build_tree(TreeMethod::kExact, Collective::kBcast, request, platform);
  EXPECT_EQ(tree.down.parents, (std::vector<Rank>{-1, 0, 1}));
  EXPECT_NEAR(predict(schedule_along(tree), platform).seconds, 15e-6, 1e-12);
}

/// By hand: straight to rank 0 the messages of 1 and 2 arrive after 9 and 10 us, the second of which ends 50 us after
/// the first one did: 60 us with o_r. 2 -> 1 takes 1 + 11 + 1 us, 1 -> 0 then 1 + 8 + 1 us, 23 us in all; 2 -> 0 after
/// 1 -> 2 takes 24 us.
TEST(Trees, ExactReduceKeepsMessagesApartByTheGapOfTheLater) {
  const PlatformModel platform = platform_by_pairs("loggp",
                                                   "[pair 0 1] L=8us,o=1us,g=1us,G=0 [pair 0 2] L=9us,o=1us,g=50us,G=0 "
                                                   "[pair 1 2] L=11us,o=1us,g=1us,G=0",
                                                   3);
  const ScheduleRequest request{.ranks = 3, .bytes = 1};
  for (const TreeMethod method : {TreeMethod::kExact, TreeMethod::kOptimised}) {
    const CollectiveTree tree = build_tree(method, Collective::kReduce, request, platform);
    EXPECT_EQ(tree.up.parents, (std::vector<Rank>{-1, 0, 1}));
    EXPECT_NEAR(predict(schedule_along(tree), platform).seconds, 23e-6, 1e-12);
  }
  const CollectiveTree flat = build_tree(TreeMethod::kFlat, Collective::kReduce, request, platform);
  EXPECT_NEAR(tree_seconds(flat, platform), 60e-6, 1e-12);
}

TEST(Trees, FollowTheLimitsOfFans) {
  test::RandomLmo random(5);
  for (const Collective collective : {Collective::kScatter, Collective::kGather}) {
    for (const Bytes bytes : {1000, 5000, 100000}) {
      const PlatformModel platform = random.platform(6, "S=4K,M_1=4K,M_2=8K,kappa_1=1ns,kappa_2=2ns,");
      const CollectiveTree flat = build_tree(TreeMethod::kFlat, collective, {.ranks = 6, .bytes = bytes}, platform);
      const Prediction predicted = predict(schedule_along(flat), platform, Evaluator::kTimeline);
      EXPECT_NEAR(tree_seconds(flat, platform), predicted.seconds, 0.02 * predicted.seconds)
          << name_of(collective) << " " << bytes;
    }
  }
}

/// M_1 = 4K and M_2 = 66K: blocks of 16K go in pieces below M_1.
TEST(Trees, CutMediumGathersIntoPiecesThatCannotEscalate) {
  const PlatformModel platform =
      test::lmo_platform("C=50us,t=5ns,beta=100MB/s,S=64K,M_1=4K,M_2=66K,kappa_1=0,kappa_2=0,E_1=200ms,f_1=0.1", 8);
  const std::vector<TreeCandidate> candidates = tree_candidates(
      {TreeMethod::kFlat, TreeMethod::kOptimised}, Collective::kGather, {.ranks = 8, .bytes = 16 << 10}, platform);
  EXPECT_TRUE(candidates.front().prediction.may_escalate());
  EXPECT_FALSE(candidates.back().prediction.may_escalate());
  EXPECT_EQ(find_dataflow_mistake(schedule_along(candidates.back().tree), false), std::nullopt);
}

/// Rank 2's message of 5000 bytes sets out when rank 1's has come, or at the same time.
TEST(Trees, GathersWhoseMessagesDoNotMeetCannotEscalate) {
  const auto flat = [](const std::string& of_last) {
    const PlatformModel platform = test::lmo_platform(
        "S=64K,M_1=4K,M_2=66K,kappa_1=0,kappa_2=0,E_1=200ms,f_1=0.1,C=50us,t=5ns,beta=100MB/s[processor 0]C=50us,t=5ns"
        "[processor 1]C=50us,t=5ns[processor 2]C=" +
            of_last + ",t=5ns",
        3);
    const ScheduleRequest request{.ranks = 3, .bytes = 5000};
    return predict(schedule_along(build_tree(TreeMethod::kFlat, Collective::kGather, request, platform)), platform);
  };
  EXPECT_TRUE(flat("50us").may_escalate());
  EXPECT_FALSE(flat("300us").may_escalate());
}

/// Where nothing escalates M_1 is M_2, whose interval may be wide: flat gathers stay what they are.
TEST(Trees, WhereNothingEscalatesNothingIsMedium) {
  ParameterTable table = parse_parameters("lmo", "C=50us,t=5ns,beta=100MB/s,M_1=8K,M_2=8K,kappa_1=0,kappa_2=-1ns");
  for (ParameterGroup& group : table.groups) {
    for (const char* limit : {"M_1", "M_2"}) {
      if (const auto found = group.values.find(limit); found != group.values.end()) {
        found->second = {8192, 4096, 65536};
      }
    }
  }
  const PlatformModel platform(table, {kAllChannels}, ChannelMap::single_channel());
  const std::vector<TreeCandidate> candidates = tree_candidates(
      {TreeMethod::kFlat, TreeMethod::kOptimised}, Collective::kGather, {.ranks = 4, .bytes = 16 << 10}, platform);
  EXPECT_FALSE(candidates.front().prediction.may_escalate());
  EXPECT_EQ(candidates.front().tree.up.one_by_one.size(), 1U);
}

TEST(Trees, AreTheSameAgain) {
  test::RandomLmo random(7);
  const PlatformModel platform = random.platform(20);
  const ScheduleRequest request{.ranks = 20, .bytes = 3000};
  EXPECT_EQ(build_tree(TreeMethod::kOptimised, Collective::kScatter, request, platform).down.parents,
            build_tree(TreeMethod::kOptimised, Collective::kScatter, request, platform).down.parents);
}

std::string refusal_of(TreeMethod method, Collective collective, const ScheduleRequest& request,
                       const std::string& limits = "") {
  test::RandomLmo random(8);
  const PlatformModel platform = random.platform(request.ranks, limits);
  try {
    static_cast<void>(build_tree(method, collective, request, platform));
  } catch (const UsageError& mistake) {
    return mistake.what();
  }
  return "";
}

TEST(Trees, AreRefusedWhereThereIsNone) {
  EXPECT_EQ(refusal_of(TreeMethod::kExact, Collective::kBcast, {.ranks = 17, .bytes = 1}),
            "the exact tree is for up to 16 ranks, not 17; take the optimised one");
  EXPECT_EQ(refusal_of(TreeMethod::kExact, Collective::kBcast, {.ranks = 3, .bytes = 65537}, "S=64K,"),
            "the exact tree is for messages below the model's S and M_1; take the optimised one");
  EXPECT_EQ(refusal_of(TreeMethod::kFlat, Collective::kGather, {.ranks = 3, .block_bytes = {1, 2}}),
            "2 block sizes are given; gather among 3 ranks has 3");
  EXPECT_NE(refusal_of(TreeMethod::kFlat, Collective::kAlltoall, {.ranks = 3}).find("alltoall does not go along trees"),
            std::string::npos);
  EXPECT_THROW(static_cast<void>(parse_tree_method("oak")), UsageError);
}

std::string refusal_with_gaps(Collective collective, Rank ranks) {
  const PlatformModel platform = platform_by_pairs("loggp", "L=1us,o=1us,g=2us,G=1ns", ranks);
  try {
    static_cast<void>(build_tree(TreeMethod::kExact, collective, {.ranks = ranks, .bytes = 1}, platform));
  } catch (const UsageError& mistake) {
    return mistake.what();
  }
  return "";
}

TEST(Trees, AreRefusedWhereTooManyWouldHaveToBeTried) {
  EXPECT_EQ(refusal_with_gaps(Collective::kBcast, 8), "");
  EXPECT_EQ(refusal_with_gaps(Collective::kGather, 8),
            "under the model loggp the exact tree is found among all trees of up to 7 ranks, not 8; take the optimised "
            "one");
  EXPECT_EQ(refusal_with_gaps(Collective::kAllgather, 5),
            "under the model loggp the exact pair of trees is found among all trees of up to 4 ranks, not 5; take the "
            "optimised one");
}

TEST(Trees, AreRefusedWhereSearchingWouldTakeHours) {
  const PlatformModel platform(parse_parameters("hockney", "alpha=1us,beta=1ns"), {kAllChannels},
                               ChannelMap::single_channel());
  try {
    static_cast<void>(build_tree(TreeMethod::kFlat, Collective::kBcast, {.ranks = 16'385, .bytes = 1}, platform));
    FAIL() << "a tree of 16,385 ranks";
  } catch (const UsageError& mistake) {
    EXPECT_EQ(std::string(mistake.what()),
              "trees are built for up to 16384 ranks, not 16385: searching takes the square of their number");
  }
}

/// By hand: a message takes 1 us at each end and nothing between, so that those reached after t us are those reached
/// 1 us and 2 us before: 1, 1, 2, 3, 5, 8, 13 after 6 us, and 21 after 7 us.
TEST(Trees, ExactOnesOfSixteenRanksAreFound) {
  const PlatformModel platform(parse_parameters("loggp", "L=0us,o=1us,g=0us,G=0"), {kAllChannels},
                               ChannelMap::single_channel());
  const ScheduleRequest request{.ranks = 16, .root = 5, .bytes = 1};
  const CollectiveTree tree = build_tree(TreeMethod::kExact, Collective::kBcast, request, platform);
  EXPECT_NEAR(predict(schedule_along(tree), platform).seconds, 7e-6, 1e-12);
}

TEST(Trees, OfThousandsOfRanksTakeSeconds) {
  const PlatformModel platform =
      PlatformModel(parse_parameters("lmo", "C=5us,t=1ns,beta=1GB/s"), {kAllChannels}, ChannelMap::single_channel());
  const ScheduleRequest request{.ranks = 2048, .bytes = 64};
  const Seconds optimised =
      tree_seconds(build_tree(TreeMethod::kOptimised, Collective::kScatter, request, platform), platform);
  for (const TreeMethod method : {TreeMethod::kFlat, TreeMethod::kBinomial, TreeMethod::kFormForEqualRanks}) {
    EXPECT_LE(optimised, tree_seconds(build_tree(method, Collective::kScatter, request, platform), platform));
  }
}

}  // namespace
}  // namespace postage
