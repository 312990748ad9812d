#include <postage/base/error.hpp>
#include <postage/model/model.hpp>
#include <postage/report/report.hpp>
#include <postage/report/space_time.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Report, NamesCannotEndTheDataElement) {
  Platform platform{.name = "</script><script>alert(1)</script>"};
  const std::string page = render_report({.platforms = {platform}});
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>"), std::string::npos);
}

TEST(Report, AsksForNothingFromOutside) {
  const std::string page = render_report({});
  for (const char* mark : {"src=\"http", "href=\"http", "@import", "url(http"}) {
    EXPECT_EQ(page.find(mark), std::string::npos) << mark;
  }
}

/// Two ranks over one channel, measured at two sizes.
Platform measured_platform(const ParameterTable& table) {
  Platform platform{.name = "pair", .channels = {kInterNode}, .models = {table}};
  for (const Bytes bytes : {Bytes{1024}, Bytes{65536}}) {
    platform.points.push_back({.source = 0, .target = 1, .channel = kInterNode, .bytes = bytes});
  }
  return platform;
}

Json data_of(const Platform& platform) {
  const std::string page = render_report({.platforms = {platform}});
  const std::string mark = R"(id="data">)";
  const auto begin = page.find(mark) + mark.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin))["platforms"][0];
}

TEST(Report, HoldsTheCurvesOfAModelWithContention) {
  const ParameterTable table =
      parse_parameters("taulop", "o=5us,L=0/1:10us;64K/1:60us;0/4:20us;64K/4:8us<240us<300us,n=1");
  const Json curves = data_of(measured_platform(table))["curves"];
  ASSERT_EQ(curves.size(), 4U);
  EXPECT_EQ(curves[0]["bytes"], Json({1024, 65536}));
  EXPECT_NEAR(curves[0]["seconds"][1].number(), 65e-6, 1e-15);
  EXPECT_EQ(curves[2]["sharing"], 4);
  EXPECT_NEAR(curves[2]["seconds"][1].number(), 245e-6, 1e-15);
  EXPECT_NEAR(curves[2]["upper"][1].number(), 305e-6, 1e-15);
}

TEST(Report, HoldsOneCurveOfAModelWithout) {
  const ParameterTable table = parse_parameters("plogp", "L=20us,o=1us,g=0:2us;64K:80us");
  const Json platform = data_of(measured_platform(table));
  ASSERT_EQ(platform["curves"].size(), 1U);
  EXPECT_NEAR(platform["curves"][0]["seconds"][1].number(), 100e-6, 1e-15);
  EXPECT_EQ(platform["units"]["plogp"]["g"], "s");
}

TEST(Report, SaysWhyAModelHasNoCurve) {
  Platform platform = measured_platform(parse_parameters("hockney", "[shared-cache] alpha=1us,beta=1ns"));
  platform.channels.push_back(kSharedCache);
  const Json curves = data_of(platform)["curves"];
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_NE(curves[0]["missing"].text().find("no parameters for channel"), std::string::npos);
}

TEST(SpaceTime, DrawsEveryMessage) {
  const Schedule schedule =
      build_schedule(find_algorithm(Collective::kBcast, "binomial"), {.ranks = 16, .bytes = 65536});
  const std::string svg = draw_space_time(schedule, [](Rank a, Rank b) { return a / 4 == b / 4 ? "near" : "far"; });
  EXPECT_EQ(count_of(svg, "class=\"message\""), 15U);
  EXPECT_NE(svg.find(">near<"), std::string::npos);
  EXPECT_NE(svg.find(">far<"), std::string::npos);
}

TEST(SpaceTime, RefusesWhatNobodyCouldRead) {
  const Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, "linear"), {.ranks = 65, .bytes = 1});
  EXPECT_THROW(static_cast<void>(draw_space_time(schedule, [](Rank, Rank) { return ""; })), Error);
}

}  // namespace
}  // namespace postage
