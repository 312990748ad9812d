#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/platform/platform.hpp>
#include <postage/platform/platform_json.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

Platform platform_with(std::vector<MeasuredPoint> points) {
  Platform platform{.name = "two", .channels = {"inter-node"}};
  platform.points = std::move(points);
  return platform;
}

std::vector<MeasuredPoint> read_back(const Json& value) {
  return platform_from_json(value, "p.json").points;
}

// Sizes of a pair share an entry; a pair that comes again has one more, so that the order is kept.
TEST(MeasuredPoints, PairsShareEntriesInTheirOrder) {
  const std::vector<MeasuredPoint> points{{0, 1, "inter-node", 0, {2e-6, 1e-6, 3e-6}, 7, true},
                                          {0, 1, "inter-node", 64, Estimate::exactly(5e-6), 9, false},
                                          {1, 0, "inter-node", 64, {6e-6, 5e-6, 7e-6}, 8, true},
                                          {0, 1, "inter-node", 8, Estimate::exactly(4e-6), 2, true}};
  const Json value = to_json(platform_with(points));
  std::size_t entries = 0;
  for ([[maybe_unused]] const Json& entry : value["points"]) {
    ++entries;
  }
  EXPECT_EQ(entries, 3U);
  EXPECT_EQ(read_back(value), points);
  EXPECT_EQ(read_back(Json::parse(value.dump())), points);
}

TEST(MeasuredPoints, EntriesOfOlderFilesAreRead) {
  Json value = to_json(platform_with({}));
  value["version"] = 4;
  value["points"].push_back(Json::parse(R"({"source": 0, "target": 1, "channel": "inter-node", "bytes": 8,
      "one_way": [2e-6, 1e-6, 3e-6], "repetitions": 5, "precise": false})"));
  const std::vector<MeasuredPoint> wanted{{0, 1, "inter-node", 8, {2e-6, 1e-6, 3e-6}, 5, false}};
  EXPECT_EQ(read_back(value), wanted);
}

TEST(MeasuredPoints, EveryTimeHasItsRepetitions) {
  Json value = to_json(platform_with({{0, 1, "inter-node", 8, Estimate::exactly(4e-6), 2, true}}));
  Json points = Json::array();
  points.push_back(Json::parse(R"({"source": 0, "target": 1, "channel": "inter-node", "one_way": [[8, 4e-6]],
      "repetitions": []})"));
  value["points"] = points;
  try {
    static_cast<void>(read_back(value));
    FAIL() << "a time without repetitions was read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("points/0/repetitions"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace postage
