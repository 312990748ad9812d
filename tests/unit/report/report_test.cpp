#include "support/text.hpp"

#include <postage/base/error.hpp>
#include <postage/model/model.hpp>
#include <postage/report/report.hpp>
#include <postage/report/space_time.hpp>
#include <postage/report/summary.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

using test::count_of;

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

Json data_in(const std::string& page) {
  const std::string mark = R"(id="data">)";
  const auto begin = page.find(mark) + mark.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
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
  return data_in(render_report({.platforms = {platform}}))["platforms"][0];
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
  EXPECT_EQ(platform["parameters"][0], Json({"plogp", "all", "0", "L", "20 us", "20 us", "20 us"}));
  const Json& last = platform["parameters"][platform["parameters"].size() - 1];
  EXPECT_EQ(last[3], "g");
  EXPECT_EQ(last[4], "2 us at 0 … 80 us at 64K, 2 sizes");
}

TEST(Report, SaysWhyAModelHasNoCurve) {
  Platform platform = measured_platform(parse_parameters("hockney", "[shared-cache] alpha=1us,beta=1ns"));
  platform.channels.push_back(kSharedCache);
  const Json curves = data_of(platform)["curves"];
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_NE(curves[0]["missing"].text().find("no parameters for channel"), std::string::npos);
}

/// Two ranks, three collectives that no parameter was fitted to; the one that chooses the model does not count.
Platform validated_platform() {
  Platform platform = measured_platform(parse_parameters("hockney", "alpha=1us,beta=1ns"));
  platform.implementation = "Open MPI v4.1.4";
  platform.nodes = {{"a", {.cores = {{}}}}, {"b", {.cores = {{}}}}};
  platform.ranks = {{0, 0}, {1, 0}};
  for (MeasuredPoint& point : platform.points) {
    point.one_way = Estimate::exactly(1e-6 + 1e-9 * static_cast<double>(point.bytes));
  }
  HeldOutPredictions predictions{"hockney", std::string(kUsualEvaluator)};
  for (const double error : {5.0, 0.1, 0.3}) {
    platform.held_out.collectives.push_back({.collective = "bcast",
                                             .algorithm = "binomial",
                                             .ranks = 2,
                                             .bytes = 64,
                                             .measured = {1e-5, 0.98e-5, 1.02e-5},
                                             .chooses = error > 1});
    predictions.seconds.push_back(1e-5 * (1 + error));
  }
  platform.held_out.predictions = {predictions};
  return platform;
}

TEST(Report, TellsErrorsOfCollectivesThatDidNotChooseTheModel) {
  const Json held_out = data_of(validated_platform())["held_out"];
  EXPECT_EQ(held_out["collectives"].size(), 3U);
  EXPECT_EQ(held_out["models"][0]["points"], 2);
  EXPECT_NEAR(held_out["models"][0]["median"].number(), 0.2, 1e-4);
}

TEST(Report, NamesTheBestAlgorithmUpToTheLargestSizeMeasured) {
  const Json best = data_of(validated_platform())["best"];
  EXPECT_EQ(best["sizes"], Json({8, 64, 512, 4096, 32768}));
  ASSERT_EQ(best["rows"].size(), 11U);
  EXPECT_NEAR(best["rows"][1]["cells"][0]["time"][0].number(), 1.008e-6, 1e-9);
}

/// Of a ring's rounds, which are alike, one is told and how many there are; shares of parts add up to the whole.
TEST(Report, ExplainsRoundsThatAreAlikeOnce) {
  Platform platform = validated_platform();
  for (int i = 2; i < 8; ++i) {
    platform.nodes.push_back({std::to_string(i), {.cores = {{}}}});
    platform.ranks.push_back({i, 0});
  }
  bool found = false;
  const Json data = data_of(platform);
  for (const Json& one : data["explanations"]) {
    const Json& tree = one["tree"];
    double sum = 0;
    for (const Json& part : tree[2]) {
      sum += part[1].number();
    }
    EXPECT_NEAR(sum, tree[1].number(), 1e-3 * tree[1].number()) << tree.dump();
    if (one["collective"] == "allgather") {
      found = true;
      EXPECT_NE(tree.dump().find("7 rounds alike, each "), std::string::npos) << tree.dump();
    }
  }
  EXPECT_TRUE(found);
}

TEST(Summary, IsWhatAPersonWantsToKnowFirst) {
  const std::vector<SummaryLine> lines = platform_summary(validated_platform());
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], (SummaryLine{"Machine", "2 hosts", "pair, measured on 2 ranks with Open MPI 4.1.4"}));
  EXPECT_EQ(lines[1], (SummaryLine{"Latency", "2.024 us", "between hosts"}));
  EXPECT_EQ(lines[2], (SummaryLine{"Bandwidth", "1 GB/s", "between hosts"}));
  EXPECT_EQ(lines[3], (SummaryLine{"Trust", "20 %",
                                   "median error of predicted collectives, at most 29 % for 19 of 20; repeated "
                                   "measurements differ by 2 %"}));
}

TEST(Summary, TellsGainsAndFurtherPlatforms) {
  ReportInput input{.platforms = {validated_platform(), validated_platform()}};
  input.platforms[1].name = "other";
  input.platforms[1].is_virtual = true;
  DecisionRule rule{.collective = Collective::kReduce,
                    .bytes = {4096, 8192},
                    .choice = {.algorithm = "rabenseifner"},
                    .gain = {.share = 0.5}};
  input.decisions = {DecisionTable(TuningTarget::kOpenMpi, {4, 1, 4}, {rule})};
  input.decisions[0].platform = "pair";
  input.gains = {{.library = "openmpi", .cells = {{.speedup = 0.9}, {.speedup = 2}, {.speedup = 30}}}};
  const std::vector<SummaryLine> lines = report_summary(input);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[4],
            (SummaryLine{"Algorithms", "1 rule",
                         "reduce of 4K to 8K: rabenseifner saves 50 %; elsewhere openmpi 4.1.4's own choice"}));
  EXPECT_EQ(lines[5].value, "2.00x");
  EXPECT_EQ(lines[6],
            (SummaryLine{"Simulated", "other", "2 hosts, latency 2.024 us, bandwidth 1 GB/s, prediction error 20 %"}));
}

TEST(Summary, IsCutBetweenWords) {
  EXPECT_EQ(render({{"Trust", "7 %", "one two three"}, {"A", "b", "c"}}, 18),
            "Trust  7 %  one\n            two\n            three\nA      b    c\n");
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
