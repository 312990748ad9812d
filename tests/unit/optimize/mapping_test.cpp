#include <postage/base/error.hpp>
#include <postage/model/model.hpp>
#include <postage/optimize/mapping/advice.hpp>
#include <postage/optimize/mapping/rank_files.hpp>
#include <postage/predict/given_parameters.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace postage {
namespace {

constexpr const char* kTauLop =
    "[shared-cache] o=1us,L=0/1:0.3us;64K/1:10us;0/8:0.5us;64K/8:40us,n=2 "
    "[inter-node] o=5us,L=0/1:10us;64K/1:60us;0/8:40us;64K/8:480us,n=1,n@shared-cache=2";

struct Machine {
  ParameterTable table;
  Platform platform;
  Mapping slots;
  PlatformModel model;

  Machine(const char* name, const char* parameters, int nodes, int per_node)
      : table(parse_parameters(name, parameters)),
        platform(platform_of(table, nodes, per_node)),
        slots(Mapping::block(nodes, per_node)),
        model(table, platform.channels, ChannelMap(platform, slots)) {}
};

const PlacementCandidate& named(const MappingAdvice& advice, const char* name) {
  return *std::ranges::find(advice.candidates, name, &PlacementCandidate::name);
}

/// Ranks that talk are as far from one another as they can be; the communication is a ring all the same.
Communication scattered(const Communication& communication, std::uint64_t seed) {
  std::vector<Rank> other(static_cast<std::size_t>(communication.ranks));
  std::iota(other.begin(), other.end(), 0);
  std::mt19937_64 random(seed);
  for (std::size_t i = other.size(); i > 1; --i) {
    std::swap(other[i - 1], other[random() % i]);
  }
  Communication renamed = communication;
  renamed.grid.clear();
  for (MessagePhase& phase : renamed.phases) {
    for (StartedMessage& message : phase.messages) {
      message.source = other[static_cast<std::size_t>(message.source)];
      message.target = other[static_cast<std::size_t>(message.target)];
    }
  }
  return renamed;
}

/// Paper 001, equations 7 and 8: block keeps all but one message of a node inside it.
TEST(MappingAdvice, FindsTheSequentialRing) {
  const Machine m("taulop", kTauLop, 4, 8);
  const MappingAdvice straight = advise_mapping({ring_communication(32, 65536)}, m.platform, m.slots, m.model);
  EXPECT_EQ(straight.candidates[straight.best].name, "block");
  const double factor = named(straight, "cyclic").seconds / named(straight, "block").seconds;
  EXPECT_GT(factor, 3);
  const MappingAdvice advice =
      advise_mapping({scattered(ring_communication(32, 65536), 3)}, m.platform, m.slots, m.model);
  EXPECT_NEAR(advice.candidates[advice.best].seconds, named(straight, "block").seconds, 1e-9);
}

TEST(MappingAdvice, PutsAHaloIntoTiles) {
  const Machine m("taulop", kTauLop, 4, 16);
  const MappingAdvice advice =
      advise_mapping({scattered(halo_communication({8, 8}, 65536), 5)}, m.platform, m.slots, m.model);
  // The four tiles of 4 x 4 of which each sends 8 messages to others.
  std::vector<Rank> tiles;
  for (Rank rank = 0; rank < 64; ++rank) {
    tiles.push_back(rank / 32 * 32 + rank % 8 / 4 * 16 + rank / 8 % 4 * 4 + rank % 4);
  }
  const Communication halo = halo_communication({8, 8}, 65536);
  const ChannelMap channels(m.platform, m.slots);
  PlacementCost cost(halo.phases, channels, m.model.model());
  cost.place(tiles);
  EXPECT_LE(advice.candidates[advice.best].seconds, 1.05 * cost.seconds());
  EXPECT_LT(advice.candidates[advice.best].seconds, 0.8 * named(advice, "block").seconds);
}

/// Of ranks in the order of their grid the tiles are known: no box of 8 ranks of a 64 x 64 grid has fewer than 12
/// neighbours outside, and one of 2 x 4 has 12.
TEST(TilePlacement, HasTheLeastSurface) {
  const Machine m("taulop", kTauLop, 512, 8);
  const Communication halo = halo_communication({64, 64}, 65536);
  const std::vector<Rank> slot_of_rank = tile_placement(halo.grid, m.platform, m.slots);
  EXPECT_EQ(std::set<Rank>(slot_of_rank.begin(), slot_of_rank.end()).size(), 4096U);
  std::vector<int> leaving(512, 0);
  for (const StartedMessage& message : halo.phases.front().messages) {
    const Rank source = slot_of_rank[static_cast<std::size_t>(message.source)] / 8;
    leaving[static_cast<std::size_t>(source)] +=
        slot_of_rank[static_cast<std::size_t>(message.target)] / 8 != source ? 1 : 0;
  }
  EXPECT_EQ(std::ranges::max(leaving), 12);
  const ChannelMap channels(m.platform, m.slots);
  PlacementCost cost(halo.phases, channels, m.model.model());
  const Seconds block = cost.seconds();
  cost.place(slot_of_rank);
  EXPECT_LT(cost.seconds(), 0.8 * block);
}

TEST(TilePlacement, IsBlockWhereNothingCanBeCut) {
  const Machine m("taulop", kTauLop, 3, 4);
  const std::vector<Rank> in_order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  EXPECT_EQ(tile_placement({2, 6}, m.platform, m.slots), (std::vector<Rank>{0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11}));
  EXPECT_EQ(tile_placement({12}, m.platform, m.slots), in_order);
  const Machine primes("taulop", kTauLop, 5, 2);
  EXPECT_EQ(tile_placement({1, 10}, primes.platform, primes.slots), (std::vector<Rank>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

/// All placements of six ranks on three nodes of two: none is better.
TEST(MappingAdvice, IsTheBestOfAllSmallPlacements) {
  const Machine m("taulop", kTauLop, 3, 2);
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 20; ++trial) {
    Communication communication{.name = "random", .ranks = 6, .phases = {{}}};
    for (int i = 0; i < 7; ++i) {
      communication.phases[0].messages.push_back(
          {static_cast<Rank>(random() % 6), static_cast<Rank>(random() % 6), static_cast<Bytes>(random() % 65536)});
    }
    const ChannelMap channels(m.platform, m.slots);
    PlacementCost cost(communication.phases, channels, m.model.model());
    std::vector<Rank> slots{0, 1, 2, 3, 4, 5};
    Seconds least = cost.seconds();
    do {
      cost.place(slots);
      least = std::min(least, cost.seconds());
    } while (std::ranges::next_permutation(slots).found);
    const MappingAdvice advice = advise_mapping({communication}, m.platform, m.slots, m.model);
    EXPECT_LE(advice.candidates[advice.best].seconds, 1.1 * least) << trial;
  }
}

TEST(MappingAdvice, KnowsThatAlltoallHasNoBetterMapping) {
  const Machine m("taulop", kTauLop, 2, 4);
  const MappingAdvice advice = advise_mapping({alltoall_communication(8, 1024)}, m.platform, m.slots, m.model);
  EXPECT_EQ(advice.best, 0U);
  EXPECT_EQ(advice.swaps, 0);
}

TEST(MappingAdvice, RefusesWhatDoesNotFit) {
  const Machine m("hockney", "alpha=1us,beta=1ns", 2, 2);
  EXPECT_THROW(static_cast<void>(advise_mapping({ring_communication(5, 8)}, m.platform, m.slots, m.model)), UsageError);
  EXPECT_THROW(check_placements({{0, 0}, {0, 0}}, 2), UsageError);
  EXPECT_THROW(check_placements({{0, 0}}, 2), UsageError);
  EXPECT_NO_THROW(check_placements({{0, 0}, {1, 0}}, 2));
}

/// A torus of 4 x 4 hosts: a grid of 4 x 4 ranks whose names are shuffled finds neighbours on neighbouring hosts.
TEST(ScotchPlacement, MapsAGridOntoATorus) {
  Platform platform{.name = "torus", .channels = {kInterNode}};
  for (int host = 0; host < 16; ++host) {
    platform.nodes.push_back({"h", {{Core{}}}});
  }
  platform.network = NetworkStructure{};
  platform.network->torus = TorusNetwork{{4, 4}, {Estimate::exactly(1e9), Estimate::exactly(1e9)}};
  const Mapping slots = Mapping::block(16, 1);
  const Model model = build_model(parse_parameters("hockney", "alpha=1us,beta=1ns"), platform.channels);
  const ChannelMap channels(platform, slots);
  const Communication halo = scattered(halo_communication({4, 4}, 1000), 9);
  const std::vector<Rank> placed = scotch_placement(edges_of(halo, channels, model), platform, slots);
  EXPECT_EQ(std::set<Rank>(placed.begin(), placed.end()).size(), 16U);
  int hops = 0;
  for (const StartedMessage& message : halo.phases.front().messages) {
    std::vector<LinkOnRoute> route;
    channels.network()->find_route(placed[static_cast<std::size_t>(message.source)],
                                   placed[static_cast<std::size_t>(message.target)], route);
    hops += static_cast<int>(route.size());
  }
  EXPECT_LE(hops, 60) << "48 messages between neighbours, of which the best placement makes one hop each";
}

TEST(ScotchPlacement, IsTheSameOnEveryCall) {
  const Machine m("taulop", kTauLop, 8, 8);
  const auto edges =
      edges_of(scattered(halo_communication({8, 8}, 1000), 1), ChannelMap(m.platform, m.slots), m.model.model());
  EXPECT_EQ(scotch_placement(edges, m.platform, m.slots), scotch_placement(edges, m.platform, m.slots));
}

TEST(Communication, OfPatterns) {
  EXPECT_EQ(grid_lengths(12, 2), (std::vector<Rank>{3, 4}));
  EXPECT_EQ(grid_lengths(12, 3), (std::vector<Rank>{2, 2, 3}));
  EXPECT_EQ(grid_lengths(7, 2), (std::vector<Rank>{1, 7}));
  EXPECT_EQ(halo_communication({3, 4}, 8).phases.front().messages.size(), 34U);
  const Communication ring =
      communication_of(build_schedule(find_algorithm(Collective::kAllgather, "ring"), {.ranks = 6, .bytes = 100}));
  ASSERT_EQ(ring.phases.size(), 1U);
  EXPECT_EQ(ring.phases.front().times, 5);
  EXPECT_EQ(ring.phases.front().messages.size(), 6U);
}

TEST(RankFiles, NameEveryRank) {
  const RankFiles named = rank_files({{0, 0}, {1, 1}, {1, 0}, {0, 1}}, {"a", "b"});
  EXPECT_EQ(named.mapping, "0 0\n1 1\n1 0\n0 1\n");
  EXPECT_EQ(named.rankfile, "rank 0=a slot=0\nrank 1=b slot=1\nrank 2=b slot=0\nrank 3=a slot=1\n");
  EXPECT_EQ(named.hostfile, "a:1\nb:2\na:1\n");
  EXPECT_EQ(named.hosts, "a\nb\nb\na\n");
  EXPECT_FALSE(named.keeps_cores);
  EXPECT_TRUE(rank_files({{0, 0}, {1, 0}, {0, 1}}, {"a", "b"}).keeps_cores);
  EXPECT_EQ(rank_files({{1, 0}}, {}).mapping, "1 0\n");
  EXPECT_EQ(rank_files({{1, 0}}, {}).rankfile, "");
  EXPECT_THROW(static_cast<void>(rank_files({{2, 0}}, {"a", "b"})), UsageError);
}

}  // namespace
}  // namespace postage
