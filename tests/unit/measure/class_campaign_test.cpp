#include "unit/measure/virtual_campaign.hpp"

#include <postage/base/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

namespace postage {
namespace {

TEST(Campaign, MeasuresSomePairsOfEachClass) {
  const CampaignPlan plan{.sizes = {{"--sizes", {8, 64}}}};
  for (const int hosts : {36, 48}) {
    const SampleSet samples = measure(cluster(hosts, 1), plan);
    EXPECT_EQ(samples.measurements.size(), 6U) << "two sizes of three pairs";
    EXPECT_GE(samples.pair_probes.pairs.size(), static_cast<std::size_t>(hosts));
    EXPECT_EQ(measure(cluster(hosts, 1), plan, {.all_pairs = true}).measurements.size(),
              static_cast<std::size_t>(hosts * (hosts - 1)));
  }
}

// One pair at a time: of hosts that are alike three pairs stand for all.
TEST(Campaign, MeasuresSomePairsOfRealHostsThatDisturbOneAnother) {
  const CampaignPlan plan{.sizes = {{"--sizes", {8, 64}}}};
  VirtualMachine machine = cluster(6, 1);
  const auto pairs_of = [&](const MeasureSettings& settings) {
    std::set<std::pair<int, int>> pairs;
    for (const Measurement& m : measure(machine, plan, settings).measurements) {
      pairs.emplace(std::minmax(m.experiment.source, m.experiment.target));
    }
    return pairs.size();
  };
  EXPECT_EQ(pairs_of({.serial = true}), 15U) << "simulated hosts do not";
  machine.is_virtual = false;
  EXPECT_EQ(pairs_of({.budget = 1, .serial = true}), 3U);
  EXPECT_EQ(pairs_of({.budget = 1, .serial = true, .all_pairs = true}), 15U);
}

// A roundtrip of two probes of 10 ms each takes 40 ms, six repetitions of 15 pairs 7 s.
TEST(Campaign, ProbesAllPairsOfRealHostsWhoseMessagesTakeLong) {
  VirtualMachine machine = cluster(6, 1);
  machine.is_virtual = false;
  machine.latency = 10e-3;
  const SampleSet samples = measure(machine, {.sizes = {{"--sizes", {8}}}}, {.budget = 5, .serial = true});
  EXPECT_EQ(samples.pair_probes.pairs.size(), 15U);
  machine.latency = 0.5;
  EXPECT_LT(measure(machine, {.sizes = {{"--sizes", {8}}}}, {.budget = 5, .serial = true}).pair_probes.pairs.size(), 5U)
      << "half of the budget is gone";
}

TEST(Campaign, MeasuresThePairsThatAreNamed) {
  const SampleSet samples = measure(cluster(6, 1), {.sizes = {{"--sizes", {8}}}, .pairs = {{1, 4}, {0, 5}}});
  ASSERT_EQ(samples.measurements.size(), 2U);
  EXPECT_TRUE(samples.pair_probes.empty());
  EXPECT_THROW(static_cast<void>(measure(cluster(6, 1), {.sizes = {{"--sizes", {8}}}, .pairs = {{1, 6}}})), UsageError);
}

TEST(Campaign, EndsBeforeItsTimeLimitAndSaysWhatIsMissing) {
  VirtualMachine machine = cluster(4, 1);
  machine.is_virtual = false;
  machine.latency = 10e-3;
  const CampaignPlan plan{.sizes = {{"--sizes", {8, 64}}, {"--one-to-two-sizes", {0}}, {"--reduction-sizes", {64}}}};
  const SampleSet samples = measure(machine, plan, {.budget = 2, .time_limit = 0.5});
  EXPECT_LT(samples.duration, 0.6);
  EXPECT_FALSE(samples.measurements.empty());
  ASSERT_FALSE(samples.unmade.empty());
  EXPECT_EQ(samples.unmade.back(), "reduction of 4 groups of ranks");
}

}  // namespace
}  // namespace postage
