#include <postage/base/error.hpp>
#include <postage/estimate/breaks.hpp>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace postage {
namespace {

using Series = std::vector<SeriesPoint>;

Series series_of(std::size_t count, const auto& value) {
  Series series;
  for (std::size_t i = 0; i < count; ++i) {
    series.push_back({static_cast<double>(i), value(i)});
  }
  return series;
}

/// Residual sum of one run by an orthogonal decomposition of its own.
double direct_residual(std::span<const SeriesPoint> run, ErrorScale errors) {
  Eigen::MatrixX2d rows(static_cast<Eigen::Index>(run.size()), 2);
  Eigen::VectorXd response(rows.rows());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const SeriesPoint& point = run[static_cast<std::size_t>(i)];
    const double weight = errors == ErrorScale::kRelative ? 1 / point.y : 1;
    rows(i, 0) = weight;
    rows(i, 1) = weight * (point.x - run.front().x);
    response(i) = weight * point.y;
  }
  return (rows * rows.completeOrthogonalDecomposition().solve(response) - response).squaredNorm();
}

/// The best of all ways to cut at two places, each tried.
double least_residual_of_two_breaks(const Series& series, std::size_t least, ErrorScale errors) {
  const std::span<const SeriesPoint> all(series);
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t a = least; a + 2 * least <= all.size(); ++a) {
    for (std::size_t b = a + least; b + least <= all.size(); ++b) {
      best = std::min(best, direct_residual(all.first(a), errors) + direct_residual(all.subspan(a, b - a), errors) +
                                direct_residual(all.subspan(b), errors));
    }
  }
  return best;
}

TEST(FindBreaks, IsAsGoodAsTryingAllPlaces) {
  std::mt19937_64 generator(7);
  std::normal_distribution<double> noise(0, 1);
  for (const ErrorScale errors : {ErrorScale::kAbsolute, ErrorScale::kRelative}) {
    for (int trial = 0; trial < 5; ++trial) {
      // Every x twice, so that runs begin with points that say nothing of a slope.
      Series series;
      for (int i = 0; i < 24; ++i) {
        series.push_back({std::floor(i / 2.0), 50 + 0.5 * i + (i > 14 ? 5 : 0) + noise(generator)});
      }
      const StructuralBreaks found = find_breaks(series, {.errors = errors, .least_points = 4, .most_breaks = 3});
      ASSERT_EQ(found.by_count.size(), 4U);
      EXPECT_NEAR(found.by_count[0].residual_square / direct_residual(series, errors), 1, 1e-9);
      EXPECT_NEAR(found.by_count[2].residual_square / least_residual_of_two_breaks(series, 4, errors), 1, 1e-9);
    }
  }
}

TEST(FindBreaks, FindsExactSwitches) {
  const Series series = series_of(60, [](std::size_t i) {
    const auto x = static_cast<double>(i);
    return i < 20 ? 1 + x : i < 45 ? 50 + 0.1 * x : 10 + 3 * x;
  });
  const StructuralBreaks found = find_breaks(series, {});
  EXPECT_EQ(found.best().breaks, (std::vector<std::size_t>{20, 45}));
  EXPECT_NEAR(found.best().residual_square, 0, 1e-20);
  EXPECT_EQ(found.least_points, 9U);
  EXPECT_EQ(found.by_count.size(), 6U);  // ceil(60/9) - 2 breaks at most
}

TEST(FindBreaks, LeavesOneLineAndOneLevelWhole) {
  std::mt19937_64 generator(5);
  std::normal_distribution<double> noise(0, 0.3);
  int cut = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Series line =
        series_of(60, [&](std::size_t i) { return 2 + 0.5 * static_cast<double>(i) + noise(generator); });
    cut += find_breaks(line, {}).chosen > 0 ? 1 : 0;
  }
  EXPECT_LE(cut, 12);  // what the criterion lets through at 60 points, 5 %, and some
  EXPECT_EQ(find_breaks(series_of(40, [](std::size_t) { return 3.0; }), {}).chosen, 0U);
  EXPECT_EQ(find_breaks(series_of(40, [](std::size_t i) { return 0.1 * static_cast<double>(i); }), {}).chosen, 0U);
}

TEST(FindBreaks, DoesNotCutForLessThanTheFinestScatter) {
  const Series series = series_of(40, [](std::size_t i) { return i < 20 ? 1.0 : 1.001; });
  const BreakSettings constant{.regression = Regression::kConstant, .errors = ErrorScale::kRelative};
  EXPECT_EQ(find_breaks(series, constant).best().breaks, std::vector<std::size_t>{20});
  BreakSettings coarse = constant;
  coarse.finest_scatter = 0.01;
  EXPECT_EQ(find_breaks(series, coarse).chosen, 0U);
}

