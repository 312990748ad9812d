#include <postage/base/error.hpp>
#include <postage/model/model.hpp>
#include <postage/optimize/mapping/communication.hpp>
#include <postage/predict/given_parameters.hpp>
#include <postage/predict/rounds/rounds.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace postage {
namespace {

constexpr Rank kNodes = 3;
constexpr Rank kPerNode = 4;
constexpr Rank kRanks = kNodes * kPerNode;

std::vector<Rank> shuffled(std::mt19937_64& random) {
  std::vector<Rank> slots(kRanks);
  std::iota(slots.begin(), slots.end(), 0);
  for (std::size_t i = slots.size(); i > 1; --i) {
    std::swap(slots[i - 1], slots[random() % i]);
  }
  return slots;
}

Seconds by_rounds(const Schedule& schedule, const Platform& platform, const std::vector<Rank>& slot_of_rank,
                  const Model& model) {
  const Mapping block = Mapping::block(kNodes, kPerNode);
  std::vector<RankPlacement> placements;
  for (const Rank slot : slot_of_rank) {
    placements.push_back(block.placement_of(slot));
  }
  return sum_all_rounds(schedule, ChannelMap(platform, Mapping::explicit_placements(placements)), model).seconds;
}

/// The evaluator of rounds charges the same, for every model, before and after any swaps.
TEST(PlacementCost, IsWhatTheRoundsTake) {
  std::mt19937_64 random(7);
  const std::vector<std::pair<Collective, const char*>> cases{{Collective::kAllgather, "ring"},
                                                              {Collective::kBcast, "binomial"},
                                                              {Collective::kAlltoall, "linear"},
                                                              {Collective::kBarrier, "dissemination"}};
  for (const ModelDescriptor* descriptor : models()) {
    if (descriptor->properties.gets_data) {
      continue;
    }
    const ParameterTable table = parse_parameters(descriptor->name, descriptor->example);
    const Platform platform = platform_of(table, kNodes, kPerNode);
    const Model model = build_model(table, platform.channels);
    const ChannelMap slots(platform, Mapping::block(kNodes, kPerNode));
    for (const auto& [collective, algorithm] : cases) {
      const Bytes bytes = collective == Collective::kBarrier ? 0 : 5000;
      const Schedule schedule =
          build_schedule(find_algorithm(collective, algorithm), {.ranks = kRanks, .bytes = bytes});
      const Communication communication = communication_of(schedule);
      PlacementCost cost(communication.phases, slots, model);
      cost.place(shuffled(random));
      for (int i = 0; i < 20; ++i) {
        const Seconds expected = by_rounds(schedule, platform, cost.slot_of_rank(), model);
        ASSERT_NEAR(cost.seconds(), expected, 1e-9 * expected) << descriptor->name << " " << algorithm << " " << i;
        cost.swap(static_cast<Rank>(random() % kRanks), static_cast<Rank>(random() % kRanks));
      }
      PlacementCost anew(communication.phases, slots, model);
      anew.place(cost.slot_of_rank());
      EXPECT_NEAR(anew.mean_seconds(), cost.mean_seconds(), 1e-9 * anew.mean_seconds()) << descriptor->name;
    }
  }
}

/// Links between switches limit a phase under the model of flows, and a swap that keeps messages within a group helps.
TEST(PlacementCost, CountsLinksBetweenSwitches) {
  NetworkStructure network;
  network.levels = {{GroupJunction::kSwitch, 1, Estimate::exactly(1e9)}};
  network.groups = {{"left", 0, -1, {0, 1}}, {"right", 0, -1, {2, 3}}};
  const ParameterTable table = parse_parameters("flow", "L=0,o=0,G=1ns");
  Platform platform{.name = "two groups", .channels = {kInterNode}, .network = network};
  for (int host = 0; host < 4; ++host) {
    platform.nodes.push_back({"h", {{Core{}}}});
    platform.ranks.push_back({host, 0});
  }
  const Model model = build_model(table, platform.channels);
  const ChannelMap slots(platform, Mapping::block(4, 1));
  const std::vector<MessagePhase> phases{{{{0, 2, 1'000'000}, {1, 3, 1'000'000}}, 2}};
  PlacementCost cost(phases, slots, model);
  EXPECT_NEAR(cost.seconds(), 4e-3, 1e-12);
  cost.swap(1, 2);
  EXPECT_NEAR(cost.seconds(), 2e-3, 1e-12);
  cost.swap(1, 2);
  EXPECT_NEAR(cost.seconds(), 4e-3, 1e-12);
}

std::string refusal_of(const std::vector<Rank>& slots) {
  const ParameterTable table = parse_parameters("hockney", "alpha=1us,beta=1ns");
  const Platform platform = platform_of(table, 2, 2);
  const ChannelMap map(platform, Mapping::block(2, 2));
  const Model model = build_model(table, platform.channels);
  const std::vector<MessagePhase> none;
  PlacementCost cost(none, map, model);
  try {
    cost.place(slots);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(PlacementCost, RefusesWhatIsNoPermutation) {
  EXPECT_EQ(refusal_of({3, 1, 2, 0}), "");
  EXPECT_NE(refusal_of({0, 1, 1, 3}).find("ranks 1 and 2 are both on slot 1"), std::string::npos);
  EXPECT_NE(refusal_of({0, 1, 2}).find("misses"), std::string::npos);
  EXPECT_NE(refusal_of({0, 1, 2, 4}).find("slots 0 to 3"), std::string::npos);
}

}  // namespace
}  // namespace postage
