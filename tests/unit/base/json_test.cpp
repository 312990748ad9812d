#include <postage/base/error.hpp>
#include <postage/base/json.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace postage {
namespace {

TEST(Json, WritesMembersInTheOrderOfNamesAndShortestExactNumbers) {
  const Json value{{"b", {1, -2, 18446744073709551615U}}, {"a", 0.1}, {"c", {{"x", 1e-7}, {"y", 1e300}}}, {"d", 3.0}};
  EXPECT_EQ(value.dump(), R"({"a":0.1,"b":[1,-2,18446744073709551615],"c":{"x":1e-07,"y":1e+300},"d":3.0})");
  EXPECT_EQ(Json({{"a", {true, nullptr}}}).dump(1), "{\n \"a\": [\n  true,\n  null\n ]\n}");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
}

TEST(Json, ReadsWhatItWrote) {
  const std::string text = R"({"a":[],"b":{},"c":[[1,2.5],["\u001f\"",false,null]],"d":-9223372036854775808})";
  EXPECT_EQ(Json::parse(text).dump(), text);
  EXPECT_EQ(Json::parse(R"({"a":1,"a":2})").dump(), R"({"a":2})");
}

TEST(Json, TellsObjectsFromArrays) {
  EXPECT_TRUE(Json({{"a", 1}, {"b", 2}}).is_object());
  EXPECT_TRUE(Json({{"a", 1}, {2, 2}}).is_array());
  EXPECT_TRUE(Json({"a", 1}).is_array());
  EXPECT_EQ(Json(std::vector<std::vector<int>>{{1}, {}}).dump(), "[[1],[]]");
  EXPECT_EQ(Json(std::map<std::string, double>{{"x", 0.5}}).dump(), R"({"x":0.5})");
}

TEST(Json, ComparesNumbersByValue) {
  EXPECT_EQ(Json(1), Json(1U));
  EXPECT_EQ(Json(1), Json(1.0));
  EXPECT_NE(Json(1), Json(true));
  EXPECT_EQ(Json::parse("[1, 2]"), Json({1, 2}));
}

TEST(Json, MakesAndRemovesMembers) {
  Json value;
  value["list"].push_back(1);
  value["list"].push_back("two");
  value["other"] = false;
  EXPECT_EQ(value.dump(), R"({"list":[1,"two"],"other":false})");
  EXPECT_TRUE(value.erase("other"));
  EXPECT_FALSE(value.erase("other"));
  EXPECT_FALSE(value.contains("other"));
  EXPECT_EQ(value["list"].size(), 2U);
}

TEST(Json, RefusesWhatIsOfAnotherKind) {
  const Json value{{"a", 1}};
  EXPECT_THROW(static_cast<void>(value["b"]), Error);
  EXPECT_THROW(static_cast<void>(value[0]), Error);
  EXPECT_THROW(static_cast<void>(value["a"].text()), Error);
  EXPECT_THROW(static_cast<void>(Json("x").number()), Error);
  EXPECT_THROW(static_cast<void>(Json({1})[1]), Error);
}

TEST(Json, WritesTextThatIsNoUtf8) {
  // Found by fuzzing: lint --json quotes what it reads.
  EXPECT_EQ(Json(std::string("a\xff"
                             "b"))
                .dump(),
            "\"a\xef\xbf\xbd"
            "b\"");
}

TEST(Json, NamesTheMistakeInAText) {
  try {
    static_cast<void>(Json::parse("{\n \"a\": 1,\n}"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("line 3, column 1"), std::string::npos) << error.what();
  }
  EXPECT_THROW(static_cast<void>(Json::parse("")), Error);
  EXPECT_THROW(static_cast<void>(Json::parse("1e999")), Error);
  EXPECT_THROW(static_cast<void>(Json::parse("[1] 2")), Error);
  EXPECT_THROW(static_cast<void>(Json::parse(std::string(1'000'000, '['))), Error);
}

}  // namespace
}  // namespace postage
