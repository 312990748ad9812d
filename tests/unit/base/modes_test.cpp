#include <postage/base/statistics.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace postage {
namespace {

using Generator = std::mt19937_64;
using Draw = std::function<double(Generator&)>;

double uniform(Generator& generator) {
  return static_cast<double>(generator() >> 11) * 0x1p-53;
}

/// Box and Muller: the standard library's own differs from one to the next.
double normal(Generator& generator) {
  return std::sqrt(-2 * std::log(1 - uniform(generator))) * std::cos(2 * M_PI * uniform(generator));
}

std::vector<double> sample_of(std::size_t count, Generator& generator, const Draw& draw) {
  std::vector<double> sample(count);
  for (double& value : sample) {
    value = draw(generator);
  }
  return sample;
}

/// How many of `samples` samples are taken for bimodal.
int alarms(int samples, std::size_t count, const Draw& draw) {
  Generator generator(20240301);
  int found = 0;
  for (int i = 0; i < samples; ++i) {
    found += find_modes(sample_of(count, generator, draw)).empty() ? 0 : 1;
  }
  return found;
}

TEST(Dip, IsLeastWhereTheSampleIsAsUnimodalAsCanBe) {
  std::vector<double> grid;
  std::vector<double> bell;
  for (int i = 1; i <= 101; ++i) {
    grid.push_back(i);
    const double p = i / 102.0;
    bell.push_back(std::log(p / (1 - p)));  // quantiles of the logistic distribution
  }
  EXPECT_NEAR(dip(grid), 1 / 202.0, 1e-12);
  EXPECT_NEAR(dip(bell), 1 / 202.0, 1e-12);
  EXPECT_EQ(dip(std::vector<double>{7}), 0.5);
  EXPECT_EQ(dip(std::vector<double>{7, 7, 7, 7}), 0.125);
}

TEST(Dip, OfTwoEqualAtomsIsAQuarter) {
  EXPECT_DOUBLE_EQ(dip(std::vector<double>{1, 1, 1, 1, 9, 9, 9, 9}), 0.25);
  // With a third atom between them, half of its share is all that can be had on each side.
  EXPECT_DOUBLE_EQ(dip(std::vector<double>{1, 1, 2, 2, 3, 3}), 1.0 / 6);
}

TEST(Dip, DoesNotChangeWithUnitOrDirection) {
  Generator generator(11);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 2 + generator() % 60;
    const bool ticks = trial % 2 == 0;
    std::vector<double> sample = sample_of(count, generator, uniform);
    std::vector<double> mirrored;
    std::vector<double> scaled;
    for (double& value : sample) {
      value = ticks ? std::floor(16 * value) : std::ldexp(std::floor(std::ldexp(value, 20)), -20);
      mirrored.push_back(-value);
      scaled.push_back(1024 * value + 4);
    }
    EXPECT_NEAR(dip(mirrored), dip(sample), 1e-12);
    EXPECT_NEAR(dip(scaled), dip(sample), 1e-12);
    EXPECT_LE(dip(sample), count > 1 ? std::max(0.25, 0.5 / static_cast<double>(count)) : 0.5);
    EXPECT_GE(dip(sample), 0.5 / static_cast<double>(count));
  }
}

TEST(CriticalDip, ShrinksWithTheSample) {
  EXPECT_TRUE(std::isinf(critical_dip(7)));
  for (std::size_t count = 8; count < 10000; count += 1 + count / 7) {
    EXPECT_LT(critical_dip(count + 5), critical_dip(count));
  }
}

// 1 % of 500 is 5; four standard deviations more are 14.
TEST(Modes, AreNotFoundWhereThereIsOneMoreOftenThanSaid) {
  for (const std::size_t count : {12, 48, 300}) {
    EXPECT_LE(alarms(500, count, [](Generator& g) { return 10 + uniform(g); }), 14) << count;
    EXPECT_LE(alarms(500, count, [](Generator& g) { return 10 + normal(g); }), 14) << count;
    EXPECT_LE(alarms(500, count, [](Generator& g) { return 10 - std::log(1 - uniform(g)); }), 14) << count;
    EXPECT_LE(alarms(500, count, [](Generator& g) { return std::exp(normal(g)); }), 14) << count;
  }
}

TEST(Modes, AreNotFoundBetweenAClocksTicks) {
  EXPECT_LE(alarms(300, 400, [](Generator& g) { return 100 + std::round(5 * normal(g)); }), 9);
}

// A tick of 10 that reads now and then as 11 or 9.
TEST(Modes, AreNotFoundBetweenUnevenTicks) {
  Generator generator(9);
  int found = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<double> sample = sample_of(
        300, generator, [](Generator& g) { return 10 * std::round(5 + normal(g)) + (uniform(g) < 0.1 ? 1 : 0); });
    found += find_modes(sample, 0.025, 10).empty() ? 0 : 1;
  }
  EXPECT_LE(found, 6);
}

TEST(Modes, AreNotOutliers) {
  const Draw with_outliers = [](Generator& g) { return 10 + 0.1 * normal(g) + (uniform(g) < 0.02 ? 1000 : 0); };
  EXPECT_LE(alarms(300, 200, with_outliers), 9);
}

TEST(Modes, AreFoundWithTheirPlacesAndShares) {
  Generator generator(5);
  int found = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const std::vector<Mode> modes = find_modes(sample_of(150, generator, [](Generator& g) {
      const double outlier = uniform(g) < 0.01 ? 500 : 0;
      return (uniform(g) < 0.3 ? 11 : 10) + 0.1 * normal(g) + outlier;
    }));
    if (modes.size() == 2) {
      ++found;
      EXPECT_NEAR(modes[0].centre, 10, 0.1);
      EXPECT_NEAR(modes[1].centre, 11, 0.15);
      EXPECT_NEAR(modes[1].share, 0.3, 0.25);
      EXPECT_DOUBLE_EQ(modes[0].share + modes[1].share, 1);
    }
  }
  EXPECT_GE(found, 95);
}

TEST(Modes, TooCloseToMatterAreNotReported) {
  EXPECT_EQ(alarms(50, 200, [](Generator& g) { return (uniform(g) < 0.5 ? 10.0 : 10.1) + 0.001 * normal(g); }), 0);
}

}  // namespace
}  // namespace postage
