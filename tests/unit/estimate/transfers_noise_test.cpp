// The extended PLogP, and transfers from few or noisy times.
#include "support/exhaustive.hpp"
#include "unit/estimate/transfers.hpp"

#include <postage/base/statistics.hpp>

#include <cmath>

namespace postage {
namespace {

TEST(CellEstimate, IsRecoveredWhicheverWayARootServes) {
  for (const bool in_order : {false, true}) {
    const SyntheticMachine machine{.model = "plogp-cell", .parameters = kCell, .serves_in_order = in_order};
    const std::vector<Compared> all = compare_cell(machine, estimate(machine, fan_plan()));
    EXPECT_GT(all.size(), 80U);
    expect_close(all, 1e-8);
  }
}

TEST(CellEstimate, TwoRanksTellTheGapByTrains) {
  const SyntheticMachine machine{.model = "plogp-cell",
                                 .parameters = "[shared-cache] L=1:1us;1M:100us,g=1:0.5us;1M:70us",
                                 .nodes = 1,
                                 .ranks_per_node = 2};
  SyntheticPlan plan = fan_plan();
  plan.overheads = {1, 1024, 65536};
  const ParameterGroup group = group_for(estimate(machine, plan), "plogp-cell", kSharedCache);
  const auto truth = *machine.truth().target<CellPLogP>();
  std::vector<Compared> all;
  compare(truth.links.at({}).gap, group.curves.at("g"), all);
  EXPECT_EQ(all.size(), 3U);
  expect_close(all, 1e-9);
}

// Fewer than six different times have no interval, as in campaigns that were stopped.
TEST(FewRepetitions, AreLeftOut) {
  const SyntheticMachine machine{.model = "taulop", .parameters = kNonlinear};
  SampleSet samples = measure(machine, shared_plan());
  for (Measurement& m : samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kRoundtrip ? e.bytes == 2048 : e.members.size() == 16) {
      const std::vector<std::vector<double>> once{{m.summary.median, 1.1 * m.summary.median}};
      m.summary = summarise(once, samples.settings.confidence);
    }
  }
  const Platform platform = estimate_platform(samples, "stopped");
  EXPECT_EQ(group_for(platform, "taulop", kInterNode).surfaces.at("L").back().at, 4) << "16 members are 8 each way";
  const std::vector<Compared> all = compare_transfers(machine, platform);
  expect_close(all, 1e-8);
  for (const Compared& one : all) {
    EXPECT_TRUE(std::isfinite(one.found.lower) && std::isfinite(one.found.upper));
  }
}

/// Share of the truths that lie in the intervals of what was estimated, over seeds.
template <typename Compare>
double coverage(SyntheticMachine machine, const SyntheticPlan& plan, const Compare& compare_all) {
  machine.noise = 0.01;
  std::size_t inside = 0;
  std::size_t count = 0;
  for (machine.seed = 1; machine.seed <= (test::is_exhaustive() ? 12U : 4U); ++machine.seed) {
    for (const Compared& one : compare_all(machine, estimate(machine, plan))) {
      const double rounding = 1e-9 * one.truth;
      inside += one.found.lower <= one.truth + rounding && one.truth - rounding <= one.found.upper ? 1 : 0;
      EXPECT_LE(one.found.lower, one.found.value);
      EXPECT_LE(one.found.value, one.found.upper);
      ++count;
    }
  }
  return static_cast<double>(inside) / static_cast<double>(count);
}

TEST(Noise, TruthsLieWithinTheIntervals) {
  EXPECT_GE(coverage({.model = "2log23p", .parameters = kLevels}, strided_plan(), compare_levels), 0.95);
  EXPECT_GE(coverage({.model = "taulop", .parameters = kNonlinear}, shared_plan(), compare_transfers), 0.95);
  EXPECT_GE(coverage({.model = "plogp-cell", .parameters = kCell}, fan_plan(), compare_cell), 0.95);
}

// Intervals that hold everything would say nothing.
TEST(Noise, IntervalsAreNarrowWhereTimesAre) {
  const SyntheticMachine machine{.model = "taulop", .parameters = kNonlinear, .noise = 0.01};
  const Platform platform = estimate(machine, shared_plan());
  for (const char* channel : {kSharedCache, kInterNode}) {
    const ParameterSurface& transfer = group_for(platform, "taulop", channel).surfaces.at("L");
    for (const ParameterRow& row : transfer) {
      const Estimate& largest = row.curve.back().estimate;
      EXPECT_LT((largest.upper - largest.lower) / largest.value, 0.1) << channel << ", tau = " << row.at;
    }
  }
}

}  // namespace
}  // namespace postage
