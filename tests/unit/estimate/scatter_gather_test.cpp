#include "support/exhaustive.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/scatter_gather.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace postage {
namespace {

/// Drawn cases of a test over seeds.
int trials() {
  return test::is_exhaustive() ? 200 : 50;
}

/// 95 % of the trials, less four standard deviations of their number.
int least_covered() {
  return static_cast<int>(0.95 * trials() - 4 * std::sqrt(trials() * 0.95 * 0.05));
}

constexpr Bytes kStride = 1024;
constexpr Bytes kLargest = 128 * 1024;
// Sixteen processors at 100 Mbit/s, roughly.
constexpr int kOthers = 15;
constexpr double kRootPerByte = 1e-9;
constexpr double kPerByte = 2e-9;
constexpr double kBandwidth = 12e6;

struct Noise {
  std::mt19937_64 generator;
  double width;
  double operator()() { return std::lognormal_distribution<double>(0, width)(generator); }
  bool happens(double probability) { return std::bernoulli_distribution(probability)(generator); }
};

std::vector<CurvePoint> sweep(const auto& seconds_of) {
  std::vector<CurvePoint> curve;
  for (Bytes bytes = kStride; bytes <= kLargest; bytes += kStride) {
    curve.push_back({bytes, seconds_of(bytes)});
  }
  return curve;
}

double scatter_time(Bytes bytes, Bytes limit) {
  const auto m = static_cast<double>(bytes);
  return 1e-3 + 1.1e-7 * m + (bytes > limit ? 8e-3 : 0);
}

TEST(ScatterLimit, IsTheLastSizeBeforeTheLeap) {
  const auto found = scatter_limit_of(sweep([](Bytes m) { return scatter_time(m, 64 * 1024); }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->limit.value, 64 * 1024);
  EXPECT_EQ(found->limit.lower, 64 * 1024);
  EXPECT_EQ(found->limit.upper, 65 * 1024);
  EXPECT_NEAR(found->step, 8e-3, 1e-9);
  EXPECT_NEAR(found->slope_small.value / 1.1e-7, 1, 1e-6);
}

TEST(ScatterLimit, IntervalCoversTheTruthOverSeeds) {
  int covered = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials()); ++seed) {
    Noise noise{std::mt19937_64(seed), 0.2};
    const Bytes limit = 40000 + 200 * static_cast<Bytes>(seed);
    const auto found = scatter_limit_of(sweep([&](Bytes m) { return scatter_time(m, limit) * noise(); }));
    const auto truth = static_cast<double>(limit);
    covered += found && found->limit.lower <= truth && truth <= found->limit.upper ? 1 : 0;
  }
  EXPECT_GE(covered, least_covered());
}

TEST(ScatterLimit, IsNotThereWithoutALeap) {
  EXPECT_FALSE(scatter_limit_of(sweep([](Bytes m) { return 1e-3 + 1.1e-7 * static_cast<double>(m); })));
  // Falling is no step.
  EXPECT_FALSE(scatter_limit_of(sweep([](Bytes m) { return m < kLargest / 2 ? 2e-3 : 1e-3; })));
}

/// Gather with corrections of its own for small and large blocks, and escalations between.
struct Gather {
  Bytes small_limit = 5000;
  Bytes large_limit = 65000;
  double kappa_small = 3e-8;
  double kappa_large = 5e-8;
  double probability = 1;
  Noise noise{std::mt19937_64(1), 0};

  static GatherSlopes slopes() {
    return gather_slopes(kRootPerByte, std::vector(kOthers, kPerByte), std::vector(kOthers, kBandwidth));
  }

  Seconds operator()(Bytes bytes) {
    const auto m = static_cast<double>(bytes);
    const double calm =
        bytes > large_limit ? 4e-3 + (slopes().large + kappa_large) * m : 1e-3 + (slopes().small + kappa_small) * m;
    const bool escalates = bytes > small_limit && bytes <= large_limit && noise.happens(probability);
    return (escalates ? (noise.happens(0.5) ? 0.8 : 1.2) : calm) * noise();
  }

  GatherExperiment experiment() {
    return [this](std::span<const Bytes> sizes) {
      std::vector<Seconds> times;
      for (const Bytes bytes : sizes) {
        times.push_back((*this)(bytes));
      }
      return times;
    };
  }
};

constexpr EscalationSettings kSearch{.stride = kStride, .largest = kLargest};

TEST(GatherSlopes, CountTheRootOncePerBlock) {
  const GatherSlopes slopes = Gather::slopes();
  EXPECT_DOUBLE_EQ(slopes.small, 15 * 1e-9 + 2e-9 + 1 / 12e6);
  EXPECT_DOUBLE_EQ(slopes.large, 15 * (1e-9 + 2e-9 + 1 / 12e6));
  EXPECT_THROW(static_cast<void>(gather_slopes(0, {}, {})), UsageError);
}

TEST(SmallGather, FindsTheLimitToTheByte) {
  for (const Bytes limit : {1024, 1025, 4999, 5000, 5001, 30000}) {
    Gather gather{.small_limit = limit};
    const SmallGather small = find_small_gather(gather.experiment(), kSearch);
    ASSERT_TRUE(small.limit);
    EXPECT_EQ(small.limit->value, static_cast<double>(limit));
    EXPECT_EQ(small.limit->upper, static_cast<double>(limit + 1));
  }
}

