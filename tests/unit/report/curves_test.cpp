#include <postage/base/error.hpp>
#include <postage/report/curves.hpp>

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

TEST(DrawCurves, DrawsEachCurveWithItsPoints) {
  const std::string svg = draw_curves("two", {{"a", {1024, 4096}, {1e-6, 4e-6}}, {"b", {1024, 4096}, {2e-6, 2e-6}}});
  EXPECT_EQ(count_of(svg, "class=\"curve\""), 2U);
  EXPECT_EQ(count_of(svg, "<circle"), 4U);
  EXPECT_NE(svg.find("a, 4K: 4 us"), std::string::npos);
}

TEST(DrawCurves, LeavesOutWhatHasNoLogarithm) {
  EXPECT_EQ(count_of(draw_curves("one", {{"a", {0, 8}, {1e-6, 1e-6}}}), "<circle"), 1U);
  EXPECT_THROW((void)draw_curves("none", {{"a", {0}, {1e-6}}}), Error);
}

}  // namespace
}  // namespace postage
