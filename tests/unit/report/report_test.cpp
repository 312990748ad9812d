#include <postage/base/error.hpp>
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
