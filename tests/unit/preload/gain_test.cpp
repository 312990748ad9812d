#include "preload/statistics/gain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace postage::preload {
namespace {

TEST(TypicalTime, HasTheIntervalOfOrderStatistics) {
  EXPECT_FALSE(typical_time(std::vector{3e-6}));
  const auto time = typical_time(std::vector{6e-6, 1e-6, 5e-6, 2e-6, 4e-6, 3e-6}).value();
  EXPECT_DOUBLE_EQ(time.median, 3.5e-6);
  EXPECT_EQ(time.interval, (Interval{1e-6, 6e-6}));
}

TEST(TypicalTime, OfFewHasThatOfStudent) {
  // A mean of 30 and a standard error of 1; no time is less than nothing.
  const auto time = typical_time(std::vector{29.0, 31.0}).value();
  EXPECT_NEAR(time.interval.lower, 30 - 12.7062, 1e-4);
  EXPECT_NEAR(time.interval.upper, 30 + 12.7062, 1e-4);
  EXPECT_EQ(typical_time(std::vector{1.0, 3.0}).value().interval.lower, 0);
  const auto five = typical_time(std::vector{1.0, 2.0, 3.0, 4.0, 5.0}).value();
  EXPECT_NEAR(five.interval.upper, 3 + 2.776445 * std::sqrt(2.5 / 5), 1e-6);
}

TEST(Gain, IsAsUncertainAsAllThatItIsMadeOf) {
  const TypicalTime librarys{.median = 10, .interval = {9, 12}};
  const TypicalTime slots{.median = 6, .interval = {4, 7}};
  const TypicalTime copies{.median = 11, .interval = {11, 11}};
  Gain gain;
  gain.add_replaced(3, librarys, slots, false);
  gain.add_replaced(1, librarys, copies, true);
  gain.add_uncertainty_of(librarys);
  EXPECT_DOUBLE_EQ(gain.all(), 3 * 4 - 1);
  EXPECT_DOUBLE_EQ(gain.probes(), -1);
  // Slots 3 calls, 1 above and 2 below; the library's 4 calls, 1 below and 2 above.
  EXPECT_DOUBLE_EQ(gain.interval().lower, 11 - std::hypot(3 * 1, 4 * 1));
  EXPECT_DOUBLE_EQ(gain.interval().upper, 11 + std::hypot(3 * 2, 4 * 2));
  EXPECT_TRUE(gain.is_certain());
  Gain both;
  both.add(gain);
  both.add(gain);
  EXPECT_DOUBLE_EQ(both.interval().lower, 22 - std::sqrt(2.0) * 5);
}

/// Two kinds of calls whose times are spread alike differ by nothing: as often as their interval promises.
TEST(Gain, IsRarelyCertainWhereThereIsNone) {
  std::mt19937 random(1);
  for (const int count : {2, 4, 6, 12, 64}) {
    int certain = 0;
    for (int run = 0; run < 1000; ++run) {
      const auto times = [&] {
        std::vector<Seconds> all;
        for (int i = 0; i < count; ++i) {
          all.push_back(1e-4 * std::exp(1.5 * std::normal_distribution<double>()(random)));
        }
        return typical_time(all).value();
      };
      Gain gain;
      const TypicalTime librarys = times();
      gain.add_replaced(20, librarys, times(), false);
      gain.add_uncertainty_of(librarys);
      certain += gain.is_certain() ? 1 : 0;
    }
    EXPECT_LE(certain, 60) << count;
  }
}

}  // namespace
}  // namespace postage::preload
