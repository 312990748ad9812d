#include <postage/base/files.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace postage {
namespace {

std::vector<std::string> lines_of(const Json& value) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / fmt::format("lines-{}.json", getpid());
  write_json(file, value);
  std::istringstream text(read_file(file));
  std::filesystem::remove(file);
  EXPECT_EQ(Json::parse(text.str()), value);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    lines.push_back(line);
  }
  return lines;
}

TEST(WrittenJson, ShortValuesAreOnOneLine) {
  EXPECT_EQ(lines_of(Json::parse(R"({"a": [1, [2, 3]], "b": {}})")).size(), 1U);
}

// 100 points of 12 characters with their commas, nine in a line of 120: twelve lines, a bracket before and one behind.
TEST(WrittenJson, PointsFillTheirLines) {
  Json points = Json::array();
  for (int i = 100; i < 200; ++i) {
    points.push_back(Json::parse(fmt::format("[{},12345]", i)));
  }
  const std::vector<std::string> lines = lines_of(points);
  EXPECT_EQ(lines.size(), 14U);
  EXPECT_TRUE(std::all_of(lines.begin(), lines.end(), [](const std::string& line) { return line.size() <= 120; }));
}

TEST(WrittenJson, ObjectsHaveLinesOfTheirOwn) {
  Json entries = Json::array();
  for (int i = 0; i < 30; ++i) {
    entries.push_back(Json::parse(R"({"name": ["[", "{"], "seconds": 1e-6})"));
  }
  EXPECT_EQ(lines_of(entries).size(), 32U);
}

}  // namespace
}  // namespace postage
