#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/platform/platform.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

namespace postage {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

Platform example() {
  const double infinity = std::numeric_limits<double>::infinity();
  Platform platform;
  platform.name = "two cores";
  platform.implementation = "Open MPI 4.1.4";
  platform.created = "2024-05-01T12:00:00Z";
  platform.channels = {kSharedCache, kInterNode};
  platform.nodes = {{"a", {{{0, 0, 0, 0}, {1, 0, 0, 0}}}}, {"b", {{{4, 0, 0, 0}}}}};
  platform.ranks = {{0, 0}, {0, 1}, {1, 0}};
  platform.models = {{"hockney",
                      {{{kSharedCache}, 0, {{"alpha", {1e-7, 0.9e-7, 1.1e-7}}, {"beta", Estimate::exactly(1. / 3e9)}}},
                       {{"", 0, 2}, 4096, {{"alpha", {2e-6, -infinity, infinity}}}}},
                      {12, 0.01, 0.05, 8, 1048576}}};
  platform.points = {{0, 1, kSharedCache, 8, {2.6e-7, 2.5e-7, 2.7e-7}, 100, true}};
  return platform;
}

std::string complaint(const json& file) {
  try {
    static_cast<void>(platform_from_json(file, "p.json"));
  } catch (const Error& mistake) {
    return mistake.what();
  }
  return "";
}

TEST(PlatformFile, RoundTripIsLossless) {
  EXPECT_EQ(platform_from_json(json::parse(to_json(example()).dump()), "p.json"), example());
  EXPECT_EQ(platform_from_json(to_json(Platform{}), "p.json"), Platform{});
}

TEST(PlatformFile, NamesTheFieldThatIsMissing) {
  const json good = to_json(example());
  for (const char* way : {"/name",
                          "/implementation",
                          "/created",
                          "/is_virtual",
                          "/channels",
                          "/nodes",
                          "/ranks",
                          "/models",
                          "/points",
                          "/nodes/1/name",
                          "/nodes/1/cores",
                          "/nodes/0/cores/1/pu",
                          "/nodes/0/cores/1/cache",
                          "/ranks/2/core",
                          "/models/0/fit",
                          "/models/0/groups/0/from_bytes",
                          "/models/0/groups/0/channel",
                          "/models/0/groups/1/values/alpha/upper",
                          "/points/0/one_way",
                          "/points/0/one_way/value",
                          "/points/0/precise",
                          "/models/0/fit/points"}) {
    const Pointer pointer(way);
    json broken = good;
    broken[pointer.parent_pointer()].erase(pointer.back());
    const auto said = complaint(broken);
    EXPECT_EQ(said.find("p.json: "), 0U) << way << " gave: " << said;
    EXPECT_NE(said.find(pointer.back() + " is missing"), std::string::npos) << way << " gave: " << said;
  }
}

struct Wrong {
  const char* way;
  json value;
  const char* said;
};

TEST(PlatformFile, NamesTheFieldThatIsWrong) {
  const json good = to_json(example());
  const Wrong wrongs[] = {
      {"/name", 7, "p.json: name is 7 but must be a string"},
      {"/is_virtual", "no", "p.json: is_virtual is \"no\" but must be true or false"},
      {"/channels", "x", "p.json: channels is \"x\" but must be an array"},
      {"/channels/1", "shared-cache", "p.json: channels[1] is \"shared-cache\" but must be a name that no channel"},
      {"/nodes/0", json::array(), "p.json: nodes[0] is an array but must be an object"},
      {"/nodes/0/cores/1/pu", -1, "p.json: nodes[0].cores[1].pu is -1 but must be an integer from 0 to 2147483647"},
      {"/nodes/0/cores/1/pu", 1.5, "p.json: nodes[0].cores[1].pu is 1.5 but must be an integer"},
      {"/nodes/0/cores/1/hue", 1, "p.json: nodes[0].cores[1].hue is not a field of this format; there are pu, socket"},
      {"/ranks/0/node", 2, "p.json: ranks[0].node is 2 but must be an index into nodes, of which there are 2"},
      {"/ranks/2/core", 1, "p.json: ranks[2].core is 1 but must be an index into the node's cores"},
      {"/models/0/groups/0/channel", "wifi", "is \"wifi\" but must be one of the platform's channels, shared-cache"},
      {"/models/0/groups/1/pair", {2, 0}, "p.json: models[0].groups[1].pair is an array but must be two ranks"},
      {"/models/0/groups/1/pair", {0, 3}, "p.json: models[0].groups[1].pair[1] is 3 but must be an index into ranks"},
      {"/models/0/groups/1/channel", "inter-node", "groups[1].channel is \"inter-node\" but must be left out"},
      {"/models/0/groups/0/values/beta/lower", 1, "values.beta.lower is 1 but must be at most \"upper\""},
      {"/models/0/groups/0/values/beta/value", nullptr, "values.beta.value is null but must be a number"},
      {"/points/0/bytes", 18446744073709551615ULL, "points[0].bytes is 18446744073709551615 but must be an integer"},
      {"/points/0/target", 3, "p.json: points[0].target is 3 but must be an index into ranks, of which there are 3"},
      {"/version", 2, "p.json has version 2 of the postage-platform format; this postage reads versions 1 to 1"},
      {"/format", "postage-samples", "p.json is not a postage-platform file"},
  };
  for (const auto& [way, value, expected] : wrongs) {
    json broken = good;
    broken[Pointer(way)] = value;
    const auto said = complaint(broken);
    EXPECT_NE(said.find(expected), std::string::npos) << way << " gave: " << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
  EXPECT_NE(complaint(json::array()).find("is not a postage-platform file"), std::string::npos);
}

class PlatformOnDisk : public testing::Test {
 protected:
  PlatformOnDisk() : path_(std::filesystem::temp_directory_path() / ("postage-platform-" + std::to_string(getpid()))) {}
  ~PlatformOnDisk() override { std::filesystem::remove(path_); }
  std::filesystem::path path_;
};

TEST_F(PlatformOnDisk, IsReadAsItWasWritten) {
  write_platform(path_, example());
  EXPECT_EQ(read_platform(path_), example());
}

TEST_F(PlatformOnDisk, IsRefusedWhereItIsCutOff) {
  const std::string text = to_json(example()).dump(1);
  for (std::size_t length = 0; length < text.size(); length += 97) {
    write_file(path_, text.substr(0, length));
    EXPECT_THROW(static_cast<void>(read_platform(path_)), Error) << length;
  }
}

TEST_F(PlatformOnDisk, IsNotWrittenIfItCouldNotBeRead) {
  Platform platform = example();
  platform.points[0].channel = "wifi";
  EXPECT_THROW(write_platform(path_, platform), Error);
  platform = example();
  platform.points[0].one_way.value = std::nan("");
  EXPECT_THROW(write_platform(path_, platform), Error);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace postage
