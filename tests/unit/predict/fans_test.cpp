#include <postage/predict/explanation.hpp>
#include <postage/predict/formulas/lastovetsky.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

// Numbers worked out by hand from equations 8-10 of A. Lastovetsky, V. Rychkov, IJHPCA 23(2), 2009.

namespace postage {
namespace {

constexpr const char* kCluster =
    "C=50us,t=5ns,beta=100MB/s,S=64K,M_1=4K,M_2=66K,kappa_1=3ns,kappa_2=20ns,E_1=200ms,f_1=0.1,E_2=400ms,f_2=0.02";
constexpr const char* kUneven =
    "C=1s,t=1s,beta=1B/s,M_1=100000,M_2=100000,kappa_1=2ns,kappa_2=3ns"
    "[processor 0]C=10us,t=1ns[processor 1]C=100us,t=2ns[processor 2]C=20us,t=4ns"
    "[pair 0 1]beta=50MB/s[pair 0 2]beta=100MB/s[pair 1 2]beta=25MB/s";

/// One measured rank on each node.
ChannelMap single_cores(Rank ranks) {
  Platform platform{.channels = {kInterNode}};
  for (Rank rank = 0; rank < ranks; ++rank) {
    platform.nodes.push_back({"n", {{{0, 0, 0, 0}}}});
    platform.ranks.push_back({rank, 0});
  }
  return {platform, Mapping::block(ranks, 1)};
}

PlatformModel platform_model(const std::string& parameters, const ChannelMap& channels) {
  return {parse_parameters("lmo", parameters), {kInterNode}, channels};
}

Schedule one_fan(Collective collective, Rank ranks, Bytes bytes, const char* algorithm = "linear") {
  return build_schedule(find_algorithm(collective, algorithm), {.ranks = ranks, .bytes = bytes});
}

constexpr std::array kEvaluators{Evaluator::kTimeline, Evaluator::kRounds};

void expect_time(const Schedule& schedule, const PlatformModel& model, Seconds expected) {
  for (const Evaluator evaluator : kEvaluators) {
    const Prediction found = predict(schedule, model, evaluator);
    EXPECT_NEAR(found.seconds, expected, 1e-12 * expected) << name_of(evaluator);
    EXPECT_FALSE(found.may_escalate());
  }
}

TEST(Fans, AreEquationsEightToTenForEqualRanks) {
  const PlatformModel model = platform_model(kCluster, ChannelMap::single_channel());
  expect_time(one_fan(Collective::kScatter, 8, 32 << 10), model, 2038.40e-6);
  expect_time(one_fan(Collective::kScatter, 8, 64 << 10), model, 8 * 377.68e-6 + 655.36e-6);
  expect_time(one_fan(Collective::kScatter, 8, 150 << 10), model, 22204e-6);
  expect_time(one_fan(Collective::kGather, 8, 2 << 10), model, 508.544e-6);
  expect_time(one_fan(Collective::kGather, 8, 150 << 10), model, 25276e-6);
}

TEST(Fans, AreFeltByEveryRoundOfTheirForm) {
  const PlatformModel model = platform_model(kCluster, ChannelMap::single_channel());
  // A broadcast is a fan-out of whole messages; in segments of 50K each of three is one of small messages.
  expect_time(one_fan(Collective::kBcast, 8, 150 << 10), model, 22204e-6);
  expect_time(build_schedule(find_algorithm(Collective::kBcast, "knomial"),
                             {.ranks = 4, .bytes = 150 << 10, .segment_bytes = 50 << 10}),
              model, 9 * 306e-6 + 306e-6 + 512e-6);
  // The nodes below the root of a k-nomial tree of radix 4 get theirs in one round.
  expect_time(one_fan(Collective::kBcast, 3, 150 << 10, "knomial"), model, 2 * 818e-6 + 2 * 2354e-6);
}

TEST(Fans, AreNotFeltByTheNodesOfABinomialTree) {
  const PlatformModel with = platform_model(kCluster, ChannelMap::single_channel());
  const PlatformModel without = platform_model("C=50us,t=5ns,beta=100MB/s", ChannelMap::single_channel());
  for (const Collective collective : {Collective::kScatter, Collective::kGather, Collective::kBcast}) {
    const Schedule schedule = one_fan(collective, 16, 150 << 10, "binomial");
    for (const Evaluator evaluator : kEvaluators) {
      EXPECT_EQ(predict(schedule, with, evaluator).seconds, predict(schedule, without, evaluator).seconds);
    }
  }
}

TEST(Fans, AreEquationsEightToTenForDifferentRanks) {
  const ChannelMap channels = single_cores(3);
  const auto with = [&](const std::string& more) { return platform_model(more + "," + kUneven, channels); };
  // 10000 bytes: the root's 20 us, twice; then 320 us and 160 us.
  expect_time(one_fan(Collective::kScatter, 3, 10000), with("S=10000"), 360e-6);
  expect_time(one_fan(Collective::kScatter, 3, 10000), with("S=9999"), 520e-6);
  expect_time(one_fan(Collective::kGather, 3, 10000), with("S=9999"), 380e-6);
  // 200000 bytes: 210 us, twice; then 100 + 400 + 4000 us and 20 + 800 + 2000 us.
  expect_time(one_fan(Collective::kGather, 3, 200000), with("S=1"), 8340e-6);
  // Root 1: its 500 us, twice; to 0 210 + 4000 us, to 2 820 + 8000 us.
  expect_time(build_schedule(find_algorithm(Collective::kGather, "linear"), {.ranks = 3, .root = 1, .bytes = 200000}),
              with("S=1"), 14630e-6);
}

TEST(Fans, TakeBlocksOfSeveralSizesEachByItsOwn) {
  // As two patterns of one round: 10000 bytes to rank 1, and 20000 to rank 2.
  Schedule schedule = one_fan(Collective::kScatter, 3, 10000);
  schedule.layout = BlockLayout::explicit_sizes({0, 10000, 20000});
  const ChannelMap channels = single_cores(3);
  const auto scatter = [&](const std::string& s) { return platform_model("S=" + s + "," + kUneven, channels); };
  // The root's 20 and 30 us, 320 us to rank 1 and 20 + 80 + 200 us to rank 2.
  expect_time(schedule, scatter("20000"), 370e-6);
  expect_time(schedule, scatter("15000"), 670e-6);
  expect_time(schedule, scatter("5000"), 670e-6);
  Schedule gather = one_fan(Collective::kGather, 3, 10000);
  gather.layout = schedule.layout;
  // kappa_1 times the mean block.
  expect_time(gather, scatter("1"), 370e-6 + 2e-9 * 15000);
}

TEST(Fans, MayEscalateBetweenTheLimitsOfGather) {
  const PlatformModel model = platform_model(kCluster, ChannelMap::single_channel());
  for (const Evaluator evaluator : kEvaluators) {
    const Prediction gather = predict(one_fan(Collective::kGather, 8, 16 << 10), model, evaluator);
    EXPECT_EQ(gather.escalating_rounds, 1);
    EXPECT_NEAR(gather.seconds, 1268.352e-6, 1e-12);
    EXPECT_NEAR(gather.lower, 1268.352e-6, 1e-12);
    EXPECT_NEAR(gather.upper, 3321.44e-6 + 0.4, 1e-12);
    ASSERT_EQ(gather.escalations.size(), 2U);
    EXPECT_NEAR(gather.escalations[0].seconds, 1268.352e-6 + 0.2, 1e-12);
    EXPECT_EQ(gather.escalations[0].share, 0.1);
    EXPECT_NEAR(gather.escalations[1].seconds, 1268.352e-6 + 0.4, 1e-12);
    EXPECT_EQ(gather.escalations[1].share, 0.02);
    EXPECT_TRUE(predict(one_fan(Collective::kGather, 8, 4 << 10), model, evaluator).may_escalate());
    EXPECT_TRUE(predict(one_fan(Collective::kGather, 8, 66 << 10), model, evaluator).may_escalate());
    EXPECT_FALSE(predict(one_fan(Collective::kGather, 2, 16 << 10), model, evaluator).may_escalate());
    EXPECT_FALSE(predict(one_fan(Collective::kScatter, 8, 16 << 10), model, evaluator).may_escalate());
    EXPECT_FALSE(predict(one_fan(Collective::kGather, 8, 2 << 10, "binomial"), model, evaluator).may_escalate());
  }
}

TEST(Fans, MayTakeAnyTimeWhereNoLevelIsKnown) {
  const PlatformModel model = platform_model("C=50us,t=5ns,beta=100MB/s,M_1=4K,M_2=66K", ChannelMap::single_channel());
  const Prediction gather = predict(one_fan(Collective::kGather, 8, 16 << 10), model);
  EXPECT_TRUE(gather.may_escalate());
  EXPECT_TRUE(gather.escalations.empty());
  EXPECT_EQ(gather.upper, std::numeric_limits<double>::infinity());
}

Seconds sum_of_parts(const Explanation& explanation) {
  return std::accumulate(explanation.parts.begin(), explanation.parts.end(), 0.0,
                         [](Seconds sum, const Explanation& part) { return sum + part.seconds; });
}

TEST(Fans, AreExplainedToTheLastPart) {
  const ChannelMap channels = single_cores(3);
  const std::vector<std::string> names{kInterNode};
  for (const std::string s : {"S=10000", "S=1"}) {
    const PlatformModel model = platform_model(s + "," + kUneven, channels);
    for (const Collective collective : {Collective::kScatter, Collective::kGather, Collective::kAlltoall}) {
      for (const Bytes bytes : {Bytes{10000}, Bytes{200000}}) {
        const Schedule schedule = one_fan(collective, 3, bytes);
        const Explanation whole = explain(schedule, channels, model.model(), names);
        EXPECT_DOUBLE_EQ(whole.seconds, predict(schedule, model, Evaluator::kTimeline).seconds);
        EXPECT_DOUBLE_EQ(sum_of_parts(whole), whole.seconds);
        for (const Explanation& round : whole.parts) {
          EXPECT_DOUBLE_EQ(sum_of_parts(round), round.seconds);
        }
      }
    }
  }
}

}  // namespace
}  // namespace postage
