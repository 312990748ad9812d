// From times of every protocol at every size to thresholds, on tables whose best thresholds are known.
#include <postage/base/error.hpp>
#include <postage/estimate/shm_thresholds.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>

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

std::vector<ProtocolTimes> table_of(const std::array<Line, kShmProtocols.size()>& lines) {
  std::vector<ProtocolTimes> table;
  for (Bytes bytes = 64; bytes <= Bytes{4} << 20; bytes *= 2) {
    ProtocolTimes& times = table.emplace_back();
    times.bytes = bytes;
    for (const ShmProtocol protocol : kShmProtocols) {
      const Line& line = lines[static_cast<std::size_t>(protocol)];
      times.by(protocol) = line.start + line.per_byte * static_cast<double>(bytes);
    }
  }
  return table;
}

/// The ring is overtaken by the pool after 4 KiB, that by single copy at 64 KiB, and that by cooperative copies at 512
/// KiB. A window of the pool takes as long as all of it.
std::vector<ProtocolTimes> crossing_table() {
  constexpr Line kPoolLine{100 + 6000 * 0.5, 0.5};
  return table_of({{{100, 1},
                    kPoolLine,
                    kPoolLine,
                    {100 + 6000 * 0.5 + 40000 * 0.3, 0.2},
                    {100 + 6000 * 0.5 + 40000 * 0.3 + 300000 * 0.1, 0.1}}});
}

ProtocolThresholds choose(const std::vector<ProtocolTimes>& one_way) {
  return choose_thresholds(TrafficTimes{.one_way = one_way, .bidirectional = crossing_table()}, kPool);
}

TEST(ChooseThresholds, FindsWhereLinesCross) {
  const ProtocolThresholds chosen = choose(crossing_table());
  EXPECT_EQ(chosen, (ProtocolThresholds{.eager = 4096,
                                        .single_copy = 65536,
                                        .cooperative = 524288,
                                        .skewed_single_copy = 262144,
                                        .bidirectional_single_copy = 65536}));
}

TEST(ChooseThresholds, IsNotMovedByASingleOddTime) {
  std::vector<ProtocolTimes> table = crossing_table();
  table[3].by(ShmProtocol::kSingleCopy) /= 20;
  table[table.size() - 3].by(ShmProtocol::kBuffered) /= 3;
  EXPECT_EQ(choose(table), choose(crossing_table()));
}

TEST(ChooseThresholds, KeepsAsideProtocolsThatAreNeverFastest) {
  std::vector<ProtocolTimes> table = crossing_table();
  for (ProtocolTimes& times : table) {
    times.by(ShmProtocol::kSingleCopy) = times.by(ShmProtocol::kCooperative) = kInfinity;
  }
  const ProtocolThresholds refused = choose(table);
  EXPECT_EQ(refused.eager, 4096);
  EXPECT_EQ(refused.single_copy, kNever);
  EXPECT_EQ(refused.cooperative, kNever);
  EXPECT_EQ(refused.skewed_single_copy, kNever);
}

/// As in the machine: a ring takes short messages only, and the pool has no room for the longest ones.
TEST(ChooseThresholds, MindsProtocolsThatEndSomewhere) {
  std::vector<ProtocolTimes> table = crossing_table();
  for (ProtocolTimes& times : table) {
    if (times.bytes > 32768) {
      times.by(ShmProtocol::kEager) = kInfinity;
    }
  }
  table.back().by(ShmProtocol::kBuffered) = kInfinity;
  EXPECT_EQ(choose(table), choose(crossing_table()));
}

/// Where no size takes the pool, sizes between two of the table take no pool either.
TEST(ChooseThresholds, LeavesNoGapBetweenRingAndSingleCopy) {
  const ProtocolThresholds chosen = choose(table_of({{{100, 1}, {100000, 0.9}, {100000, 0.9}, {3000, 0.1}, {1e9, 1}}}));
  EXPECT_EQ(chosen.single_copy, 4096);
  EXPECT_EQ(chosen.cooperative, kNever);
  EXPECT_GE(chosen.eager, 4095);
}

TEST(ChooseThresholds, ComparesRingAndPoolForPairsWithoutSingleCopy) {
  // Single copy is fastest everywhere; the two others still cross at 4 KiB.
  std::vector<ProtocolTimes> table = crossing_table();
  for (ProtocolTimes& times : table) {
    times.by(ShmProtocol::kSingleCopy) = 1;
  }
  const ProtocolThresholds chosen = choose(table);
  EXPECT_EQ(chosen.single_copy, 64);
  EXPECT_EQ(chosen.eager, 4096);
}

