#include "oracle/breaks/oracle.hpp"

#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/launch/launch.hpp>
#include <postage/launch/virtual_cluster.hpp>
#include <postage/samples/samples.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

namespace postage {
namespace {

// strucchange updates an inverse where we rotate rows: its residual sums carry about half the digits.
constexpr double kOracleAccuracy = 1e-6;

void expect_same_criteria(const StructuralBreaks& ours, const OracleAnswer& theirs, double count) {
  ASSERT_EQ(ours.by_count.size(), theirs.by_count.size());
  for (std::size_t m = 0; m < ours.by_count.size(); ++m) {
    const double rss = theirs.by_count[m].residual_square;
    EXPECT_NEAR(ours.by_count[m].residual_square / rss, 1, kOracleAccuracy) << m << " breaks";
    EXPECT_NEAR(ours.by_count[m].bic, theirs.by_count[m].bic, 2 * count * kOracleAccuracy) << m << " breaks";
  }
}

/// Intervals like strucchange's, whose quantiles are to 1e-4: a place more or less.
void expect_same_intervals(const BreakCase& c, const std::vector<std::size_t>& breaks, const OracleAnswer& theirs) {
  const std::vector<BreakInterval> ours = break_intervals(c.series, c.settings(), breaks);
  ASSERT_EQ(ours.size(), theirs.lowest.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const long lowest = i == 0 ? 1 : static_cast<long>(breaks[i - 1]) + 1;
    const long highest = static_cast<long>(i + 1 == breaks.size() ? c.series.size() : breaks[i + 1]) - 1;
    const bool told = theirs.lowest[i] >= 0 || theirs.highest[i] >= 0;
    EXPECT_NEAR(static_cast<double>(ours[i].first),
                static_cast<double>(told ? std::max(theirs.lowest[i], lowest) : lowest), 1);
    EXPECT_NEAR(static_cast<double>(ours[i].last),
                static_cast<double>(told ? std::min(theirs.highest[i], highest) : highest), 1);
  }
}

/// How many breaks the cases had, so that a test knows that it tested something.
std::size_t compare(const std::vector<BreakCase>& cases) {
  const std::vector<OracleAnswer> answers = ask_strucchange(cases);
  std::size_t total = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].what);
    const StructuralBreaks ours = find_breaks(cases[i].series, cases[i].settings());
    expect_same_criteria(ours, answers[i], static_cast<double>(cases[i].series.size()));
    EXPECT_EQ(ours.chosen, answers[i].chosen);
    for (std::size_t m = 0; m < ours.by_count.size(); ++m) {
      EXPECT_EQ(ours.by_count[m].breaks, answers[i].by_count[m].breaks) << m << " breaks";
    }
    if (ours.chosen > 0) {
      expect_same_intervals(cases[i], ours.best().breaks, answers[i]);
    }
    total += ours.chosen;
  }
  return total;
}

/// Pieces of random length, level and slope, or one piece; noise from far below the shifts to well above them.
BreakCase random_case(std::mt19937_64& generator, Regression regression) {
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(generator); };
  const auto count = static_cast<std::size_t>(uniform(30, 110));
  const auto pieces = static_cast<std::size_t>(uniform(1, 5));
  const double noise = std::pow(10, uniform(-3, 0.5));
  std::normal_distribution<double> error(0, noise);
  BreakCase c{.regression = regression};
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const double level = uniform(-5, 5);
    const double slope = regression == Regression::kLine ? uniform(-1, 1) : 0;
    for (std::size_t i = piece * count / pieces; i < (piece + 1) * count / pieces; ++i) {
      const auto x = static_cast<double>(i);
      c.series.push_back({x, level + slope * x + error(generator)});
    }
  }
  c.least_points = std::max<std::size_t>(static_cast<std::size_t>(uniform(0.08, 0.25) * static_cast<double>(count)), 4);
  c.most_breaks = (count + c.least_points - 1) / c.least_points - 2;
  c.what = fmt::format("{} pieces of {} points, noise {:.3g}, h = {}", pieces, count, noise, c.least_points);
  return c;
}

std::vector<BreakCase> random_cases(Regression regression, int how_many, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<BreakCase> cases;
  for (int i = 0; i < how_many; ++i) {
    cases.push_back(random_case(generator, regression));
  }
  return cases;
}

