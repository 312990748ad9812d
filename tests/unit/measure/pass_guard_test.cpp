#include "unit/measure/virtual_campaign.hpp"

#include <postage/base/json.hpp>
#include <postage/samples/samples.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace postage {
namespace {

TEST(PassGuard, MakesAPassAgainInWhichTheMachineWasSlow) {
  VirtualMachine machine = noisy(0.01);
  const CampaignPlan plan{.sizes = {{"--sizes", {8}}}, .control_sizes = {1024}};
  MeasureSettings settings = real_settings();
  settings.most_repetitions = 36;  // passes are not longer where the machine is slower
  const SampleSet steady = measure(machine, plan, settings);
  EXPECT_EQ(steady.disturbed_passes, 0U);
  EXPECT_EQ(steady.repeated_passes, 0U);
  const double pass = steady.duration / settings.passes;
  machine.slow_from = 2 * pass;
  machine.slow_until = 3.4 * pass;
  machine.slow_factor = 2;
  const SampleSet guarded = measure(machine, plan, settings);
  EXPECT_GE(guarded.disturbed_passes, 1U);
  EXPECT_LE(guarded.disturbed_passes, 3U);
  EXPECT_EQ(guarded.repeated_passes, guarded.disturbed_passes);
  const double truth = machine.roundtrip(8, 8);
  EXPECT_NEAR(guarded.measurements.at(0).summary.median / truth, 1, 0.02);
  EXPECT_LT(guarded.measurements.at(0).summary.maximum / truth, 1.5);
  EXPECT_EQ(samples_from_json(to_json(guarded), "test").repeated_passes, guarded.repeated_passes);
  const std::vector<std::string> remarks = remarks_on(guarded);
  EXPECT_TRUE(std::ranges::any_of(
      remarks, [](const std::string& remark) { return remark.find("were left out, and") != std::string::npos; }));
}

TEST(PassGuard, GivesUpOnAMachineThatStaysSlow) {
  VirtualMachine machine = noisy(0.01);
  const CampaignPlan plan{.sizes = {{"--sizes", {8}}}, .control_sizes = {1024}};
  const MeasureSettings settings = real_settings();
  machine.slow_from = 0.8 * measure(machine, plan, settings).duration;
  machine.slow_factor = 2;
  const SampleSet slowed = measure(machine, plan, settings);
  EXPECT_EQ(slowed.repeated_passes, static_cast<std::size_t>(settings.passes / 2));
  EXPECT_NEAR(slowed.measurements.at(0).summary.median / machine.roundtrip(8, 8), 1, 0.02);
  EXPECT_GT(speed_change(slowed), 0.5);
}

}  // namespace
}  // namespace postage
