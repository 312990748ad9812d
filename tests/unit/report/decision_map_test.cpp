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
                         .default_seconds = 4e-6});
  table.cells.push_back(
      {.collective = Collective::kBcast, .ranks = 8, .bytes = 8, .tuned_seconds = 1e-6, .default_seconds = 1e-6});
  const std::string svg = draw_decisions(table);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find("bcast of 64K among 4 ranks: chain in segments of 8K, 1 us instead of 4 us"), std::string::npos);
  EXPECT_NE(svg.find(">75</text>"), std::string::npos);
  EXPECT_NE(svg.find("bcast of 8 among 8 ranks: the default, 1 us"), std::string::npos);
  EXPECT_NE(svg.find("fill=\"rgb(255,255,255)\""), std::string::npos);
}

}  // namespace
}  // namespace postage