/// One-way times over sizes from 1 B to 4 MiB, none of them twice (where a segment begins with one size repeated,
/// strucchange's recursive residuals count an error that least squares does not make), with the switches of a message
/// library: eager to rendezvous, one segment to several; multiplicative noise.
BreakCase protocol_case(std::mt19937_64& generator) {
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(generator); };
  const double noise = std::pow(10, uniform(-2.5, -1));
  std::lognormal_distribution<double> error(0, noise);
  const double eager_limit = std::pow(2, uniform(9, 14));
  const double segment_limit = std::pow(2, uniform(16, 19));
  BreakCase c{.errors = ErrorScale::kRelative, .least_points = 6};
  for (double size = 1; size < 4.2e6; size = std::max(size + 1, std::floor(size * 1.27))) {
    const double time = size < eager_limit     ? 1e-6 + 5e-10 * size
                        : size < segment_limit ? 5e-6 + 1.5e-10 * size
                                               : 2e-5 + 2.5e-10 * size;
    c.series.push_back({size, time * error(generator)});
  }
  c.most_breaks = (c.series.size() + c.least_points - 1) / c.least_points - 2;
  c.what = fmt::format("switches at {:.0f} and {:.0f} B, noise {:.2g}", eager_limit, segment_limit, noise);
  return c;
}

TEST(Strucchange, AgreesOnConstants) {
  EXPECT_GE(compare(random_cases(Regression::kConstant, 120, 1)), 120U);
}

TEST(Strucchange, AgreesOnLines) {
  EXPECT_GE(compare(random_cases(Regression::kLine, 120, 2)), 120U);
}

TEST(Strucchange, AgreesOnRoundtripsWithProtocolSwitches) {
  std::mt19937_64 generator(3);
  std::vector<BreakCase> cases;
  for (int i = 0; i < 60; ++i) {
    cases.push_back(protocol_case(generator));
  }
  EXPECT_GE(compare(cases), 100U);
}

std::string sizes_to(double largest, double factor) {
  std::string sizes = "1";
  for (double size = 2; size < largest; size = std::max(size + 1, std::floor(size * factor))) {
    sizes += fmt::format(",{:.0f}", size);
  }
  return sizes;
}

/// Roundtrips between two simulated hosts whose processors change their ways at 8 and 64 KiB.
std::vector<SeriesPoint> simulated_roundtrips() {
  setenv("POSTAGE_LIBEXEC", POSTAGE_PROGRAMS, 1);
  const TemporaryFolder folder;
  const VirtualClusterFiles files = write_virtual_cluster(flat_cluster(2, {1e-6, 1e-10}, 1e-5, 1e9), folder.path());
  std::string platform = read_file(files.platform);
  const std::string plain = "0:1e-06:1e-10";
  for (auto at = platform.find(plain); at != std::string::npos; at = platform.find(plain, at + 1)) {
    platform.replace(at, plain.size(), "0:1e-6:1e-10;8192:6e-6:3e-10;65536:4e-5:0");
  }
  write_file(files.platform, platform);
  const auto output = folder.path() / "samples.json";
  static_cast<void>(
      run_command(launch_command({.hostfile = files.hostfile,
                                  .ranks = 2,
                                  .virtual_platform = files.platform,
                                  .smpi_arguments = files.smpi_arguments},
                                 {"--sizes", sizes_to(1e6, 1.2), "--train-sizes", "none", "-o", output.string()}),
                  120));
  std::vector<SeriesPoint> series;
  for (const Measurement& m : samples_from_json(read_json(output), output).measurements) {
    if (m.experiment.kind == ExperimentKind::kRoundtrip && m.experiment.reply_bytes == m.experiment.bytes) {
      series.push_back({static_cast<double>(m.experiment.bytes), m.summary.median});
    }
  }
  return series;
}

TEST(Strucchange, AgreesOnSimulatedRoundtripsWithNoise) {
  const std::vector<SeriesPoint> exact = simulated_roundtrips();
  ASSERT_GT(exact.size(), 40U);
  std::mt19937_64 generator(4);
  std::lognormal_distribution<double> error(0, 0.005);
  std::vector<BreakCase> cases;
  for (int i = 0; i < 20; ++i) {
    cases.push_back({.what = fmt::format("noise {}", i),
                     .series = exact,
                     .errors = ErrorScale::kRelative,
                     .least_points = 5,
                     .most_breaks = 6});
    for (SeriesPoint& point : cases.back().series) {
      point.y *= error(generator);
    }
    const StructuralBreaks found = find_breaks(cases.back().series, cases.back().settings());
    const std::vector<std::size_t>& two = found.by_count.at(2).breaks;
    for (const auto& [place, limit] : {std::pair(two[0], 8192.0), {two[1], 65536.0}}) {
      EXPECT_LE(exact[place - 1].x, limit);
      EXPECT_GT(exact[place].x, limit);
    }
  }
  EXPECT_GE(compare(cases), 40U);
}

}  // namespace
}  // namespace postage
