// Times that follow what a small message takes between the same ranks, in a campaign during which that changes.
#include "unit/samples/small_campaign.hpp"

#include <postage/base/error.hpp>
#include <postage/samples/one_state.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace postage {
namespace {

using test::campaign;
using test::measured;
using test::roundtrip;

constexpr Seconds kNear = 1e-7;
constexpr Seconds kFar = 5e-7;

/// One value in each pass, in proportion to the link to this power.
Measurement following(Bytes bytes, Seconds time, double power, const std::vector<double>& links) {
  std::vector<std::vector<double>> passes;
  for (const double link : links) {
    passes.push_back({time * std::pow(link / kNear, power)});
  }
  Measurement m = measured(roundtrip(bytes), passes);
  m.links = links;
  return m;
}

std::vector<Measurement> adjusted(std::vector<Measurement> measurements) {
  return in_one_state(std::move(measurements), {}, 0);
}

TEST(OneState, KeepsTheSlotsOfTheStateThatMostAreIn) {
  const std::vector<double> links{kNear, kFar, kNear, kNear, kFar, kNear, kFar, kNear};
  const std::vector<Measurement> kept = adjusted({following(8, 1e-6, 1, links)});
  EXPECT_NEAR(kept[0].summary.median, 1e-6, 1e-12);
  EXPECT_EQ(kept[0].summary.count, 5U);
  EXPECT_TRUE(kept[0].passes[1].empty());
  EXPECT_FALSE(kept[0].passes[2].empty());
}

TEST(OneState, BringsExperimentsOfOtherMomentsToTheSameState) {
  // The first was made while messages took 1.3 times as long as while the second was.
  const double slower = 1.3 * kNear;
  const std::vector<double> first{slower, slower, kNear, slower, slower};
  const std::vector<double> second{kNear, kNear, slower, kNear, kNear};
  const std::vector<Measurement> brought = adjusted({following(8, 1e-6, 0.8, first), following(64, 2e-6, 0.8, second)});
  EXPECT_NEAR(brought[1].summary.median / brought[0].summary.median, 2, 0.01);
  EXPECT_NEAR(brought[0].summary.median, 1e-6 * std::pow(std::sqrt(1.3), 0.8), 1e-9) << "the middle of the state";
}

TEST(OneState, LeavesWhatDoesNotFollowTheLink) {
  const std::vector<double> links{kNear, 1.3 * kNear, kNear, 1.2 * kNear, 1.1 * kNear};
  const std::vector<Measurement> same = adjusted({following(1 << 20, 1e-4, 0, links)});
  for (const std::vector<double>& pass : same[0].passes) {
    EXPECT_EQ(pass, std::vector<double>{1e-4});
  }
}

TEST(OneState, KeepsThreeSlotsWhereNoneIsInTheState) {
  const std::vector<double> fast(6, kNear);
  const std::vector<double> slow{9 * kNear, 5 * kNear, 7 * kNear, 6 * kNear};
  std::vector<Measurement> kept = adjusted({following(8, 1e-6, 0, fast), following(16, 1e-6, 0, slow)});
  EXPECT_EQ(kept[1].summary.count, 3U);
  EXPECT_TRUE(kept[1].passes[0].empty()) << "the furthest";
}

TEST(OneState, JudgesEachPairOfRanksByItself) {
  Measurement far = following(8, 1e-6, 0, {kFar, kFar, kFar, kFar});
  far.experiment.target = 2;
  EXPECT_EQ(adjusted({following(8, 1e-6, 0, std::vector<double>(5, kNear)), far})[1].summary.count, 4U);
}

TEST(OneState, LeavesWhatHasNoLinks) {
  Measurement m = following(8, 1e-6, 1, {kNear, kFar, kFar});
  m.links.clear();
  EXPECT_EQ(adjusted({m})[0].summary, m.summary);
  m.links = {kNear, kFar, kFar};
  m.passes.clear();
  EXPECT_EQ(adjusted({m})[0].summary, m.summary) << "without values";
}

TEST(OneState, SummariesOnlyLeaveTheValues) {
  std::vector<Measurement> measurements{following(8, 1e-6, 1, {kNear, kFar, kNear, kNear, kFar})};
  const auto passes = measurements[0].passes;
  summarise_in_one_state(measurements, {}, 0);
  EXPECT_EQ(measurements[0].passes, passes);
  EXPECT_EQ(measurements[0].summary.count, 3U);
}

TEST(OneState, SaysWhatItLeavesOut) {
  const auto m = following(8, 1e-6, 1, {kNear, kFar, kNear, kNear, kNear});
  EXPECT_EQ(
      tell_other_states({m}),
      "in 20 % of the sampling slots the machine was in another state than in most, in which a message of 8 bytes "
      "took about 100 ns between ranks 0 and 1: those were left out");
  EXPECT_EQ(tell_other_states({following(8, 1e-6, 1, {kNear, kNear})}), "");
  EXPECT_EQ(tell_other_states({}), "");
  SampleSet samples = campaign({m});
  samples.disturbed_passes = 3;
  const std::vector<std::string> remarks = remarks_on(samples);
  EXPECT_NE(std::find(remarks.begin(), remarks.end(), tell_other_states({m})), remarks.end());
}

TEST(OneState, LinksAreKeptInFiles) {
  SampleSet samples = campaign({following(8, 1e-6, 1, {kNear, kFar, kNear})});
  EXPECT_EQ(samples_from_json(to_json(samples), "file").measurements[0].links, samples.measurements[0].links);
}

TEST(OneState, LinksAndSpeedsInFilesAreByPass) {
  SampleSet samples = campaign({following(8, 1e-6, 1, {kNear, kFar, kNear})});
  samples.measurements[0].links.pop_back();
  EXPECT_THROW(static_cast<void>(samples_from_json(to_json(samples), "file")), Error);
  samples.measurements[0].passes.clear();
  EXPECT_EQ(samples_from_json(to_json(samples), "file").measurements[0].links.size(), 2U) << "without values";
  samples.measurements[0].processors = {1e-6};
  EXPECT_THROW(static_cast<void>(samples_from_json(to_json(samples), "file")), Error);
}

TEST(OneState, MergedCampaignsAreOfOneState) {
  const std::vector<double> fast(4, kNear);
  const std::vector<double> slow(3, kFar);
  const SampleSet merged =
      merge_samples({campaign({following(8, 1e-6, 1, fast)}), campaign({following(8, 1e-6, 1, slow)})});
  EXPECT_NEAR(merged.measurements[0].summary.median, 1e-6, 1e-12);
  EXPECT_EQ(merged.measurements[0].passes.size(), 7U);
}

}  // namespace
}  // namespace postage
