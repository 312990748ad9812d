#include "property/platform/random_platform.hpp"

#include <postage/base/error.hpp>
#include <postage/platform/mapping.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cstdint>
#include <set>
#include <utility>

namespace postage {
namespace {

TEST(PlatformFileProperty, RoundTripGivesBackThePlatform) {
  EXPECT_TRUE(rc::check([] {
    const Platform platform = *any_platform();
    const std::string text = to_json(platform).dump();
    const Platform again = platform_from_json(nlohmann::json::parse(text), "p.json");
    RC_ASSERT(again == platform);
    RC_ASSERT(to_json(again).dump() == text);
  }));
}

// == cannot tell -0.0 from 0.0.
TEST(PlatformFileProperty, NumbersKeepEveryBit) {
  EXPECT_TRUE(rc::check([](bool) {
    const double value = *any_number();
    Platform platform;
    platform.channels = {"c"};
    platform.models = {{"m", {{{"c"}, 0, {{"x", Estimate::exactly(value)}}}}, {}}};
    const Platform again = platform_from_json(nlohmann::json::parse(to_json(platform).dump()), "p.json");
    const double read = again.models[0].groups[0].values.at("x").value;
    RC_ASSERT(std::bit_cast<std::uint64_t>(read) == std::bit_cast<std::uint64_t>(value));
  }));
}

// Whatever is done to a file, it is read or refused with one sentence: nothing else is thrown.
TEST(PlatformFileProperty, ADamagedFileIsReadOrRefused) {
  EXPECT_TRUE(rc::check([] {
    const nlohmann::json flat = to_json(*any_platform()).flatten();
    const auto way = std::next(flat.begin(), static_cast<std::ptrdiff_t>(index_into(flat.size()))).key();
    nlohmann::json damaged = flat.unflatten();
    damaged[nlohmann::json::json_pointer(way)] = *rc::gen::element<nlohmann::json>(
        nullptr, true, -1, 0, 1e300, "x", nlohmann::json::array(), nlohmann::json::object(), 99999999999);
    try {
      static_cast<void>(platform_from_json(damaged, "p.json"));
    } catch (const Error& refusal) {
      RC_ASSERT(std::string(refusal.what()).find("p.json") == 0);
    }
  }));
}

TEST(MappingProperty, BlockAndCyclicPlaceEveryRankOnceAndOnlyPermute) {
  EXPECT_TRUE(rc::check([] {
    const auto nodes = *rc::gen::inRange<std::int32_t>(1, 20);
    const auto per_node = *rc::gen::inRange<std::int32_t>(1, 20);
    std::set<std::pair<int, int>> block;
    std::set<std::pair<int, int>> cyclic;
    for (std::int32_t rank = 0; rank < nodes * per_node; ++rank) {
      const auto b = Mapping::block(nodes, per_node).place_of(rank);
      const auto c = Mapping::cyclic(nodes, per_node).place_of(rank);
      block.emplace(b.node, b.core);
      cyclic.emplace(c.node, c.core);
      RC_ASSERT(b.node < nodes && b.core < per_node);
    }
    RC_ASSERT(block.size() == static_cast<std::size_t>(nodes * per_node));
    RC_ASSERT(block == cyclic);
  }));
}

}  // namespace
}  // namespace postage
