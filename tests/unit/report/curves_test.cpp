#include "support/text.hpp"

#include <postage/base/error.hpp>
#include <postage/report/curves.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

using test::count_of;

TEST(DrawCurves, DrawsEachCurveWithItsPoints) {
  const std::string svg = draw_curves("two", {{"a", {1024, 4096}, {1e-6, 4e-6}}, {"b", {1024, 4096}, {2e-6, 2e-6}}});
  EXPECT_EQ(count_of(svg, "class=\"curve\""), 2U);
  EXPECT_EQ(count_of(svg, "<circle"), 4U);
  EXPECT_NE(svg.find("a, 4K: 4 us"), std::string::npos);
}

TEST(DrawCurves, MarksRoundTimes) {
  const std::string few = draw_curves("two", {{"a", {1, 2}, {0.9e-6, 11e-6}}});
  for (const char* mark : {">1 us<", ">2 us<", ">5 us<", ">10 us<"}) {
    EXPECT_EQ(count_of(few, mark), 1U) << mark;
  }
  EXPECT_EQ(count_of(few, ">20 us<") + count_of(few, ">500 ns<"), 0U);
  const std::string many = draw_curves("many", {{"a", {1, 2}, {1e-6, 1e-3}}});
  EXPECT_EQ(count_of(many, ">100 us<"), 1U);
  EXPECT_EQ(count_of(many, ">20 us<"), 0U);
}

TEST(DrawCurves, WritesValuesInTheirUnits) {
  const DrawnAxis ranks{"ranks", AxisUnit::kNumber, false};
  const std::string svg = draw_curves("errors", {{"a < b", {1, 9}, {0.5, 0.1}}}, ranks, {"error", AxisUnit::kShare});
  EXPECT_NE(svg.find("a &lt; b, 9: 10 %"), std::string::npos);
  EXPECT_EQ(count_of(svg, ">20 %<"), 1U);
  for (const char* mark : {">0<", ">2<", ">4<", ">6<", ">8<"}) {
    EXPECT_EQ(count_of(svg, mark), 1U) << mark;
  }
}

TEST(DrawCurves, GroupsTheDigitsOfLargeNumbers) {
  const std::string svg = draw_curves("misses", {{"a", {1, 2}, {900, 1200000}}}, {}, {"misses", AxisUnit::kNumber});
  EXPECT_EQ(count_of(svg, ">100,000<"), 1U);
  EXPECT_EQ(count_of(svg, ">1000<"), 1U);
  EXPECT_NE(svg.find(": 1,200,000"), std::string::npos);
}

TEST(DrawCurves, JoinsNoDots) {
  const std::string svg = draw_curves("dots", {{.label = "a", .x = {1, 2}, .y = {1, 2}, .dots = true}});
  EXPECT_EQ(count_of(svg, "class=\"curve\""), 0U);
  EXPECT_EQ(count_of(svg, "<circle"), 2U);
}

TEST(DrawCurves, LeavesOutWhatHasNoLogarithm) {
  EXPECT_EQ(count_of(draw_curves("one", {{"a", {0, 8}, {1e-6, 1e-6}}}), "<circle"), 1U);
  EXPECT_THROW((void)draw_curves("none", {{"a", {0}, {1e-6}}}), Error);
}

}  // namespace
}  // namespace postage
