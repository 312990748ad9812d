#include <postage/base/error.hpp>
#include <postage/estimate/estimate.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace postage {
namespace {

std::vector<CurvePoint> curve(const auto& seconds_of) {
  std::vector<CurvePoint> points;
  for (Bytes bytes = 1; bytes <= (Bytes{1} << 22); bytes *= 2) {
    points.push_back({bytes, seconds_of(static_cast<double>(bytes))});
  }
  return points;
}

TEST(FitLine, GivesBackExactParametersWithoutResidual) {
  const LinePiece line = fit_line(curve([](double m) { return 3e-6 + 2e-10 * m; }));
  EXPECT_NEAR(line.intercept.value / 3e-6, 1, 1e-9);
  EXPECT_NEAR(line.slope.value / 2e-10, 1, 1e-9);
  EXPECT_LT(line.intercept.upper - line.intercept.lower, 1e-12);
}

TEST(FitLine, NeverGoesBelowZero) {
  const std::vector<CurvePoint> falling{{1, 5e-6}, {1000, 4e-6}, {2000, 3e-6}};
  EXPECT_EQ(fit_line(falling).slope.value, 0);
  const std::vector<CurvePoint> steep{{1000, 1e-6}, {2000, 3e-6}, {3000, 6e-6}};
  EXPECT_EQ(fit_line(steep).intercept.value, 0);
}

TEST(FitLine, SaysThatTwoPointsHaveNoInterval) {
  const std::vector<CurvePoint> two{{1, 1e-6}, {1001, 2e-6}};
  const LinePiece line = fit_line(two);
  EXPECT_NEAR(line.slope.value, 1e-9, 1e-15);
  EXPECT_TRUE(std::isinf(line.slope.upper));
}

TEST(FitLine, IntervalsCoverTheTruthOverSeeds) {
  int covered = 0;
  std::mt19937_64 generator(11);
  std::normal_distribution<double> noise(1, 0.02);
  for (int trial = 0; trial < 300; ++trial) {
    const LinePiece line = fit_line(curve([&](double m) { return (3e-6 + 2e-10 * m) * noise(generator); }));
    covered += line.intercept.lower <= 3e-6 && 3e-6 <= line.intercept.upper ? 1 : 0;
  }
  EXPECT_GE(covered, 270);  // 95 % of 300, less four standard deviations
}

TEST(FitPieces, LeavesAStraightNoisyLineWhole) {
  std::mt19937_64 generator(5);
  std::normal_distribution<double> noise(1, 0.01);
  for (int trial = 0; trial < 20; ++trial) {
    EXPECT_EQ(fit_pieces(curve([&](double m) { return (3e-6 + 2e-10 * m) * noise(generator); })).size(), 1U);
  }
}

TEST(FitPieces, FindsAProtocolSwitch) {
  const auto lines = fit_pieces(curve([](double m) { return m < 4096 ? 1e-6 + 1e-9 * m : 8e-6 + 1e-10 * m; }));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].from_bytes, 0);
  EXPECT_GT(lines[1].from_bytes, 2048);
  EXPECT_LE(lines[1].from_bytes, 4096);
  EXPECT_NEAR(lines[1].intercept.value / 8e-6, 1, 1e-6);
}

// What two ranks of Open MPI on one machine measured, 8 B to 4 MiB: no single line is near it.
TEST(FitPieces, FollowsARealCurveBetweenItsPoints) {
  const std::vector<CurvePoint> measured{{8, .262e-6},    {64, .30e-6},       {256, .42e-6},     {1024, .77e-6},
                                         {2048, 1.0e-6},  {4096, 1.56e-6},    {8192, 1.7e-6},    {16384, 1.90e-6},
                                         {32768, 2.6e-6}, {65536, 3.84e-6},   {131072, 6.1e-6},  {262144, 10.4e-6},
                                         {524288, 24e-6}, {1048576, 53.5e-6}, {2097152, 150e-6}, {4194304, 378e-6}};
  EXPECT_GT(fit_pieces(measured).size(), 1U);
  const LinePiece one = fit_line(measured);
  double worst = 0;
  for (const CurvePoint& p : measured) {
    worst = std::max(worst,
                     std::abs((one.intercept.value + one.slope.value * static_cast<double>(p.bytes)) / p.seconds - 1));
  }
  EXPECT_GT(worst, 0.3);  // the wrong model shows in its residual
}

TEST(EstimatePlatform, RefusesSamplesWithoutRoundtrips) {
  EXPECT_THROW(static_cast<void>(estimate_platform(SampleSet{}, "nothing")), Error);
}

}  // namespace
}  // namespace postage
