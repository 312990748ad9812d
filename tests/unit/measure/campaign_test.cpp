#include "unit/measure/virtual_campaign.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/base/units.hpp>
#include <postage/measure/concurrent_sets.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>

namespace postage {
namespace {

TEST(Campaign, MeasuresNothingTwice) {
  for (const VirtualMachine& machine : {cluster(1, 2), cluster(3, 1), cluster(2, 3)}) {
    CampaignPlan plan = everything();
    plan.as_far_as_possible = true;
    const SampleSet samples = measure(machine, plan);
    std::set<Experiment> seen;
    for (const Measurement& m : samples.measurements) {
      Experiment e = m.experiment;
      // The same two ranks the other way round are the same experiment where replies are equal.
      EXPECT_TRUE(seen.insert(e).second) << describe(e) << " of " << e.bytes;
      if (e.kind == ExperimentKind::kRoundtrip && e.bytes == e.reply_bytes) {
        std::swap(e.source, e.target);
        EXPECT_FALSE(seen.contains(e));
      }
    }
    EXPECT_EQ(samples.experiments, samples.measurements.size());
  }
}

/// Medians by experiment.
std::map<Experiment, double> medians(const SampleSet& samples) {
  std::map<Experiment, double> times;
  for (const Measurement& m : samples.measurements) {
    Experiment e = m.experiment;
    e.delay = e.delay > 0 ? 1 : 0;  // chosen from a time, which differs by rounding
    times[e] = m.summary.median;
  }
  return times;
}

TEST(Campaign, GivesTheSameInParallelAndSerially) {
  MeasureSettings serial;
  serial.serial = true;
  for (const VirtualMachine& machine : {cluster(5, 1), cluster(3, 2)}) {
    const SampleSet together = measure(machine, everything());
    const SampleSet apart = measure(machine, everything(), serial);
    EXPECT_LT(together.concurrent_sets, apart.concurrent_sets);
    const std::map<Experiment, double> expected = medians(apart);
    const std::map<Experiment, double> found = medians(together);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [experiment, time] : expected) {
      ASSERT_TRUE(found.contains(experiment)) << describe(experiment);
      EXPECT_NEAR(found.at(experiment), time, 1e-9 * time) << describe(experiment);
    }
  }
}

TEST(Campaign, MakesAsManySetsAsTheLawSays) {
  for (const int hosts : {4, 5, 8}) {
    const SampleSet samples = measure(cluster(hosts, 1), {.sizes = {{"--sizes", {8}}, {"--one-to-two-sizes", {0}}}},
                                      {.triplets = 1, .all_pairs = true});
    const int pairs = hosts % 2 == 0 ? hosts - 1 : hosts;
    const int seats = 3 * (hosts / 3);
    const auto triplets = (hosts + seats - 1) / seats;
    EXPECT_EQ(samples.concurrent_sets, static_cast<std::size_t>(pairs + 6 * triplets)) << hosts;
  }
}

TEST(Campaign, InterleavesPasses) {
  const SampleSet samples = measure(noisy(0.001), {.sizes = {{"--sizes", {8, 1000}}}}, real_settings());
  ASSERT_EQ(samples.measurements.size(), 2U);
  for (const Measurement& m : samples.measurements) {
    EXPECT_TRUE(m.precise);
    ASSERT_EQ(m.passes.size(), 6U);
    for (const std::vector<double>& pass : m.passes) {
      EXPECT_EQ(pass.size(), 3U);
    }
  }
}

TEST(Campaign, RepeatsUntilPreciseOrOutOfBudget) {
  const SampleSet precise = measure(noisy(0.1), {.sizes = {{"--sizes", {8}}}}, real_settings());
  EXPECT_TRUE(precise.measurements.at(0).precise);
  EXPECT_GT(precise.measurements.at(0).summary.count, 18U);
  MeasureSettings hurried = real_settings();
  hurried.budget = 1e-3;  // some 40 roundtrips
  const SampleSet imprecise = measure(noisy(0.5), {.sizes = {{"--sizes", {8}}}}, hurried);
  EXPECT_FALSE(imprecise.measurements.at(0).precise);
  EXPECT_GE(imprecise.measurements.at(0).summary.count, 3U) << "the first pass is made in full";
  EXPECT_LE(imprecise.measurements.at(0).summary.count, 60U);
}

/// Hosts with a slow network: a megabyte takes a second.
VirtualMachine slow_network() {
  VirtualMachine machine = noisy(0.01);
  machine.ranks = 3;
  machine.per_byte = 1e-6;
  return machine;
}

TEST(Campaign, EndsWithItsBudgetWhereEachMessageTakesLong) {
  MeasureSettings settings = real_settings();
  settings.budget = 4;
  settings.most_repetitions = 30;
  // Once each is 1.8 s in the three rounds, and as much for the one before each that does not count.
  const SampleSet samples = measure(slow_network(), {.sizes = {{"--sizes", {1, 100'000, 200'000}}}}, settings);
  EXPECT_TRUE(samples.left_out.empty());
  ASSERT_EQ(samples.measurements.size(), 9U);
  EXPECT_LT(samples.duration, 1.01 * settings.budget);
  for (const Measurement& m : samples.measurements) {
    EXPECT_GE(m.summary.count, 1U);
  }
}

TEST(Campaign, LeavesOutLargeMessagesThatTakeTooLong) {
  MeasureSettings settings = real_settings();
  settings.budget = 5;
  const CampaignPlan plan{.sizes = {{"--sizes", parse_sizes("1:16M:x2")},
                                    {"--overhead-sizes", {1, 4 << 20}},
                                    {"--train-sizes", {1, 1 << 10}}}};
  const SampleSet samples = measure(slow_network(), plan, settings);
  ASSERT_FALSE(samples.left_out.empty());
  Bytes largest = 0;
  std::set<Experiment> made;
  for (const Measurement& m : samples.measurements) {
    EXPECT_TRUE(made.insert(m.experiment).second);
    largest = m.experiment.kind == ExperimentKind::kRoundtrip ? std::max(largest, m.experiment.bytes) : largest;
  }
  for (const Experiment& left_out : samples.left_out) {
    EXPECT_FALSE(made.contains(left_out)) << describe(left_out);
    EXPECT_GT(left_out.bytes, 1) << describe(left_out);
  }
  EXPECT_GE(largest, 64 << 10) << "some are long enough to tell the bandwidth";
  EXPECT_LT(samples.duration, 1.5 * settings.budget);
  const std::vector<std::string> remarks = remarks_on(samples);
  EXPECT_TRUE(std::ranges::any_of(
      remarks, [](const std::string& remark) { return remark.find("longer --budget") != std::string::npos; }));
  EXPECT_EQ(samples_from_json(to_json(samples), "samples").left_out, samples.left_out);
}

// The true median of a roundtrip with symmetric noise is the one without. 95 % of 100 intervals are 95; four standard
// deviations less are 86.
TEST(Campaign, IntervalsCoverTheTruth) {
  int covered = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const VirtualMachine machine = noisy(0.1, seed);
    const SampleSet samples = measure(machine, {.sizes = {{"--sizes", {8}}}}, real_settings());
    covered += samples.measurements.at(0).summary.median_interval.contains(machine.roundtrip(8, 8)) ? 1 : 0;
  }
  EXPECT_GE(covered, 86);
}