TEST(ChooseThresholds, LosesNoMoreThanAnyOtherChoice) {
  std::mt19937 random(3);
  const auto loss = [](const std::vector<ProtocolTimes>& table, const ProtocolThresholds& thresholds) {
    double sum = 0;
    for (const ProtocolTimes& times : table) {
      const bool cooperative = times.bytes >= thresholds.cooperative;
      const bool single = times.bytes >= thresholds.single_copy;
      const ShmProtocol protocol = cooperative                       ? ShmProtocol::kCooperative
                                   : single                          ? ShmProtocol::kSingleCopy
                                   : times.bytes <= thresholds.eager ? ShmProtocol::kEager
                                                                     : ShmProtocol::kBuffered;
      sum += std::log(times.by(protocol));
    }
    return sum;
  };
  for (int run = 0; run < 50; ++run) {
    std::vector<ProtocolTimes> table = crossing_table();
    for (ProtocolTimes& times : table) {
      for (Seconds& seconds : times.seconds) {
        seconds *= std::uniform_real_distribution<>(0.2, 5)(random);
      }
      times.by(ShmProtocol::kBufferedWindow) = times.by(ShmProtocol::kBuffered);
    }
    const ProtocolThresholds chosen = choose(table);
    for (const ProtocolTimes& single : table) {
      for (const ProtocolTimes& cooperative : table) {
        if (cooperative.bytes >= single.bytes) {
          const ProtocolThresholds other{.eager = chosen.eager,
                                         .single_copy = single.bytes,
                                         .cooperative = cooperative.bytes,
                                         .skewed_single_copy = kNever};
          EXPECT_LE(loss(table, chosen), loss(table, other) + 1e-9);
        }
      }
    }
  }
}

TEST(ChooseThresholds, HasAThresholdForBidirectionalTraffic) {
  std::vector<ProtocolTimes> bidirectional = crossing_table();
  for (ProtocolTimes& times : bidirectional) {
    // Cooperative copies are not made there, however fast they are.
    times.by(ShmProtocol::kCooperative) = 1;
    times.by(ShmProtocol::kSingleCopy) *= times.bytes < 262144 ? 10 : 1;
  }
  const ProtocolThresholds chosen =
      choose_thresholds({.one_way = crossing_table(), .bidirectional = bidirectional}, kPool);
  EXPECT_EQ(chosen.bidirectional_single_copy, 262144);
  EXPECT_EQ(chosen.single_copy, 65536);
  for (ProtocolTimes& times : bidirectional) {
    times.by(ShmProtocol::kSingleCopy) = kInfinity;
  }
  EXPECT_EQ(
      choose_thresholds({.one_way = crossing_table(), .bidirectional = bidirectional}, kPool).bidirectional_single_copy,
      kNever);
}

TEST(ChooseThresholds, UsesAWindowOfThePoolWhereThatIsFaster) {
  for (const auto& [factor, expected] : {std::pair(0.7, true), std::pair(0.97, false), std::pair(1.5, false)}) {
    std::vector<ProtocolTimes> table = crossing_table();
    for (ProtocolTimes& times : table) {
      times.by(ShmProtocol::kBufferedWindow) *= factor;
    }
    const ProtocolThresholds chosen = choose_thresholds({.one_way = table, .bidirectional = table}, kPool);
    EXPECT_EQ(chosen.pool_window, expected) << factor;
    EXPECT_EQ(chosen.single_copy > 65536, expected) << "single copy is compared with what is used: " << factor;
  }
}

TEST(ChooseThresholds, AreThoseOfEachLevelAndUseOfBuffers) {
  LevelTimes times{.level = LocalityLevel::kSocket};
  times.rewritten = times.reused = {.one_way = crossing_table(), .bidirectional = crossing_table()};
  for (ProtocolTimes& at : times.reused.one_way) {
    at.by(ShmProtocol::kSingleCopy) = 1;
  }
  const std::vector<MeasuredThresholds> chosen = choose_thresholds(std::span(&times, 1));
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_EQ(chosen[0].level, name_of(LocalityLevel::kSocket));
  EXPECT_EQ(chosen[0].buffers, BufferUse::kRewritten);
  EXPECT_EQ(chosen[0].thresholds, choose(crossing_table()));
  EXPECT_EQ(chosen[1].buffers, BufferUse::kReused);
  EXPECT_EQ(chosen[1].thresholds.single_copy, 64);
}

TEST(ChooseThresholds, RefusesATableThatIsEmptyOrOutOfOrder) {
  EXPECT_THROW(static_cast<void>(choose({})), UsageError);
  std::vector<ProtocolTimes> table = crossing_table();
  std::swap(table[1], table[2]);
  EXPECT_THROW(static_cast<void>(choose(table)), UsageError);
}

}  // namespace
}  // namespace postage
