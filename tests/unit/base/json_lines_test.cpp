#include <postage/base/error.hpp>
#include <postage/base/json_lines.hpp>

#include <gtest/gtest.h>

#include <string>

namespace postage {
namespace {

TEST(JsonLines, KeepsTheOrderAndRepeatedNames) {
  const JsonLine value = parse_json_lines(R"({"b": 1, "a": 2, "b": 3})").value;
  ASSERT_EQ(value.items.size(), 3U);
  EXPECT_EQ(value.items[0].name, "b");
  EXPECT_EQ(value.items[1].name, "a");
  EXPECT_EQ(value.items[2].integer, 3);
  EXPECT_EQ(value.find("b")->integer, 1);
  EXPECT_EQ(value.find("c"), nullptr);
}

TEST(JsonLines, KnowsTheLineOfEachPart) {
  const JsonLine value = parse_json_lines("{\n \"a\": [\n1,\n\"two\",\n2.5\n],\n\n\"b\":\n{}\n}").value;
  EXPECT_EQ(value.line, 1);
  const JsonLine& a = value.items.at(0);
  EXPECT_EQ(a.line, 2);
  EXPECT_EQ(a.items.at(0).line, 3);
  EXPECT_EQ(a.items.at(1).line, 4);
  EXPECT_EQ(a.items.at(2).line, 5);
  EXPECT_EQ(a.items.at(2).text, "2.5");
  EXPECT_EQ(value.items.at(1).line, 8);  // of the name
}

TEST(JsonLines, IsStrictUnlessAsked) {
  EXPECT_THROW((void)parse_json_lines("{} more"), Error);
  EXPECT_THROW((void)parse_json_lines("{/* comment */}"), Error);
  const JsonLinesText text = parse_json_lines("{/* comment */}\n\nmore", true);
  EXPECT_TRUE(text.value.is_object());
  EXPECT_EQ(text.line_of_rest, 3);
  EXPECT_EQ(parse_json_lines("{}\n \n", true).line_of_rest, 0);
}

TEST(JsonLines, SaysWhereAMistakeIs) {
  for (const bool lenient : {false, true}) {
    try {
      (void)parse_json_lines("{\n\"a\": \n}", lenient);
      FAIL();
    } catch (const Error& mistake) {
      EXPECT_NE(std::string(mistake.what()).find("line 3"), std::string::npos) << mistake.what();
    }
    EXPECT_THROW((void)parse_json_lines("", lenient), Error);
    EXPECT_THROW((void)parse_json_lines(std::string(100000, '['), lenient), Error);
  }
}

TEST(JsonLines, CutsHugeIntegers) {
  const JsonLine value = parse_json_lines("[18446744073709551615, -1]").value;
  EXPECT_EQ(value.items.at(0).integer, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(value.items.at(1).integer, -1);
}

}  // namespace
}  // namespace postage
