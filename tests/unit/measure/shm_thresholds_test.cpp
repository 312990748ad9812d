// From times of every way at every size to thresholds, on tables whose best thresholds are known.
#include <postage/base/error.hpp>
#include <postage/measure/shm_protocols.hpp>
#include <postage/platform/topology.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace postage {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Bytes kPool = Bytes{4} << 20;
constexpr Bytes kNever = ProtocolThresholds::kNever;

/// Lines that cross where a test wants them to: seconds = start + bytes * per_byte.
struct Line {
  double start = 0;
  double per_byte = 0;
};

std::vector<WayTimes> table_of(const std::array<Line, kChannelWays.size()>& lines) {
  std::vector<WayTimes> table;
  for (Bytes bytes = 64; bytes <= Bytes{4} << 20; bytes *= 2) {
    WayTimes& times = table.emplace_back();
    times.bytes = bytes;
    for (const ShmProtocol way : kChannelWays) {
      const Line& line = lines[static_cast<std::size_t>(way)];
      times.by(way) = line.start + line.per_byte * static_cast<double>(bytes);
    }
  }
  return table;
}

/// The ring is overtaken by the pool after 4 KiB, that by single copy at 64 KiB, and that by joint copy at 512 KiB.
std::vector<WayTimes> crossing_table() {
  return table_of({{{100, 1},
                    {100 + 6000 * 0.5, 0.5},
                    {100 + 6000 * 0.5 + 40000 * 0.3, 0.2},
                    {100 + 6000 * 0.5 + 40000 * 0.3 + 300000 * 0.1, 0.1}}});
}

TEST(ChooseThresholds, FindsWhereLinesCross) {
  const ProtocolThresholds chosen = choose_thresholds(crossing_table(), kPool);
  EXPECT_EQ(chosen, (ProtocolThresholds{.eager = 4096,
                                        .single_copy = 65536,
                                        .joint_copy = 524288,
                                        .skewed_single_copy = 262144,
                                        .exchange = ProtocolThresholds::kLeastExchange}));
}

TEST(ChooseThresholds, IsNotMovedByASingleOddTime) {
  std::vector<WayTimes> table = crossing_table();
  table[3].by(ShmProtocol::kSingleCopy) /= 20;
  table[table.size() - 3].by(ShmProtocol::kPool) /= 3;
  EXPECT_EQ(choose_thresholds(table, kPool), choose_thresholds(crossing_table(), kPool));
}

TEST(ChooseThresholds, KeepsAsideWaysThatAreNeverFastest) {
  std::vector<WayTimes> table = crossing_table();
  for (WayTimes& times : table) {
    times.by(ShmProtocol::kSingleCopy) = times.by(ShmProtocol::kJointCopy) = kInfinity;
  }
  const ProtocolThresholds refused = choose_thresholds(table, kPool);
  EXPECT_EQ(refused.eager, 4096);
  EXPECT_EQ(refused.single_copy, kNever);
  EXPECT_EQ(refused.joint_copy, kNever);
  EXPECT_EQ(refused.skewed_single_copy, kNever);
  EXPECT_EQ(refused.exchange, kNever);
}

/// As in the machine: a ring takes short messages only, and the pool has no room for the longest ones.
TEST(ChooseThresholds, MindsWaysThatEndSomewhere) {
  std::vector<WayTimes> table = crossing_table();
  for (WayTimes& times : table) {
    if (times.bytes > 32768) {
      times.by(ShmProtocol::kRing) = kInfinity;
    }
  }
  table.back().by(ShmProtocol::kPool) = kInfinity;
  EXPECT_EQ(choose_thresholds(table, kPool), choose_thresholds(crossing_table(), kPool));
}