TEST(Campaign, NoticesAMachineThatSlowsDown) {
  VirtualMachine machine = noisy(0.01);
  const CampaignPlan plan{.sizes = {{"--sizes", {8}}}, .control_sizes = {1024}};
  const SampleSet steady = measure(machine, plan, real_settings());
  ASSERT_EQ(steady.controls.size(), 1U);
  EXPECT_TRUE(drift_warnings(steady).empty());
  EXPECT_EQ(speed_change(steady), 0);
  EXPECT_TRUE(steady.measurements.at(0).summary.steady);
  machine.slow_from = steady.duration / 2;
  machine.slow_factor = 1.3;
  const SampleSet slowed = measure(machine, plan, real_settings());
  ASSERT_EQ(drift_warnings(slowed).size(), 1U);
  EXPECT_NEAR(speed_change(slowed), 0.3, 0.03);
  EXPECT_NE(drift_warnings(slowed)[0].find("+30 %"), std::string::npos) << drift_warnings(slowed)[0];
}

TEST(Campaign, KnowsItsPassesInAnotherState) {
  VirtualMachine machine = noisy(0.01);
  const CampaignPlan plan{.sizes = {{"--sizes", {8}}}, .control_sizes = {1024}};
  MeasureSettings settings = real_settings();
  settings.keep_values = true;
  const SampleSet steady = measure(machine, plan, settings);
  ASSERT_EQ(steady.probes.size(), 1U);
  ASSERT_EQ(steady.probes[0].size(), steady.measurements.at(0).passes.size());
  EXPECT_EQ(undisturbed_passes(steady), std::vector<bool>(steady.probes[0].size(), true));
  const std::vector<double> speeds = steady.measurements.at(0).processors;
  ASSERT_EQ(speeds.size(), steady.measurements.at(0).passes.size());
  for (const double speed : speeds) {
    EXPECT_NEAR(speed / speeds[0], 1, 1e-9);
  }
  machine.slow_from = 0.7 * steady.duration;
  machine.slow_factor = 2;
  const SampleSet all = measure(machine, plan, settings);
  EXPECT_NEAR(all.measurements.at(0).processors.front() / speeds[0], 1, 1e-9);
  EXPECT_NEAR(all.measurements.at(0).processors.back() / speeds[0], 2, 1e-9);
  const SampleSet slowed = keep_undisturbed(all);
  const double truth = machine.roundtrip(8, 8);
  EXPECT_NEAR(slowed.measurements.at(0).summary.median / truth, 1, 0.02);
  EXPECT_LT(slowed.measurements.at(0).summary.maximum / truth, 1.5);
}

