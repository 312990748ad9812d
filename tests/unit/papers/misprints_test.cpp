// The proofs of the page of misprints: each number step by step, beside the printed formula.
#include <postage/predict/formulas/ali.hpp>
#include <postage/predict/formulas/rico_gallego.hpp>
#include <postage/predict/formulas/tu.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace postage {
namespace {

namespace cell = closed_form::cell;

TEST(Misprints, LinearBroadcastLacksTheLastReceiversHalf) {
  const MiddlewareLevel level{.overhead = CostCurve::constant(6), .network = CostCurve::constant(100)};
  EXPECT_EQ(closed_form::linear_bcast(level, 64, 1024, 0), 64 * 3 + 100);
  EXPECT_EQ(closed_form::linear_bcast_as_printed(level, level, 64, 8, 1024, 0), 63 * 3 + 100);
  EXPECT_EQ(closed_form::linear_bcast_as_printed(level, level, 64, 1, 1024, 0), 63 * 3 + 100);
}

TEST(Misprints, RecursiveDoublingCostsTwiceTheScatterForTwoProcesses) {
  const auto ratio = [](const CostSurface& transfer, std::int64_t ranks) {
    const TauLopLink link{.transfer = transfer};
    return closed_form::recursive_doubling_allgather(link, ranks, 8192, 32) /
           closed_form::binomial_scatter(link, ranks, 8192, 32);
  };
  const CostSurface grows({{1, CostCurve::constant(1)}, {128, CostCurve::constant(128)}});
  EXPECT_DOUBLE_EQ(ratio(grows, 2), 2);
  EXPECT_GT(ratio(grows, 4), 2);
  EXPECT_DOUBLE_EQ(ratio(CostSurface({{1, CostCurve::constant(2e-6)}}), 32), 2);
  // Two transfers at once take three times as long as one: the exchange is the shorter one.
  const TauLopLink slow{.transfer = CostSurface({{1, CostCurve::constant(1)}, {2, CostCurve::constant(3)}})};
  EXPECT_LT(closed_form::segmented_exchange(slow, 8192, 10),
            closed_form::segmented_message_approximately(slow, 8192, 10));
}

// Lastovetsky and Rychkov: 8 ranks, C = 50 us, t = 5 ns, beta = 100 MB/s.
constexpr double kC = 50;
constexpr double kT = 5e-3;
constexpr double kWire = 1e-2;  // us/B

TEST(Misprints, RootReceivesTheFirstReplyWhileItWaits) {
  constexpr double kBytes = 32768;
  const double send = kC + kBytes * kT;
  const double at_target = kBytes * kWire + send + kC;  // the wire, receiving it, sending an empty reply
  double receives_until = 0;
  for (const double sent : {send, 2 * send}) {
    receives_until = std::max(receives_until, sent + at_target) + kC;
  }
  EXPECT_NEAR(receives_until, 1069.2, 0.01);
  EXPECT_NEAR(4 * kC + 2 * kBytes * kT + (2 * kC + kBytes * kT + kBytes * kWire), 1119.2, 0.01);
}

TEST(Misprints, GatherOfLargeBlocksHandlesNMessages) {
  constexpr double kBytes = 153600;
  const double root = kC + kT * kBytes;
  const auto gather = [&](int messages) {
    return messages * root + 7 * (kC + kT * kBytes + kWire * kBytes) + 0.02 * kBytes;
  };
  EXPECT_NEAR(gather(7), 25276, 0.5);
  EXPECT_NEAR(gather(6), 24458, 0.5);
}

/// A line is fitted to times that have a slope of their own; eq. 10 with the kappa found from it must give that slope.
TEST(Misprints, PrintedKappaHoldsTheRootsShareTwice) {
  constexpr double kSlope = 0.2;
  const double others = 7 * (kT + kWire);
  const double printed = kSlope - others;
  EXPECT_NEAR(7 * kT + others + printed, kSlope + 0.035, 1e-12);
  EXPECT_NEAR(7 * kT + others + (printed - 7 * kT), kSlope, 1e-12);
}

TEST(Misprints, GapsOfABinomialTreeOnTwoChips) {
  struct Level {
    int degree;
    int on_chip;
    int across;
  };
  constexpr std::array<Level, 4> kTree{{{4, 3, 1}, {3, 3, 0}, {2, 2, 0}, {1, 1, 0}}};
  int q_1 = 0;
  int q_2 = 0;
  for (const Level& level : kTree) {
    q_1 += level.degree - level.across - 1;
    q_2 += level.degree - level.on_chip - 1;
  }
  EXPECT_EQ(q_1, 5);
  EXPECT_EQ(q_2, -3);
  EXPECT_EQ(cell::binomial_gaps(cell::Chips::kTwo, 16), 5);
  EXPECT_EQ(cell::binomial_gaps(cell::Chips::kOne, 8), 3);
}

/// L(1) = 1, of 16 bytes, L of longer messages 0: what the formulas count of acknowledgements.
cell::Blade only_acknowledgements() {
  return {.chip = {.latency = CostCurve({{16, 1}, {17, 0}})}};
}

TEST(Misprints, RecursiveDoublingHasTwoAcknowledgementsInOneTable) {
  EXPECT_EQ(cell::recursive_doubling_allreduce(only_acknowledgements(), cell::Chips::kOne, 8, 1024), 6);
  EXPECT_EQ(cell::recursive_doubling_allgather(only_acknowledgements(), cell::Chips::kOne, 8, 1024), 3);
}

TEST(Misprints, HybridCrossesInTheFourthRound) {
  constexpr int kElementsOfAChip = 8;
  for (int k = 1; k <= 4; ++k) {
    EXPECT_EQ((1 << (k - 1)) >= kElementsOfAChip, k > 3);
  }
  const cell::Blade across{.across = {.latency = CostCurve::constant(1)}};
  EXPECT_EQ(cell::hybrid_a_allreduce(across, 16, 1024, 3), 2);  // L_2(m) + L_2(1) in round 4, though x = 3
}

TEST(Misprints, SegmentedBroadcastTakesARoundMoreThanItsTreeIsHigh) {
  constexpr int kScatter = 1;
  constexpr int kHalves = 2;  // log2 8 - 1
  constexpr int kExchange = 1;
  EXPECT_EQ(cell::segmented_binomial_bcast(only_acknowledgements(), cell::Chips::kOne, 8, 1024),
            kScatter + kHalves + kExchange);
}

}  // namespace
}  // namespace postage
