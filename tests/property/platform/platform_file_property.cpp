#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/platform/platform.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace postage {
namespace {

double any_number() {
  const double mantissa = static_cast<double>(*rc::gen::inRange<std::int64_t>(-1000000007, 1000000007));
  return std::ldexp(mantissa / 3, *rc::gen::inRange(-60, 20));
}

Estimate any_estimate() {
  const double infinity = std::numeric_limits<double>::infinity();
  return {any_number(), *rc::gen::arbitrary<bool>() ? -infinity : any_number(),
          *rc::gen::arbitrary<bool>() ? infinity : any_number()};
}

ParameterCurve any_curve() {
  ParameterCurve curve(*rc::gen::inRange<std::size_t>(1, 5));
  for (ParameterPoint& point : curve) {
    point = {*rc::gen::inRange<Bytes>(0, Bytes{1} << 40), any_estimate()};
  }
  return curve;
}

ParameterGroup any_group() {
  ParameterGroup group;
  const int kind = *rc::gen::inRange(0, 3);
  if (kind == 0) {
    group.scope.processor = *rc::gen::inRange(0, 50);
  } else if (kind == 1) {
    group.scope.first = *rc::gen::inRange(0, 50);
    group.scope.second = group.scope.first + *rc::gen::inRange(1, 50);
  } else {
    group.scope.channel = "c" + *rc::gen::string<std::string>();
  }
  group.from_bytes = *rc::gen::inRange<Bytes>(0, Bytes{1} << 40);
  group.values = {{"alpha", any_estimate()}, {"G", any_estimate()}};
  group.curves = {{"g", any_curve()}};
  group.surfaces = {{"L", {{any_number(), any_curve()}, {any_number(), any_curve()}}}};
  return group;
}

std::optional<Estimate> any_rate() {
  return *rc::gen::arbitrary<bool>() ? std::nullopt : std::optional(Estimate{std::abs(any_number()) + 1, 1, 2});
}

/// Of 8 hosts, two groups of two groups.
void add_groups(NetworkStructure& network) {
  network.levels = {{GroupJunction::kMesh, 1, any_rate()},
                    {GroupJunction::kSwitch, 4, any_rate(), *rc::gen::element(1, 2, 4)}};
  for (int group = 0; group < 4; ++group) {
    network.groups.push_back({"g", 0, 4 + group / 2, {2 * group, 2 * group + 1}, any_rate(), any_rate()});
  }
  network.groups.push_back({"left", 1, -1, {0, 1, 2, 3}, any_rate(), any_rate(), {{5, 1}}});
  network.groups.push_back({"right", 1, -1, {4, 5, 6, 7}, any_rate(), any_rate(), {{4, 2}}});
}

/// Of 8 hosts, two groups of two rows of two routers.
void add_rows(NetworkStructure& network) {
  network.levels = {{GroupJunction::kMesh, 1, any_rate()},
                    {GroupJunction::kRows, 1, any_rate(), 1, *rc::gen::arbitrary<bool>()},
                    {GroupJunction::kMesh, 1, any_rate()}};
  for (int router = 0; router < 8; ++router) {
    network.groups.push_back({"r", 0, 8 + router / 2, {router}});
  }
  for (int row = 0; row < 4; ++row) {
    network.groups.push_back({"row", 1, 12 + row / 2, {2 * row, 2 * row + 1}});
  }
  network.groups.push_back({"left", 2, -1, {0, 1, 2, 3}, {}, {}, {{13, *rc::gen::inRange(0, 4)}}});
  network.groups.push_back({"right", 2, -1, {4, 5, 6, 7}, {}, {}, {{12, *rc::gen::inRange(4, 8)}}});
}

NetworkStructure any_network() {
  NetworkStructure network{.rails = *rc::gen::inRange(1, 4)};
  network.classes = {{{0, 1, 2, 5}, any_rate(), any_rate()}, {{3, 4, 6, 7}, any_rate(), any_rate()}};
  *rc::gen::arbitrary<bool>() ? add_rows(network) : add_groups(network);
  if (*rc::gen::arbitrary<bool>()) {
    network.torus = TorusNetwork{{4, 2}, {any_rate(), any_rate()}, *rc::gen::arbitrary<bool>()};
  }
  network.backbone = any_rate();
  network.half_duplex = *rc::gen::arbitrary<bool>();
  return network;
}

Platform any_platform() {
  Platform p{.name = *rc::gen::string<std::string>(), .implementation = "X", .is_virtual = *rc::gen::arbitrary<bool>()};
  p.channels = {kSharedCache, kInterNode};
  p.nodes = {{"n0", {{{*rc::gen::inRange(0, 9), 0, 1, 0}, {3, 1, 0, 2}}}}};
  p.ranks = {{0, 1}};
  p.models.push_back({.model = "loggp",
                      .groups = {any_group(), any_group()},
                      .fit = {3, std::abs(any_number()), 0.5, 1, *rc::gen::inRange<Bytes>(0, 1 << 30)},
                      .classes = {{{0, 1}, {{*rc::gen::inRange(0, 50), 50}, {2, 1000}}}}});
  p.shm_protocols.push_back({kSharedCache,
                             *rc::gen::element(BufferUse::kRewritten, BufferUse::kReused),
                             {8192, *rc::gen::inRange<Bytes>(0, 1 << 30), 3, 4, 5, *rc::gen::arbitrary<bool>()}});
  p.held_out.collectives.push_back({.collective = "bcast",
                                    .algorithm = "binomial",
                                    .ranks = *rc::gen::inRange(2, 100),
                                    .bytes = *rc::gen::inRange<Bytes>(0, 1 << 30),
                                    .measured = {1.5e-6, 1e-6, 2e-6},
                                    .chooses = *rc::gen::arbitrary<bool>()});
  p.held_out.predictions.push_back({"flow", "auto", {1e-9 * *rc::gen::inRange(1, 1000)}, {0.25}});
  p.nodes.resize(8, p.nodes.front());
  p.network = any_network();
  p.points.push_back({0, 1, kInterNode, *rc::gen::inRange<Bytes>(0, 1 << 30), any_estimate(), 7, true});
  return p;
}

RC_GTEST_PROP(PlatformFile, RoundTripIsLossless, ()) {
  Platform platform = any_platform();
  // Text in JSON is UTF-8; random bytes are not.
  for (char& c : platform.name) {
    c = static_cast<char>(c & 0x7f);
  }
  for (auto& group : platform.models[0].groups) {
    for (char& c : group.scope.channel) {
      c = static_cast<char>(c & 0x7f);
    }
  }
  const std::string text = to_json(platform).dump();
  RC_ASSERT(platform_from_json(Json::parse(text), "file") == platform);
}

/// Removes or replaces one random member somewhere in the file.
void damage(Json& value) {
  const auto is_structured = [](const Json& any) { return (any.is_object() || any.is_array()) && !any.empty(); };
  if (is_structured(value)) {
    const auto index = *rc::gen::inRange<std::size_t>(0, value.size());
    Json& item = value.is_array() ? value[index] : value[value.members()[index].name];
    if (is_structured(item) && *rc::gen::inRange(0, 3) > 0) {
      damage(item);
    } else {
      const Json kinds{"text", -1.5, Json::array(), Json::object(), false};
      item = kinds[*rc::gen::inRange<std::size_t>(0, kinds.size())];
    }
  }
}

RC_GTEST_PROP(PlatformFile, ADamagedFileIsReadOrRefusedInOneSentence, ()) {
  Json value = to_json(any_platform());
  damage(value);
  try {
    static_cast<void>(platform_from_json(value, "some.json"));
  } catch (const Error& error) {
    RC_ASSERT(std::string(error.what()).find("some.json") != std::string::npos);
  }
}

TEST(PlatformFile, NamesTheFieldThatIsWrong) {
  Json value = to_json(Platform{});
  value["nodes"] = {{{"name", "n"}, {"cores", {{{"pu", "x"}}}}}};
  try {
    static_cast<void>(platform_from_json(value, "p.json"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "field /nodes/0/cores/0/pu of p.json must be an integer");
  }
}

TEST(PlatformFile, IsNotWrittenIfItCouldNotBeRead) {
  const auto path = std::filesystem::path(testing::TempDir()) / "unreadable-platform.json";
  Platform platform;
  platform.points.push_back({.one_way = Estimate::exactly(std::numeric_limits<double>::infinity())});
  EXPECT_THROW(write_platform(path, platform), Error);
  EXPECT_FALSE(std::filesystem::exists(path));
  platform.points.front().one_way.value = 1;
  write_platform(path, platform);
  EXPECT_NO_THROW(static_cast<void>(read_platform(path)));
  for (std::uintmax_t length = std::filesystem::file_size(path); length > 40; length /= 2) {
    std::filesystem::resize_file(path, length - 3);
    EXPECT_THROW(static_cast<void>(read_platform(path)), Error);
  }
  std::filesystem::remove(path);
}

Json group_with(const Json& parameters) {
  return {{"scope", {{"channel", "inter-node"}}}, {"from_bytes", 0}, {"parameters", parameters}};
}

Json table_with(const std::vector<Json>& groups) {
  const Json fit{{"points", 0},
                 {"median_relative_residual", 0.0},
                 {"largest_relative_residual", 0.0},
                 {"smallest_bytes", 0},
                 {"largest_bytes", 0}};
  Json value = to_json(Platform{});
  value["models"].push_back({{"model", "loggp"}, {"groups", groups}, {"fit", fit}});
  return value;
}

TEST(PlatformFile, ReadsEstimatesAsEarlierVersionsWroteThem) {
  const Json named{{"value", 2.5}, {"lower", nullptr}, {"upper", 3.5}};
  Json point = named;
  point["bytes"] = 64;
  const Json curve{{"points", Json::array({point})}};
  const Platform platform = platform_from_json(table_with({group_with({{"L", named}, {"g", curve}})}), "earlier.json");
  const double infinity = std::numeric_limits<double>::infinity();
  const Estimate expected{2.5, -infinity, 3.5};
  EXPECT_EQ(platform.models[0].groups[0].values.at("L"), expected);
  EXPECT_EQ(platform.models[0].groups[0].curves.at("g"), (ParameterCurve{{64, expected}}));
}

TEST(PlatformFile, WritesACurveOfSeveralGroupsOnce) {
  const ParameterGroup first{.curves = {{"g", {{1, {2, 1, 3}}, {8, Estimate::exactly(5)}}}}};
  Platform platform;
  platform.models.push_back({.model = "loggp", .groups = {first, first}, .fit = {}});
  platform.models[0].groups[1].from_bytes = 9;
  const Json groups = to_json(platform)["models"][0]["groups"];
  EXPECT_EQ(groups[0]["parameters"]["g"].dump(), R"({"points":[[1,2.0,1.0,3.0],[8,5.0]]})");
  EXPECT_EQ(groups[1]["parameters"]["g"].dump(), R"({"same_as":0})");
}

TEST(PlatformFile, RefusesACurveThatIsTheSameAsNone) {
  const Json same{{"same_as", 1}};
  try {
    static_cast<void>(platform_from_json(table_with({group_with({{"g", same}})}), "p.json"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "field /models/0/groups/0/parameters/g/same_as of p.json must be the index of an earlier group with a "
                 "curve or surface g");
  }
}

TEST(PlatformFile, ReadsThresholdsAsEarlierVersionsWroteThem) {
  Json value = to_json(Platform{});
  value["channel_thresholds"] = Json::array({Json{{"channel", kSharedCache},
                                                  {"eager", 8192},
                                                  {"single_copy", 16384},
                                                  {"joint_copy", 65536},
                                                  {"skewed_single_copy", 262144},
                                                  {"exchange", 32768}}});
  Platform expected;
  expected.shm_protocols = {{kSharedCache, BufferUse::kRewritten, {8192, 16384, 65536, 262144, 16384, false}}};
  EXPECT_EQ(platform_from_json(value, "p.json"), expected);
  EXPECT_TRUE(value["channel_thresholds"][0].erase("exchange"));
  EXPECT_EQ(platform_from_json(value, "p.json"), expected);
}

TEST(PlatformFile, RefusesANewerVersion) {
  Json value = to_json(Platform{});
  value["version"] = kPlatformVersion + 1;
  EXPECT_THROW(static_cast<void>(platform_from_json(value, "p.json")), Error);
}

}  // namespace
}  // namespace postage
