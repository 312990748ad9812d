#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/validate/accuracy_report.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

AccuracyReport small_report() {
  AccuracyReport report;
  report.platforms = {{"flat16", "16 alike hosts"}};
  report.left_out = {"lab: needs root"};
  report.points.push_back({.platform = "flat16",
                           .placement = "block",
                           .collective = "bcast",
                           .algorithm = "linear",
                           .ranks = 8,
                           .bytes = 1000,
                           .measured = 1e-5,
                           .scatter = 0.02,
                           .predicted = {{"flow", 1.1e-5}, {"loggp", 2e-5}}});
  return report;
}

TEST(AccuracyFile, IsReadAsItWasWritten) {
  AccuracyReport report = small_report();
  report.points.front().noise = {{0.9e-5, 1.2e-5}, -0.07};
  report.library_points.push_back({report.points.front(), "flattree", 1.2e-5});
  const AccuracyReport read = accuracy_from_json(to_json(report), "accuracy.json");
  EXPECT_EQ(read.points, report.points);
  EXPECT_EQ(read.platforms, report.platforms);
  EXPECT_EQ(read.left_out, report.left_out);
  ASSERT_EQ(read.library_points.size(), 1U);
  EXPECT_EQ(read.library_points.front().library, 1.2e-5);
  Json wrong = to_json(report);
  wrong["points"][0]["measured"] = 0;
  EXPECT_THROW(static_cast<void>(accuracy_from_json(wrong, "accuracy.json")), Error);
}

TEST(AccuracyReport, IsJoinedWithOthers) {
  AccuracyReport all = small_report();
  AccuracyReport more = small_report();
  more.platforms = {{"mixed16", "16 hosts"}};
  append(all, more);
  EXPECT_EQ(all.points.size(), 2U);
  EXPECT_EQ(all.left_out.size(), 2U);
  EXPECT_TRUE(has_platform(all, "flat16"));
  EXPECT_TRUE(has_platform(all, "mixed16"));
  EXPECT_FALSE(has_platform(all, "multi4x8"));
}

}  // namespace
}  // namespace postage
