#include <postage/base/error.hpp>
#include <postage/report/accuracy.hpp>

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

TEST(AccuracyPage, SaysWhatModelsMissAndWhatWasLeftOut) {
  const std::string page = accuracy_page(small_report(), empty_section());
  EXPECT_NE(page.find("| `flow` | 1 | 10.00 % |"), std::string::npos) << page;
  EXPECT_NE(page.find("| `loggp` | 1 | 100.00 % |"), std::string::npos);
  EXPECT_NE(page.find("lab: needs root"), std::string::npos);
  EXPECT_NE(page.find("| flat16 | 1 | 1 | 2.00 % |"), std::string::npos);
}

TEST(AccuracyPage, SaysHowMuchOfTheErrorIsNoise) {
  AccuracyReport report = small_report();
  EXPECT_EQ(accuracy_page(report, empty_section()).find("Re-measurement"), std::string::npos);
  report.points.front().noise = {{0.9e-5, 1.2e-5}, -0.07};
  const std::string page = accuracy_page(report, empty_section());
  EXPECT_NE(page.find("| flat16 | 1 | 30.00 % | 30.00 % | 7.00 % | 7.00 % | 100.00 % | 10.00 % |"), std::string::npos)
      << page;
  EXPECT_NE(page.find("| 100.00 % |\n\n## Published"), std::string::npos) << page;
}

/// The page leads with random platforms; their section is replaced, and nothing else.
TEST(AccuracyPage, KeepsTheSectionOfRandomPlatforms) {
  AccuracyReport random;
  random.command = "postage validate --suite random --seeds 8";
  random.platforms = {{"seed8", "9 hosts; by flow"}};
  random.points.push_back({.platform = "seed8",
                           .collective = "bcast",
                           .algorithm = "linear",
                           .ranks = 8,
                           .bytes = 1000,
                           .measured = 1e-5,
                           .predicted = {{"flow", 1.1e-5}, {kDefaultModel, 1.1e-5}},
                           .intervals = {{kDefaultModel, {0.9e-5, 1.3e-5}}}});
  const std::string page = accuracy_page(small_report(), empty_section());
  EXPECT_LT(page.find("Not run yet"), page.find("| `flow` | 1 | 10.00 % |"));
  const std::string section = random_section(random);
  EXPECT_NE(section.find("| fat tree | 1 | 10.00 % |"), std::string::npos) << section;
  const std::string written = with_section(page, section);
  EXPECT_EQ(section_in(written), section);
  EXPECT_EQ(section_with_remarks_in(written), section);
  const std::string remarks = section + "\nBy hand.\n";
  const std::string remarked = accuracy_page(small_report(), remarks);
  EXPECT_EQ(section_with_remarks_in(remarked), remarks);
  EXPECT_EQ(accuracy_page(small_report(), section_with_remarks_in(remarked)), remarked);
  EXPECT_EQ(with_section(written, empty_section()), page);
  EXPECT_THROW(static_cast<void>(with_section("# Another page", section)), Error);
}

TEST(AccuracyPlots, DrawEveryModelAndEveryPoint) {
  const AccuracyReport report = small_report();
  const std::string errors = error_distribution_svg(report.points);
  EXPECT_NE(errors.find(">flow</text>"), std::string::npos);
  EXPECT_NE(errors.find(">loggp</text>"), std::string::npos);
  const std::string scatter = scatter_svg(report.points, "flow");
  EXPECT_NE(scatter.find("<circle"), std::string::npos);
  EXPECT_THROW(static_cast<void>(scatter_svg({}, "flow")), Error);
}

/// Every point lies between the axes, however short it took; the eleventh platform has rings.
TEST(AccuracyPlots, HoldAllTimesAndTellAllPlatformsApart) {
  std::vector<AccuracyPoint> points;
  for (int i = 0; i < 11; ++i) {
    AccuracyPoint& point = points.emplace_back();
    point.platform = std::string(static_cast<std::size_t>(i) + 1, 'p');
    point.measured = 3e-7 * (i + 1);
    point.predicted["flow"] = point.measured;
  }
  const std::string scatter = scatter_svg(points, "flow");
  EXPECT_NE(scatter.find("100 ns"), std::string::npos);
  EXPECT_EQ(scatter.find("cx=\"70.0\""), std::string::npos);  // the left axis
  EXPECT_NE(scatter.find("fill=\"none\" stroke=\"#0072B2\""), std::string::npos);
}

}  // namespace
}  // namespace postage
