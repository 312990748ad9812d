#include "validate/random/kept_seed.hpp"
#include "validate/random/random_points.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/launch/launch.hpp>
#include <postage/validate/random_suite.hpp>

#include <gtest/gtest.h>

#include <set>

namespace postage {
namespace {

TEST(RandomSuite, ReadsSeeds) {
  EXPECT_EQ(parse_seeds("17").first, 17U);
  EXPECT_EQ(parse_seeds("17").last, 17U);
  EXPECT_EQ(parse_seeds("1:12").last, 12U);
  for (const char* wrong : {"", "a", "1:", "12:1", "1:2:3"}) {
    EXPECT_THROW(static_cast<void>(parse_seeds(wrong)), UsageError) << wrong;
  }
}

/// On all ranks of the platform, as many as asked for or one choice more, the same again, and all algorithms of each
/// choice.
TEST(RandomSuite, DrawsPoints) {
  const RandomPlatform platform = random_platform(3);
  const std::vector<BatchPoint> points = random_points(platform, 60);
  EXPECT_GE(points.size(), 60U);
  EXPECT_LE(points.size(), 60U + 40U);
  EXPECT_EQ(format_batch(points), format_batch(random_points(platform, 60)));
  for (const BatchPoint& point : points) {
    EXPECT_EQ(point.ranks, platform.ranks());
  }
}

/// Of all points that there are: every collective, three roots, and the sizes beside the threshold.
TEST(RandomSuite, CoversSizesAndRoots) {
  const RandomPlatform platform = random_platform(3);
  ASSERT_EQ(platform.protocol.detached_below, Bytes{16} << 10);
  std::set<Collective> collectives;
  std::set<Rank> roots;
  std::set<Bytes> sizes;
  for (const BatchPoint& point : random_points(platform, 100'000)) {
    collectives.insert(point.run.collective);
    roots.insert(point.run.root);
    sizes.insert(point.run.bytes);
  }
  EXPECT_EQ(collectives.size(), 11U);
  EXPECT_EQ(roots, (std::set<Rank>{0, 4, 11}));
  EXPECT_EQ(sizes, (std::set<Bytes>{0, 64, 1024, 8192, 16383, 16384, 16385, 65536, 1 << 20}));
}

/// What is kept is not simulated again, unless other points are asked for.
TEST(KeptSeed, UsesWhatIsThere) {
  const TemporaryFolder folder;
  const RandomPlatform platform = random_platform(3);
  const std::vector<BatchPoint> points = random_points(platform, 1);
  int simulated = 0;
  const auto simulate = [&] {
    ++simulated;
    return std::vector<std::vector<double>>(points.size(), {1e-6, 0.1 + 0.2});
  };
  const auto first = KeptSeed(folder.path(), platform).times(points, simulate);
  EXPECT_EQ(KeptSeed(folder.path(), platform).times(points, simulate), first);
  EXPECT_EQ(simulated, 1);
  static_cast<void>(KeptSeed(folder.path(), platform).times(random_points(platform, 40), simulate));
  EXPECT_EQ(simulated, 2);
  static_cast<void>(KeptSeed("", platform).times(points, simulate));
  EXPECT_EQ(simulated, 3) << "nothing is kept without a folder";
}

/// Two seeds, both with earlier results: nothing is simulated. Twice the same is refused.
TEST(RandomSuite, TakesEarlierResults) {
  const TemporaryFolder folder;
  std::vector<std::string> files;
  for (const char* name : {"seed3", "seed4"}) {
    const AccuracyReport one{.points = {{.platform = name, .collective = "bcast", .measured = 1}},
                             .platforms = {{name, "a torus"}}};
    files.push_back((folder.path() / name).string());
    write_json(files.back(), to_json(one));
  }
  RandomPlan plan{.seeds = {3, 4}, .output = folder.path() / "all.json", .earlier = files};
  const AccuracyReport report = run_random_suite(plan);
  ASSERT_EQ(report.points.size(), 2U);
  EXPECT_EQ(report.points[1].platform, "seed4");
  EXPECT_EQ(report.platforms.size(), 2U);
  plan.earlier.push_back(files.front());
  EXPECT_THROW(static_cast<void>(run_random_suite(plan)), UsageError);
}

/// Two of three points that have an interval lie in it; the fourth has none.
TEST(RandomSuite, CountsCoverage) {
  const auto point = [](Seconds measured, bool has_interval) {
    AccuracyPoint one{.platform = "seed8", .measured = measured};
    if (has_interval) {
      one.intervals["flow"] = {1, 2};
    }
    return one;
  };
  const std::vector<AccuracyPoint> points{point(1, true), point(1.5, true), point(3, true), point(9, false)};
  EXPECT_EQ(coverage_of(points, "flow").points, 3U);
  EXPECT_DOUBLE_EQ(coverage_of(points, "flow").share, 2.0 / 3);
  EXPECT_EQ(coverage_of(points, "loggp").points, 0U);
  EXPECT_EQ(family_of(points[0]), "fat tree");  // 8 modulo 7 is 1
}

}  // namespace
}  // namespace postage