TEST(SmallGather, HalvesAStrideThatIsNoPowerOfTwo) {
  Gather gather{.small_limit = 4321};
  const SmallGather small =
      find_small_gather(gather.experiment(), {.stride = 1000, .largest = kLargest, .most_points = 20});
  ASSERT_TRUE(small.limit);
  EXPECT_EQ(small.limit->value, 4321);
}

TEST(SmallGather, MayLieHigherWhereEscalationsAreRareButNeverLower) {
  int close = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Gather gather{.probability = 0.3, .noise{std::mt19937_64(seed), 0.05}};
    const SmallGather small = find_small_gather(gather.experiment(), kSearch);
    ASSERT_TRUE(small.limit);
    EXPECT_GE(small.limit->upper, 5001);
    close += small.limit->value < 5064 ? 1 : 0;
  }
  EXPECT_GE(close, 45);
}

TEST(SmallGather, IsNotThereWithoutEscalations) {
  Gather gather{.small_limit = kLargest, .large_limit = kLargest};
  std::size_t rows = 0;
  const GatherExperiment experiment = [&](std::span<const Bytes> sizes) {
    ++rows;
    return gather.experiment()(sizes);
  };
  EXPECT_FALSE(find_small_gather(experiment, kSearch).limit);
  EXPECT_EQ(rows, 1U);
}

TEST(SmallGather, RefusesWhatLeavesNothingToMeasure) {
  Gather gather;
  EXPECT_THROW(static_cast<void>(find_small_gather(gather.experiment(), {.stride = 0})), UsageError);
  EXPECT_THROW(static_cast<void>(find_small_gather(gather.experiment(), {.stride = 8, .largest = 8})), UsageError);
  const GatherExperiment mute = [](std::span<const Bytes>) { return std::vector<Seconds>{}; };
  EXPECT_THROW(static_cast<void>(find_small_gather(mute, kSearch)), Error);
}

TEST(GatherLimits, GiveBackExactTruth) {
  Gather gather;
  const SmallGather small = find_small_gather(gather.experiment(), kSearch);
  const GatherLimits found = gather_limits(small, sweep([&](Bytes m) { return gather(m); }), Gather::slopes());
  ASSERT_TRUE(found.small_limit && found.large_limit && found.small_correction && found.large_correction);
  EXPECT_EQ(found.small_limit->value, 5000);
  EXPECT_EQ(found.large_limit->value, 63 * 1024);
  EXPECT_EQ(found.large_limit->upper, 64 * 1024);
  EXPECT_NEAR(found.small_correction->value / 3e-8, 1, 1e-6);
  EXPECT_NEAR(found.large_correction->value / 5e-8, 1, 1e-6);
  ASSERT_EQ(found.levels.size(), 2U);
  EXPECT_DOUBLE_EQ(found.levels[0].lowest, 0.8);
  EXPECT_DOUBLE_EQ(found.levels[1].highest, 1.2);
  EXPECT_EQ(found.levels[0].count + found.levels[1].count, 59U);  // 5 to 63 KiB
}

TEST(GatherLimits, IntervalsCoverTheTruthOverSeeds) {
  int limits = 0;
  int small_corrections = 0;
  int large_corrections = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials()); ++seed) {
    Gather gather{.probability = 0.4, .noise{std::mt19937_64(seed), 0.02}};
    const SmallGather small = find_small_gather(gather.experiment(), kSearch);
    const GatherLimits found = gather_limits(small, sweep([&](Bytes m) { return gather(m); }), Gather::slopes());
    const auto covers = [](const std::optional<Estimate>& e, double truth) {
      return e && e->lower <= truth && truth <= e->upper ? 1 : 0;
    };
    limits += covers(found.large_limit, 65000);
    small_corrections += covers(found.small_correction, 3e-8);
    large_corrections += covers(found.large_correction, 5e-8);
  }
  EXPECT_GE(limits, least_covered());
  EXPECT_GE(small_corrections, 0.85 * trials());
  EXPECT_GE(large_corrections, 0.85 * trials());
}

TEST(GatherLimits, KnowNoLargeBlocksWhereTimesEscalateToTheEnd) {
  Gather gather{.large_limit = kLargest, .probability = 0.5};
  const SmallGather small = find_small_gather(gather.experiment(), kSearch);
  const GatherLimits found = gather_limits(small, sweep([&](Bytes m) { return gather(m); }), Gather::slopes());
  EXPECT_TRUE(found.small_limit);
  EXPECT_FALSE(found.large_limit);
  EXPECT_FALSE(found.large_correction);
}

TEST(GatherLimits, AreOneLineWithoutBreaks) {
  Gather gather{.small_limit = kLargest, .large_limit = kLargest};
  const SmallGather small = find_small_gather(gather.experiment(), kSearch);
  const GatherLimits found = gather_limits(small, sweep([&](Bytes m) { return gather(m); }), Gather::slopes());
  EXPECT_FALSE(found.small_limit);
  EXPECT_FALSE(found.large_limit);
  EXPECT_NEAR(found.small_correction->value / 3e-8, 1, 1e-6);
}

}  // namespace
}  // namespace postage
