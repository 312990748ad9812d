#include "unit/samples/small_campaign.hpp"

#include <postage/base/error.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

using test::campaign;
using test::kAll;
using test::kPair;
using test::measured;
using test::roundtrip;

TEST(Merging, JoinsPassesOfTheSameExperiment) {
  const SampleSet merged =
      merge_samples({campaign({measured(roundtrip(8), {{1, 2, 3}})}),
                     campaign({measured(roundtrip(64), {{7}}), measured(roundtrip(8), {{4, 5}})})});
  ASSERT_EQ(merged.measurements.size(), 2U);
  EXPECT_EQ(merged.measurements[0].summary.median, 3);
  EXPECT_EQ(merged.measurements[0].passes.size(), 2U);
  EXPECT_EQ(merged.measurements[1].experiment.bytes, 64);
}

TEST(Merging, JoinsTheSpeedsOfProcessorsWhereBothAreKnown) {
  Measurement one = measured(roundtrip(8), {{1}, {2}});
  one.processors = {5, 6};
  Measurement other = measured(roundtrip(8), {{3}});
  const auto merged = [&] { return merge_samples({campaign({one}), campaign({other})}).measurements[0]; };
  EXPECT_TRUE(merged().processors.empty());
  other.processors = {7};
  EXPECT_EQ(merged().processors, (std::vector<double>{5, 6, 7}));
  EXPECT_EQ(merged().passes.size(), 3U);
}

TEST(Merging, TakesTheLongerOneWhereValuesWereNotKept) {
  Measurement without = measured(roundtrip(8), {{1, 2, 3}});
  without.passes.clear();
  const SampleSet merged = merge_samples({campaign({measured(roundtrip(8), {{9}})}), campaign({without})});
  EXPECT_EQ(merged.measurements.at(0).summary.median, 2);
}

TEST(Merging, RefusesOtherMachines) {
  SampleSet other = campaign({});
  other.nodes.at(0).topology.cores.push_back({.pu = 99});
  EXPECT_THROW(static_cast<void>(merge_samples({campaign({}), other})), Error);
  other = campaign({});
  other.implementation = "X 2";
  EXPECT_THROW(static_cast<void>(merge_samples({campaign({}), other})), Error);
}

/// Of hosts by their numbers, one rank each; a roundtrip between the first two that takes so long.
SampleSet allocation(const std::vector<int>& hosts, double seconds) {
  SampleSet set = campaign({measured(roundtrip(8), {{seconds, seconds, seconds}}),
                            measured({.kind = ExperimentKind("scatter", kAll), .bytes = 8, .ranks = 2}, {{1, 1}})});
  set.nodes.clear();
  set.ranks.clear();
  for (const int host : hosts) {
    set.ranks.push_back({static_cast<int>(set.nodes.size()), 0});
    set.nodes.push_back({"h" + std::to_string(host), {.cores = {Core{}}}});
  }
  return set;
}

/// Ranks have other numbers among those of all allocations: rank 0 on h1 is rank 1 of the first one.
TEST(Merging, UnitesProbesOfPairs) {
  const auto probed = [](const std::vector<int>& hosts, double seconds) {
    SampleSet set = allocation(hosts, 1e-6);
    set.pair_probes = {.sizes = {1}, .pairs = {{.ranks = {0, 1}, .times = {{seconds, seconds, seconds}}}}};
    return set;
  };
  const PairProbes merged =
      merge_samples({probed({3, 1}, 1e-6), probed({1, 3}, 2e-6), probed({1, 7}, 3e-6)}).pair_probes;
  ASSERT_EQ(merged.pairs.size(), 2U);
  EXPECT_EQ(merged.pairs[0].ranks, RankPair(0, 1));
  EXPECT_EQ(merged.pairs[0].times[0].value, 1e-6);
  EXPECT_EQ(merged.pairs[1].ranks, RankPair(1, 2));
  EXPECT_EQ(merged.pairs[1].times[0].value, 3e-6);
}

TEST(Merging, UnitesAllocations) {
  const SampleSet merged =
      merge_samples({allocation({3, 1}, 1e-6), allocation({1, 3}, 1e-6), allocation({1, 7}, 3e-6)}, {"a", "b", "c"});
  ASSERT_EQ(merged.nodes.size(), 3U);
  EXPECT_EQ(merged.nodes[2].name, "h7");
  EXPECT_EQ(merged.ranks, (std::vector<RankPlacement>{{0, 0}, {1, 0}, {2, 0}}));
  ASSERT_EQ(merged.measurements.size(), 4U);
  const Experiment& backwards = merged.measurements[2].experiment;
  EXPECT_EQ(std::pair(backwards.source, backwards.target), std::pair(1, 0));
  const Experiment& last = merged.measurements[3].experiment;
  EXPECT_EQ(std::pair(last.source, last.target), std::pair(1, 2));
  ASSERT_EQ(merged.remarks.size(), 4U);
  EXPECT_NE(merged.remarks[0].find("left out 1 experiments of all ranks of b"), std::string::npos);
  EXPECT_NE(merged.remarks[3].find("c has no experiment in common"), std::string::npos);
}

TEST(Merging, KeepsExperimentsOfAllRanksWhereTheseAreTheFirst) {
  const SampleSet merged = merge_samples({allocation({1, 3, 5}, 1e-6), allocation({1, 3}, 1e-6)});
  ASSERT_EQ(merged.measurements.size(), 2U);
  EXPECT_EQ(merged.measurements[1].passes.size(), 2U);
  EXPECT_TRUE(merged.remarks.empty());
}

TEST(Merging, NamesACampaignThatContradictsOthers) {
  const SampleSet merged = merge_samples({allocation({1, 3}, 1e-6), allocation({1, 3, 4}, 2e-6)}, {"a", "b.json"});
  ASSERT_EQ(merged.remarks.size(), 1U);
  EXPECT_TRUE(merged.remarks[0].starts_with("warning: b.json contradicts")) << merged.remarks[0];
  EXPECT_NE(merged.remarks[0].find("1 of 2 common times"), std::string::npos) << merged.remarks[0];
  EXPECT_EQ(remarks_on(merged).front(), merged.remarks[0]);
}

}  // namespace
}  // namespace postage
