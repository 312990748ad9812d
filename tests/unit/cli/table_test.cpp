#include "cli/table.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace postage {
namespace {

Table sizes_and_notes() {
  Table table({{"name", Table::Align::kLeft}, {"bytes", Table::Align::kRight}, {"note", Table::Align::kLeft}});
  table.add_row({"hockney", "8", "a straight line through every size"});
  table.add_row({"b", "65536", ""});
  return table;
}

TEST(Table, AlignsColumnsUnderTheirTitles) {
  EXPECT_EQ(sizes_and_notes().render(kNoLimit),
            "name     bytes  note\n"
            "-------  -----  ----------------------------------\n"
            "hockney      8  a straight line through every size\n"
            "b        65536\n");
}

TEST(Table, WrapsTheWidestTextColumnToFit) {
  EXPECT_EQ(sizes_and_notes().render(34),
            "name     bytes  note\n"
            "-------  -----  ------------------\n"
            "hockney      8  a straight line\n"
            "                through every size\n"
            "b        65536\n");
}

TEST(Table, EveryLineFitsAnyReasonableWidth) {
  for (std::size_t width = 26; width < 60; ++width) {
    std::istringstream lines(sizes_and_notes().render(width));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), width) << line;
    }
  }
}

TEST(Table, NeverBreaksNumbers) {
  Table table({{"P", Table::Align::kRight}, {"seconds", Table::Align::kRight}});
  table.add_row({"1048576", "0.000012345678"});
  EXPECT_NE(table.render(5).find("1048576  0.000012345678"), std::string::npos);
}

TEST(Table, CountsCharactersNotBytes) {
  Table table({{"a", Table::Align::kLeft}, {"b", Table::Align::kRight}});
  table.add_row({"µ", "1"});
  table.add_row({"mm", "22"});
  EXPECT_EQ(table.render(kNoLimit), "a    b\n--  --\nµ    1\nmm  22\n");
}

TEST(Table, RefusesARowOfAnotherLength) {
  Table table({{"a"}, {"b"}});
  EXPECT_THROW(table.add_row({"1"}), std::invalid_argument);
}

TEST(Wrap, CutsAWordThatIsLongerThanTheLine) {
  EXPECT_EQ(wrap("", 8), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("abcdefghij", 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
  EXPECT_EQ(wrap("a bcdefg", 3), (std::vector<std::string>{"a", "bcd", "efg"}));
  EXPECT_EQ(wrap("µµµ", 2), (std::vector<std::string>{"µµ", "µ"}));
}

TEST(OutputWidth, FollowsTheEnvironment) {
  setenv("COLUMNS", "72", 1);
  EXPECT_EQ(output_width(), 72U);
  unsetenv("COLUMNS");
}

}  // namespace
}  // namespace postage
