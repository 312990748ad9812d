#include "support/exhaustive.hpp"

#include <postage/base/error.hpp>
#include <postage/base/statistics.hpp>
#include <postage/validate/outliers.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace postage {
namespace {

constexpr int kRuns = 500;

enum class Noise { kExponential, kNormal, kSpikes };

/// A platform of hosts on one switch, and what is wrong with it.
struct NoisyCluster {
  int hosts = 16;
  bool probed = false;  ///< hosts 1, 2, 3, 4, 6, 8, ... apart rather than all pairs
  Noise noise = Noise::kExponential;
  double scale = 0.02;
  int repetitions = 20;
  int slow_host = -1;
  std::pair<int, int> slow_pair{-1, -1};
  double slower = 0.2;
};

double disturbance(Noise noise, double scale, std::mt19937_64& random) {
  std::exponential_distribution<double> exponential(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  switch (noise) {
    case Noise::kExponential:
      return 1 + scale * exponential(random);
    case Noise::kNormal:
      return std::exp(scale * normal(random));
    case Noise::kSpikes:
      break;
  }
  return 1 + 0.02 * exponential(random) + (uniform(random) < 0.05 ? 10 * scale * uniform(random) : 0);
}

std::set<std::pair<int, int>> measured_pairs(const NoisyCluster& cluster) {
  std::set<std::pair<int, int>> pairs;
  for (int i = 0; i < cluster.hosts; ++i) {
    for (const int apart : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
      if (apart <= cluster.hosts / 2) {
        pairs.insert(std::minmax(i, (i + apart) % cluster.hosts));
      }
    }
    for (int j = 0; j < i && !cluster.probed; ++j) {
      pairs.insert({j, i});
    }
  }
  return pairs;
}

HostPairTimes times_on(const NoisyCluster& cluster, std::uint64_t seed) {
  constexpr Seconds kLatency = 5e-6;
  constexpr double kPerByte = 1e-9;
  std::mt19937_64 random(seed);
  HostPairTimes times;
  for (int i = 0; i < cluster.hosts; ++i) {
    times.hosts.push_back("h" + std::to_string(i));
  }
  for (const std::pair<int, int>& pair : measured_pairs(cluster)) {
    const auto& [i, j] = pair;
    const bool is_slow = i == cluster.slow_host || j == cluster.slow_host || pair == cluster.slow_pair;
    for (const Bytes bytes : {Bytes{1}, Bytes{65536}}) {
      std::vector<double> values;
      for (int k = 0; k < cluster.repetitions; ++k) {
        const double transfer = static_cast<double>(bytes) * kPerByte * (is_slow ? 1 + cluster.slower : 1);
        values.push_back(kLatency * disturbance(cluster.noise, cluster.scale, random) +
                         transfer * disturbance(cluster.noise, cluster.scale, random));
      }
      const Interval interval = order_median_interval(values, 0.95);
      times.times.push_back({i, j, kInterNode, bytes, {median(values), interval.lower, interval.upper}});
    }
  }
  return times;
}

bool names(const OutlierReport& report, Outlier::Kind kind, const std::vector<std::string>& what) {
  return std::ranges::any_of(report.outliers,
                             [&](const Outlier& outlier) { return outlier.kind == kind && outlier.names == what; });
}

struct Counted {
  int false_alarms = 0;  ///< on platforms where all hosts are alike
  int found = 0;         ///< a slow cable of host h3
  int also_others = 0;   ///< while others were named, too
};

Counted count(NoisyCluster cluster, int runs) {
  Counted counted;
  for (int run = 0; run < runs; ++run) {
    cluster.slow_host = -1;
    counted.false_alarms += find_outliers(times_on(cluster, static_cast<std::uint64_t>(run))).outliers.empty() ? 0 : 1;
    cluster.slow_host = 3;
    const OutlierReport report = find_outliers(times_on(cluster, static_cast<std::uint64_t>(runs + run)));
    counted.found += names(report, Outlier::Kind::kHost, {"h3"}) ? 1 : 0;
    counted.also_others += report.outliers.size() > 1 ? 1 : 0;
  }
  return counted;
}

TEST(Outliers, ASlowCableIsFoundAndNoneIsWhereAllAreAlike) {
  const int runs = test::is_exhaustive() ? kRuns : kRuns / 10;
  for (const bool probed : {false, true}) {
    for (const Noise noise : {Noise::kExponential, Noise::kNormal, Noise::kSpikes}) {
      for (const double scale : {0.02, 0.1}) {
        const Counted counted = count({.probed = probed, .noise = noise, .scale = scale}, runs);
        const std::string what = fmt::format("{} {} {}", probed, static_cast<int>(noise), scale);
        EXPECT_LE(counted.false_alarms, runs / 100) << what;
        EXPECT_GE(counted.found, runs - runs / 100) << what;
        EXPECT_LE(counted.also_others, runs / 50) << what;
      }
    }
  }
}

TEST(Outliers, TellHowMuchSlowerWithAnInterval) {
  const OutlierReport report = find_outliers(times_on({.slow_host = 5, .slower = 0.3}, 1));
  ASSERT_EQ(report.outliers.size(), 1U);
  const Outlier& slow = report.outliers.front();
  EXPECT_EQ(describe(slow), "host h5");
  EXPECT_EQ(slow.smallest, 65536);
  EXPECT_EQ(slow.pairs, 15U);
  EXPECT_EQ(slow.others, 105U);
  const double truth = 0.3 * 65.536 / (65.536 + 5);
  EXPECT_NEAR(slow.slower.value, truth, 0.02);
  EXPECT_LT(slow.slower.lower, truth);
  EXPECT_GT(slow.slower.upper, truth);
  EXPECT_TRUE(report.untested.empty());
}

TEST(Outliers, ASlowPairIsNoSlowHost) {
  const OutlierReport report = find_outliers(times_on({.slow_pair = {2, 9}, .slower = 0.5}, 2));
  ASSERT_EQ(report.outliers.size(), 1U);
  EXPECT_EQ(describe(report.outliers.front()), "between h2 and h9");
}

/// Exact times of a message by its two hosts.
template <typename Time>
HostPairTimes exact_times(int hosts, const Time& time) {
  HostPairTimes times;
  for (int i = 0; i < hosts; ++i) {
    times.hosts.push_back("h" + std::to_string(i));
    for (int j = 0; j < i; ++j) {
      times.times.push_back({j, i, kInterNode, 65536, Estimate::exactly(time(j, i))});
    }
  }
  return times;
}

NetworkStructure groups_of_four(int groups) {
  NetworkStructure network{.levels = {GroupLevel{}}};
  for (int i = 0; i < groups; ++i) {
    network.groups.push_back(
        {.name = "s" + std::to_string(i), .level = 0, .hosts = {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}});
  }
  return network;
}

TEST(Outliers, PairsAreComparedWithThoseThatMeetOnTheSameLevel) {
  const auto time = [](int i, int j) { return i / 4 == j / 4 ? 1e-5 : 2e-5; };
  HostPairTimes times = exact_times(16, time);
  times.network = groups_of_four(4);
  EXPECT_TRUE(find_outliers(times).outliers.empty());
}

TEST(Outliers, AGroupIsNamedRatherThanItsHosts) {
  const auto time = [](int i, int j) { return i / 4 == j / 4 ? 1e-5 : i / 4 == 2 || j / 4 == 2 ? 2.4e-5 : 2e-5; };
  HostPairTimes times = exact_times(16, time);
  times.network = groups_of_four(4);
  const OutlierReport report = find_outliers(times);
  ASSERT_EQ(report.outliers.size(), 1U);
  EXPECT_EQ(describe(report.outliers.front()), "group s2");
  EXPECT_NEAR(report.outliers.front().slower.value, 0.2, 1e-9);
}

/// What was found by the same measurements: the slow host is a group of its own.
TEST(Outliers, AHostThatTheStructureSetsApartIsStillSlow) {
  HostPairTimes times = exact_times(8, [](int i, int j) { return i == 6 || j == 6 ? 1.3e-5 : 1e-5; });
  NetworkStructure network{.levels = {GroupLevel{}}};
  network.groups = {{.name = "a", .level = 0, .hosts = {0, 1, 2, 3, 4, 5, 7}}, {.name = "b", .level = 0, .hosts = {6}}};
  times.network = network;
  const OutlierReport report = find_outliers(times);
  ASSERT_EQ(report.outliers.size(), 1U);
  EXPECT_EQ(describe(report.outliers.front()), "host h6");
}

/// Three hosts behind a slow cable are no slow hosts: among themselves they are as fast as the others.
TEST(Outliers, ASlowCableBetweenTwoGroupsIsTheNetwork) {
  HostPairTimes times = exact_times(16, [](int i, int j) { return (i < 3) == (j < 3) ? 1e-5 : 4e-5; });
  NetworkStructure network{.levels = {GroupLevel{}}};
  network.groups = {{.name = "a", .level = 0, .hosts = {0, 1, 2}},
                    {.name = "b", .level = 0, .hosts = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}};
  times.network = network;
  EXPECT_TRUE(find_outliers(times).outliers.empty());
}

TEST(Outliers, ManySlowHostsAreAnotherKind) {
  HostPairTimes times = exact_times(16, [](int i, int j) { return i < 6 || j < 6 ? 1.3e-5 : 1e-5; });
  times.network =
      NetworkStructure{.classes = {{.hosts = {6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}, {.hosts = {0, 1, 2, 3, 4, 5}}}};
  EXPECT_TRUE(find_outliers(times).outliers.empty());
}

TEST(Outliers, HostsThatWereHardlyMeasuredAreNamed) {
  HostPairTimes times = exact_times(8, [](int, int) { return 1e-5; });
  std::erase_if(times.times, [](const HostPairTime& time) { return time.second == 7 && time.first != 0; });
  EXPECT_EQ(find_outliers(times).untested, (std::vector<std::string>{"h7"}));
  EXPECT_THROW(static_cast<void>(find_outliers(exact_times(3, [](int, int) { return 1e-5; }))), UsageError);
}

TEST(Outliers, OnlyWhatIsSlowerByEnoughCounts) {
  const auto time = [](int i, int j) { return i == 2 || j == 2 ? 1.04e-5 : 1e-5; };
  EXPECT_TRUE(find_outliers(exact_times(8, time)).outliers.empty());
  EXPECT_EQ(find_outliers(exact_times(8, time), {.least = 0.03}).outliers.size(), 1U);
  EXPECT_TRUE(
      find_outliers(exact_times(8, [](int i, int j) { return i == 2 || j == 2 ? 0.8e-5 : 1e-5; })).outliers.empty());
}

}  // namespace
}  // namespace postage