/// Where no size takes the pool, sizes between two of the table take no pool either.
TEST(ChooseThresholds, LeavesNoGapBetweenRingAndSingleCopy) {
  const ProtocolThresholds chosen =
      choose_thresholds(table_of({{{100, 1}, {100000, 0.9}, {3000, 0.1}, {1e9, 1}}}), kPool);
  EXPECT_EQ(chosen.single_copy, 4096);
  EXPECT_EQ(chosen.joint_copy, kNever);
  EXPECT_GE(chosen.eager, 4095);
}

TEST(ChooseThresholds, ComparesRingAndPoolForPairsWithoutSingleCopy) {
  // Single copy is fastest everywhere; the two others still cross at 4 KiB.
  std::vector<WayTimes> table = crossing_table();
  for (WayTimes& times : table) {
    times.by(ShmProtocol::kSingleCopy) = 1;
  }
  const ProtocolThresholds chosen = choose_thresholds(table, kPool);
  EXPECT_EQ(chosen.single_copy, 64);
  EXPECT_EQ(chosen.eager, 4096);
}

TEST(ChooseThresholds, LosesNoMoreThanAnyOtherChoice) {
  std::mt19937 random(3);
  const auto loss = [](const std::vector<WayTimes>& table, const ProtocolThresholds& thresholds) {
    double sum = 0;
    for (const WayTimes& times : table) {
      const bool joint = times.bytes >= thresholds.joint_copy;
      const bool single = times.bytes >= thresholds.single_copy;
      const ShmProtocol way = joint                             ? ShmProtocol::kJointCopy
                              : single                          ? ShmProtocol::kSingleCopy
                              : times.bytes <= thresholds.eager ? ShmProtocol::kRing
                                                                : ShmProtocol::kPool;
      sum += std::log(times.by(way));
    }
    return sum;
  };
  for (int round = 0; round < 50; ++round) {
    std::vector<WayTimes> table = crossing_table();
    for (WayTimes& times : table) {
      for (Seconds& seconds : times.seconds) {
        seconds *= std::uniform_real_distribution<>(0.2, 5)(random);
      }
    }
    const ProtocolThresholds chosen = choose_thresholds(table, kPool);
    for (const WayTimes& single : table) {
      for (const WayTimes& joint : table) {
        if (joint.bytes >= single.bytes) {
          const ProtocolThresholds other{.eager = chosen.eager,
                                         .single_copy = single.bytes,
                                         .joint_copy = joint.bytes,
                                         .skewed_single_copy = kNever};
          EXPECT_LE(loss(table, chosen), loss(table, other) + 1e-9);
        }
      }
    }
  }
}

TEST(ChooseThresholds, RefusesATableThatIsEmptyOrOutOfOrder) {
  EXPECT_THROW(static_cast<void>(choose_thresholds({}, kPool)), UsageError);
  std::vector<WayTimes> table = crossing_table();
  std::swap(table[1], table[2]);
  EXPECT_THROW(static_cast<void>(choose_thresholds(table, kPool)), UsageError);
}

TEST(MeasureThresholds, GivesThresholdsThatTheChannelTakes) {
  const ThresholdSettings quick{.sizes = {64, 4096, 65536}, .rounds = 3, .batch = 20e-6};
  if (discover_topology().cores.size() < 2) {
    EXPECT_THROW(static_cast<void>(measure_channel_thresholds(quick)), UsageError);
    return;
  }
  const std::vector<MeasuredDistance> measured = measure_channel_thresholds(quick);
  ASSERT_FALSE(measured.empty());
  for (const MeasuredDistance& one : measured) {
    ASSERT_EQ(one.times.size(), 3U);
    EXPECT_NE(one.pus[0], one.pus[1]);
    for (const WayTimes& times : one.times) {
      EXPECT_GT(times.by(ShmProtocol::kPool), 0);
      EXPECT_EQ(times.by(ShmProtocol::kRing) == kInfinity, times.bytes == 65536);
    }
    ThresholdTable table;
    table.set(one.distance, one.thresholds);
    EXPECT_EQ(table.of(one.distance), one.thresholds);
  }
}

}  // namespace
}  // namespace postage