TEST(Campaign, TakesNoMoreFromAPassThanItsPart) {
  MeasureSettings settings = real_settings();
  settings.keep_values = true;
  settings.precision = 1e-9;
  settings.passes = 4;
  settings.least_repetitions = 24;
  settings.most_repetitions = 40;
  const SampleSet samples = measure(noisy(0.1), {.sizes = {{"--sizes", {8}}}}, settings);
  ASSERT_EQ(samples.measurements.at(0).passes.size(), 4U);
  for (const std::vector<double>& pass : samples.measurements.at(0).passes) {
    EXPECT_EQ(pass.size(), 10U);
  }
}

TEST(Campaign, KeepsWhatItHasWhenItIsStopped) {
  CampaignPlan plan = everything();
  std::atomic<int> asked = 0;
  const CampaignHooks hooks{.stop_requested = [&] { return ++asked > 20; }};
  const SampleSet samples = measure(cluster(3, 1), plan, {}, hooks);
  EXPECT_TRUE(samples.interrupted);
  EXPECT_GT(samples.measurements.size(), 0U);
  EXPECT_LT(samples.measurements.size(), measure(cluster(3, 1), plan).measurements.size());
  for (const Measurement& m : samples.measurements) {
    EXPECT_GT(m.summary.count, 0U);
  }
}

TEST(Campaign, TellsHowFarItIs) {
  std::vector<double> shares;
  const CampaignHooks hooks{.progress = [&](const CampaignProgress& now) { shares.push_back(now.share); }};
  static_cast<void>(measure(cluster(4, 1), {.sizes = {{"--sizes", {8}}, {"--sweep-sizes", {8}}}}, {}, hooks));
  ASSERT_EQ(shares.size(), 4U) << "after each set";
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_GT(shares.front(), 0);
  EXPECT_DOUBLE_EQ(shares.back(), 1);
}

TEST(Campaign, FindsSizesWhereACurveBends) {
  const SampleSet samples = measure(VirtualMachine{}, {.largest_adaptive = 1 << 16});
  std::set<Bytes> sizes;
  for (const Measurement& m : samples.measurements) {
    sizes.insert(m.experiment.bytes);
  }
  // Straight lines need nothing beyond the sizes that it begins with.
  EXPECT_EQ(sizes, (std::set<Bytes>{0, 1, 4, 16, 64, 256, 1024, 4096, 16384, 65536}));
}

TEST(Campaign, RefusesTooFewRanksInOneSentence) {
  EXPECT_THROW(static_cast<void>(measure(cluster(1, 1), {.sizes = {{"--sizes", {8}}}})), UsageError);
  EXPECT_THROW(static_cast<void>(measure(cluster(2, 1), {.sizes = {{"--one-to-two-sizes", {8}}}})), UsageError);
  EXPECT_THROW(static_cast<void>(
                   measure(cluster(2, 1), {.sizes = {{"--strided-sizes", {8}}, {"--strides", {2}}, {"--run", {4}}}})),
               UsageError);
}

TEST(Campaign, LeavesOutWhatNeedsMoreRanksWhereAsked) {
  CampaignPlan plan = everything();
  plan.as_far_as_possible = true;
  for (const Measurement& m : measure(cluster(1, 2), plan).measurements) {
    EXPECT_NE(m.experiment.kind, ExperimentKind::kOneToTwo);
  }
  EXPECT_EQ(measure(cluster(1, 1), plan).measurements.size(), 5U)
      << "two collectives, a copy, a program and a reduction";
}

TEST(Campaign, OfOneRankCanStillReduce) {
  EXPECT_EQ(measure(cluster(1, 1), {.sizes = {{"--reduction-sizes", {64}}}}).measurements.size(), 1U);
}

}  // namespace
}  // namespace postage
