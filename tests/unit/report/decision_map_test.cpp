#include "support/text.hpp"

#include <postage/report/decision_map.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

using test::count_of;

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
      {.collective = Collective::kReduce, .ranks = 8, .bytes = 8, .tuned_seconds = 1e-6, .default_seconds = 1e-6});
  const std::string svg = draw_decisions(table);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find("bcast of 64K among 4 ranks: chain in segments of 8K, 1 us instead of 4 us<"), std::string::npos);
  EXPECT_NE(svg.find(">75</text>"), std::string::npos);
  EXPECT_NE(svg.find("reduce of 8 among 8 ranks: the default, 1 us; predicted, not measured<"), std::string::npos);
  EXPECT_NE(svg.find("fill=\"rgb(255,255,255)\""), std::string::npos);
}

/// Of two rows and two columns two cells are known, of which one is a prediction: the others are hatched.
TEST(DecisionMap, HatchesWhatWasNotMeasured) {
  DecisionTable table(TuningTarget::kMpich, {4, 0, 2}, {});
  for (const Collective collective : {Collective::kBcast, Collective::kReduce}) {
    const bool is_measured = collective == Collective::kBcast;
    table.cells.push_back({.collective = collective,
                           .ranks = 4,
                           .bytes = is_measured ? 64 : 8,
                           .tuned_seconds = 1e-6,
                           .default_seconds = 1e-6,
                           .measured = is_measured});
  }
  const std::string svg = draw_decisions(table);
  EXPECT_EQ(count_of(svg, "url(#unmeasured)"), 3U);
  EXPECT_EQ(count_of(svg, "fill=\"#fff\""), 1U);
  EXPECT_LT(svg.find("reduce of 8 among 4"), svg.rfind("url(#unmeasured)"));
}

/// Forty numbers of ranks, and 200 sizes that only one of them was measured at.
TEST(DecisionMap, HasColumnsOfSizesAtWhichNearlyAllWereMeasured) {
  DecisionTable table(TuningTarget::kMpich, {4, 0, 2}, {});
  const auto add = [&](Rank ranks, Bytes bytes) {
    table.cells.push_back({.collective = Collective::kBcast,
                           .ranks = ranks,
                           .bytes = bytes,
                           .tuned_seconds = 1e-6,
                           .default_seconds = 1e-6,
                           .measured = true});
  };
  for (Rank ranks = 2; ranks < 42; ++ranks) {
    add(ranks, 64);
    add(ranks, 4096);
    for (Bytes i = 0; i < 5; ++i) {
      add(ranks, 8 * (1000 + 5 * ranks + i));
    }
  }
  const std::string svg = draw_decisions(table);
  EXPECT_EQ(count_of(svg, "class=\"size\""), 2U);
  EXPECT_EQ(count_of(svg, "<rect"), 41U) << "two cells with the default are one rectangle";
}

}  // namespace
}  // namespace postage
