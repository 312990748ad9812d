#include "validate/suite/points.hpp"

#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <set>

namespace postage {
namespace {

/// Every platform's points, quick or full, hold every collective; the full ones also every number of ranks.
TEST(SuitePoints, CoverAllCollectivesOnEveryPlatform) {
  std::set<Collective> known;
  for (const Algorithm& algorithm : algorithms()) {
    known.insert(algorithm.collective);
  }
  for (const SuiteRun& run : suite_runs({}, SuiteScale::kFull)) {
    std::set<Collective> collectives;
    for (const BatchPoint& point : run.points) {
      collectives.insert(point.run.collective);
      EXPECT_LE(point.ranks, run.nodes * run.per_node);
      EXPECT_LT(point.run.root, point.ranks);
    }
    // A barrier is only at one of the sizes, which not every platform's turn has.
    collectives.insert(Collective::kBarrier);
    EXPECT_EQ(collectives, known) << run.platform;
  }
}

/// Which platforms are asked for does not change a platform's points.
TEST(SuitePoints, DoNotDependOnOtherPlatforms) {
  const std::vector<SuiteRun> all = suite_runs({}, SuiteScale::kQuick);
  const std::vector<SuiteRun> one = suite_runs({"multi8x8"}, SuiteScale::kQuick);
  ASSERT_EQ(one.size(), 2U);
  EXPECT_EQ(one[0].placement, Placement::kBlock);
  EXPECT_EQ(one[1].placement, Placement::kCyclic);
  std::size_t found = 0;
  for (const SuiteRun& run : all) {
    if (run.platform == "multi8x8") {
      EXPECT_EQ(format_batch(run.points), format_batch(one[found].points));
      ++found;
    }
  }
  EXPECT_EQ(found, 2U);
}

TEST(SuitePoints, LeaveOutWhatIsTooCostlyAndSaySo) {
  const SuitePoints all = suite_points({16}, SuiteScale::kQuick, 0);
  const SuitePoints cheap = suite_points({16}, SuiteScale::kQuick, 0, {.messages = 20});
  EXPECT_LT(cheap.points.size(), all.points.size());
  EXPECT_EQ(cheap.points.size() + cheap.too_costly.size(), all.points.size() + all.too_costly.size());
  SuiteRun run{.platform = "flat16", .title = "", .points = all.points};
  EXPECT_EQ(tell_too_costly({run}), "");
  run.too_costly = {{12, {Collective::kBcast, "linear", 8}}};
  EXPECT_NE(tell_too_costly({run}).find("bcast linear (P = 12)"), std::string::npos);
}

}  // namespace
}  // namespace postage
