#include <postage/report/decision_map.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

TEST(DecisionMap, TellsEachCell) {
  DecisionTable table(TuningTarget::kMpich, {4, 0, 2}, {});
  table.platform = "a < b";
  table.cells.push_back({.collective = Collective::kBcast,
                         .ranks = 4,
                         .bytes = 65536,
                         .choice = {.algorithm = "chain", .segment = 8192},
                         .tuned_seconds = 1e-6,
                         .default_seconds = 4e-6,
                         .measured = true});
  table.cells.push_back(
      {.collective = Collective::kBcast, .ranks = 8, .bytes = 8, .tuned_seconds = 1e-6, .default_seconds = 1e-6});
  const std::string svg = draw_decisions(table);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find("bcast of 64K among 4 ranks: chain in segments of 8K, 1 us instead of 4 us<"), std::string::npos);
  EXPECT_NE(svg.find(">75</text>"), std::string::npos);
  EXPECT_NE(svg.find("bcast of 8 among 8 ranks: the default, 1 us; predicted, not measured<"), std::string::npos);
  EXPECT_NE(svg.find("fill=\"rgb(255,255,255)\""), std::string::npos);
}

/// Of two rows and two columns two cells are known, of which one is a prediction.
TEST(DecisionMap, HatchesWhatWasNotMeasured) {
  DecisionTable table(TuningTarget::kMpich, {4, 0, 2}, {});
  table.cells.push_back({.ranks = 4, .bytes = 64, .tuned_seconds = 1e-6, .default_seconds = 1e-6, .measured = true});
  table.cells.push_back({.ranks = 8, .bytes = 8, .tuned_seconds = 1e-6, .default_seconds = 1e-6});
  const std::string svg = draw_decisions(table);
  const std::string cells = svg.substr(svg.find("<g>"));
  EXPECT_EQ(cells.find("#unmeasured"), cells.rfind("#unmeasured"));
  EXPECT_LT(cells.find("8 among 8"), cells.find("#unmeasured"));
  std::size_t below = 0;
  for (auto at = svg.find("url(#unmeasured)"); at < svg.find("<g>"); at = svg.find("url(#unmeasured)", at + 1)) {
    ++below;
  }
  EXPECT_EQ(below, 4U);
}

}  // namespace
}  // namespace postage
