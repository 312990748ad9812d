#include <postage/base/error.hpp>
#include <postage/measure/plan_cost.hpp>
#include <postage/measure/setting_options.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace postage {
namespace {

const std::vector<std::string> kWords{"--sizes",     "1:1M:x4", "--one-to-two-sizes",  "0,32K",
                                      "--fan-sizes", "1,64K",   "--as-far-as-possible"};

/// Without the probes.
std::size_t experiments(const PlannedJob& job) {
  const CampaignCost cost = cost_of_campaign(kWords, job);
  return cost.total().experiments - 2 * cost.probed_pairs;
}

TEST(PlanCost, OfHostsThatAreAlikeDoesNotGrow) {
  const std::size_t few = experiments({.hosts = 64, .is_virtual = true});
  EXPECT_EQ(experiments({.hosts = 256, .is_virtual = true}), few);
  EXPECT_EQ(experiments({.hosts = 16384, .is_virtual = true}), few);
}

TEST(PlanCost, OfHostsThatAllDifferGrowsWithTheHosts) {
  const auto cost = [](Rank hosts) {
    return static_cast<double>(
        experiments({.hosts = hosts, .likeness = RankLikeness::kAllDifferent, .is_virtual = true}));
  };
  EXPECT_NEAR(cost(256) / cost(64), 4, 0.4);
  EXPECT_NEAR(cost(2048) / cost(256), 8, 1.5);  // triplets of many hosts are in one set more
}

TEST(PlanCost, ProbesGrowWithTheHostsAndTheirLogarithm) {
  for (const Rank hosts : {64, 256, 1024, 16384}) {
    const CampaignCost cost = cost_of_campaign(kWords, {.hosts = hosts});
    const double each = static_cast<double>(cost.probed_pairs) / hosts;
    EXPECT_LE(each, 2 * std::log2(hosts));
    EXPECT_GE(each, std::log2(hosts));
  }
}

TEST(PlanCost, OfFewRanksIsThatOfAllPairs) {
  const CampaignCost cost = cost_of_campaign({"--sizes", "8"}, {.hosts = 4});
  EXPECT_EQ(cost.probed_pairs, 0U);
  EXPECT_EQ(cost.pairs, 6U);
  EXPECT_EQ(cost.stages.front().groups, 6U);
}

/// Its pairs are measured one after another.
TEST(PlanCost, OfManyRanksOfOneHostIsThatOfAFewPairs) {
  EXPECT_EQ(cost_of_campaign(kWords, {.hosts = 4, .per_host = 8}).probed_pairs, 0U);
  const CampaignCost cost = cost_of_campaign(kWords, {.hosts = 1, .per_host = 16});
  EXPECT_GT(cost.probed_pairs, 0U);
  EXPECT_EQ(cost.pairs, 120U);
  EXPECT_LT(cost.stages[1].groups, 30U);
}

TEST(TimeLimit, IsReadAsSlurmWritesIt) {
  EXPECT_EQ(parse_time_limit("90"), 90);
  EXPECT_EQ(parse_time_limit("10min"), 600);
  EXPECT_EQ(parse_time_limit("10:00"), 600);
  EXPECT_EQ(parse_time_limit("1:30:00"), 5400);
  EXPECT_EQ(parse_time_limit("1-12:00:00"), 36 * 3600);
  for (const char* wrong : {"1-12:00", "a:b", "1:2:3:4", "0"}) {
    EXPECT_THROW(static_cast<void>(parse_time_limit(wrong)), UsageError) << wrong;
  }
}

}  // namespace
}  // namespace postage