TEST(FindBreaks, SeesAChangeOfScatterOnlyWhereScatterMayChange) {
  std::mt19937_64 generator(17);
  std::normal_distribution<double> noise(0, 1);
  const Series series = series_of(60, [&](std::size_t i) { return 10 + (i < 35 ? 1 : 0.02) * noise(generator); });
  EXPECT_EQ(find_breaks(series, {.regression = Regression::kConstant}).chosen, 0U);
  const StructuralBreaks own = find_breaks(series, {.regression = Regression::kConstant, .scatter = Scatter::kOwn});
  EXPECT_EQ(own.best().breaks, std::vector<std::size_t>{35});
}

TEST(FindBreaks, KeepsItsDigitsFarFromTheOrigin) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> noise(0, 1e-3);
  Series near = series_of(50, [&](std::size_t i) { return (i < 30 ? 0.0 : 1.0) + noise(generator); });
  Series far = near;
  for (SeriesPoint& point : far) {
    point.x += 1e9;
  }
  const double residual = find_breaks(near, {}).best().residual_square;
  EXPECT_NEAR(find_breaks(far, {}).best().residual_square / residual, 1, 1e-9);
}

TEST(FindBreaks, FitsWhatItCanOfShortSeries) {
  EXPECT_EQ(find_breaks(series_of(5, [](std::size_t i) { return i < 3 ? 0.0 : 9.0; }), {}).by_count.size(), 1U);
  const BreakSettings halves{.least_points = 10};
  EXPECT_EQ(find_breaks(series_of(20, [](std::size_t i) { return i < 10 ? 0.0 : 9.0; }), halves).best().breaks,
            std::vector<std::size_t>{10});
}

TEST(FindBreaks, RefusesWhatItCannotJudge) {
  const auto zeros = [](std::size_t) { return 0.0; };
  EXPECT_THROW(static_cast<void>(find_breaks(series_of(2, zeros), {})), Error);
  EXPECT_THROW(static_cast<void>(find_breaks(series_of(20, zeros), {.errors = ErrorScale::kRelative})), Error);
  EXPECT_THROW(static_cast<void>(find_breaks(series_of(20, zeros), {.least_points = 2})), UsageError);
  Series broken = series_of(20, zeros);
  broken[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(static_cast<void>(find_breaks(broken, {})), Error);
}

TEST(BreakIntervals, CoverTheTruthOverSeeds) {
  std::mt19937_64 generator(11);
  constexpr int trials = 300;
  int covered = 0;
  std::size_t widest = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::normal_distribution<double> before(0, 0.5);
    std::normal_distribution<double> after(1, 1);
    const Series series = series_of(120, [&](std::size_t i) { return i < 60 ? before(generator) : after(generator); });
    const BreakSettings settings{.regression = Regression::kConstant, .most_breaks = 1};
    const StructuralBreaks found = find_breaks(series, settings);
    ASSERT_EQ(found.by_count.size(), 2U);
    const BreakInterval interval = break_intervals(series, settings, found.by_count[1].breaks).front();
    covered += interval.first <= 60 && 60 <= interval.last ? 1 : 0;
    widest = std::max(widest, interval.last - interval.first);
  }
  EXPECT_GE(covered, 270);  // 95 % of 300, less four standard deviations
  EXPECT_LT(widest, 60U);
}

TEST(BreakIntervals, AreAPlaceWithoutScatterAndBothSegmentsWhereOneSideSaysNothing) {
  const BreakSettings constant{.regression = Regression::kConstant};
  const Series exact = series_of(20, [](std::size_t i) { return i < 10 ? 1.0 : 2.0; });
  const std::size_t middle = 10;
  EXPECT_EQ(break_intervals(exact, constant, std::span(&middle, 1)).front(), (BreakInterval{10, 10}));
  const Series half = series_of(20, [](std::size_t i) { return i < 10 ? 1.0 : 2.0 + static_cast<double>(i % 2); });
  EXPECT_EQ(break_intervals(half, constant, std::span(&middle, 1)).front(), (BreakInterval{1, 19}));
}

TEST(FitRun, GivesBackALineAndItsIntervals) {
  const FittedLine exact = fit_run(series_of(9, [](std::size_t i) { return 3 - 2 * static_cast<double>(i); }), {});
  EXPECT_NEAR(exact.at(4), -5, 1e-12);
  EXPECT_NEAR(exact.slope.value, -2, 1e-12);
  const FittedLine two = fit_run(series_of(2, [](std::size_t i) { return static_cast<double>(i); }), {});
  EXPECT_TRUE(std::isinf(two.slope.upper));
  std::mt19937_64 generator(13);
  std::normal_distribution<double> noise(0, 1);
  int covered = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const FittedLine line =
        fit_run(series_of(12, [&](std::size_t i) { return 5 + 2 * static_cast<double>(i) + noise(generator); }), {});
    covered += line.slope.lower <= 2 && 2 <= line.slope.upper ? 1 : 0;
    covered += line.value_at_origin.lower <= 5 && 5 <= line.value_at_origin.upper ? 1 : 0;
  }
  EXPECT_GE(covered, 540);
}

}  // namespace
}  // namespace postage
