#include <postage/measure/representatives.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace postage {
namespace {

/// What roundtrips of 1 byte and 64 KiB take between two hosts of a network that is made up.
struct MadeUpNetwork {
  int hosts = 0;
  std::function<std::pair<double, double>(int, int)> latency_and_per_byte;

  [[nodiscard]] std::vector<Estimate> times(int a, int b) const {
    const auto [latency, per_byte] = latency_and_per_byte(a, b);
    return {Estimate::exactly(2 * latency), Estimate::exactly(2 * (latency + 65536 * per_byte))};
  }
};

struct Found {
  PairStructure structure;
  std::size_t probed = 0;
};

/// One rank on each host.
std::pair<std::vector<Node>, std::vector<RankPlacement>> single_ranks(int hosts) {
  std::pair<std::vector<Node>, std::vector<RankPlacement>> all;
  for (int i = 0; i < hosts; ++i) {
    all.first.push_back({"h" + std::to_string(i), {{Core{}}}});
    all.second.push_back({i, 0});
  }
  return all;
}

/// As campaigns do it: neighbours first, then pairs by chance while these are not what was expected.
Found find_structure(const MadeUpNetwork& network) {
  const auto [nodes, ranks] = single_ranks(network.hosts);
  PairProbes probes{.sizes = {1, 65536}};
  for (const RankPair& pair : pairs_to_probe(network.hosts)) {
    probes.pairs.push_back({pair, network.times(pair.first, pair.second)});
  }
  Found found{find_pair_structure(probes, nodes, ranks)};
  for (int round = 0; round < most_rounds(network.hosts); ++round) {
    std::vector<PairProbe> checks;
    for (const RankPair& pair : pairs_to_check(network.hosts, probes.pairs, round)) {
      checks.push_back({pair, network.times(pair.first, pair.second)});
    }
    const std::size_t wrong = surprises(found.structure, checks, nodes, ranks);
    probes.pairs.insert(probes.pairs.end(), checks.begin(), checks.end());
    found.structure = find_pair_structure(probes, nodes, ranks);
    if (static_cast<double>(wrong) <= kMostSurprises * static_cast<double>(checks.size())) {
      break;
    }
  }
  found.probed = probes.pairs.size();
  return found;
}

/// The share of all pairs whose class takes more than 2 % longer or shorter than they do.
double share_of_wrong(const MadeUpNetwork& network, const PairStructure& structure) {
  int wrong = 0;
  int all = 0;
  for (int b = 1; b < network.hosts; ++b) {
    for (int a = 0; a < b; ++a) {
      const AlikePairs& alike = structure.classes[structure.class_of(kInterNode, a, b)];
      const std::vector<Estimate> truth = network.times(a, b);
      bool is_right = true;
      for (std::size_t i = 0; i < truth.size(); ++i) {
        is_right = is_right && std::abs(alike.times[i] / truth[i].value - 1) < 0.02;
      }
      wrong += is_right ? 0 : 1;
      ++all;
    }
  }
  return static_cast<double>(wrong) / all;
}

std::size_t measured_in_full(const PairStructure& structure) {
  std::vector<int> hosts(structure.group_of.size());
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    hosts[i] = static_cast<int>(i);
  }
  return representatives_of(structure, hosts).pairs.size();
}

MadeUpNetwork star(int hosts) {
  return {hosts, [](int, int) { return std::pair(10e-6, 1e-9); }};
}

/// Leaf switches below others, of `leaf` neighbours, or of every hosts/leaf-th host.
MadeUpNetwork fat_tree(int hosts, int leaf, int middle, bool in_turn) {
  return {hosts, [=](int a, int b) {
            const int leaves = std::max(hosts / leaf, 1);
            const int x = in_turn ? a % leaves : a / leaf;
            const int y = in_turn ? b % leaves : b / leaf;
            const int level = x == y ? 0 : x / middle == y / middle ? 1 : 2;
            return std::pair((10 + 7 * level) * 1e-6, (1 + 0.3 * level) * 1e-9);
          }};
}

MadeUpNetwork of_kinds(int hosts, int kinds, unsigned seed) {
  return {hosts, [=](int a, int b) {
            const auto kind = [&](int host) {
              std::mt19937 random(seed * 1000 + static_cast<unsigned>(host));
              random.discard(2);
              return static_cast<double>(random() % static_cast<unsigned>(kinds));
            };
            return std::pair((10 + kind(a) + kind(b)) * 1e-6, (1 + 0.2 * std::max(kind(a), kind(b))) * 1e-9);
          }};
}

MadeUpNetwork torus(int x, int y) {
  return {x * y, [=](int a, int b) {
            const auto around = [](int from, int to, int length) {
              const int straight = std::abs(from - to);
              return std::min(straight, length - straight);
            };
            const int hops = around(a % x, b % x, x) + around(a / x, b / x, y);
            return std::pair((2 + hops) * 1e-6, 1e-9);
          }};
}

/// Groups of one host on each router; the link to each other group is at one router, by chance.
MadeUpNetwork dragonfly_of_two_kinds(int groups, int routers, unsigned seed) {
  const auto drawn = [seed](int a, int b, int among) {
    std::mt19937 random(seed + static_cast<unsigned>(a) * 977 + static_cast<unsigned>(b) * 31);
    random.discard(2);
    return static_cast<int>(random() % static_cast<unsigned>(among));
  };
  return {groups * routers, [=](int a, int b) {
            const int x = a / routers;
            const int y = b / routers;
            const int detours =
                (drawn(x, y, routers) == a % routers ? 0 : 1) + (drawn(y, x, routers) == b % routers ? 0 : 1);
            const int steps = x == y ? 1 : 1 + detours;
            return std::pair((10 + 2.5 * steps + 6 * drawn(a, a, 2) + 6 * drawn(b, b, 2)) * 1e-6, 2e-9);
          }};
}

MadeUpNetwork all_different(int hosts) {
  return {hosts, [](int a, int b) {
            return std::pair((20 + a * 0.37 + b * 0.37) * 1e-6, (1 + 0.01 * std::max(a, b)) * 1e-9);
          }};
}

RC_GTEST_PROP(PairStructures, OfTreesAreFound, ()) {
  const int leaf = 1 << *rc::gen::inRange(1, 5);
  const int middle = *rc::gen::inRange(1, 5);
  const int leaves = *rc::gen::inRange(2, 9);
  const MadeUpNetwork network = fat_tree(leaf * leaves, leaf, middle, *rc::gen::arbitrary<bool>());
  const Found found = find_structure(network);
  RC_LOG() << leaf << " x " << leaves << " below " << middle << "\n";
  RC_ASSERT(share_of_wrong(network, found.structure) <= 0.02);
  RC_ASSERT(found.structure.classes.size() <= 3U);
}

RC_GTEST_PROP(PairStructures, OfHostsOfSomeKindsAreFound, ()) {
  const int hosts = *rc::gen::inRange(6, 65);
  const int kinds = *rc::gen::inRange(1, 4);
  const MadeUpNetwork network = of_kinds(hosts, kinds, *rc::gen::inRange(0U, 1000U));
  const Found found = find_structure(network);
  RC_LOG() << hosts << " hosts of " << kinds << " kinds, " << found.structure.groups() << " groups\n";
  RC_ASSERT(share_of_wrong(network, found.structure) <= 0.02);
  RC_ASSERT(measured_in_full(found.structure) <= 24U);
}

RC_GTEST_PROP(PairStructures, OfToriAreFound, ()) {
  const MadeUpNetwork network = torus(*rc::gen::inRange(3, 7), *rc::gen::inRange(3, 7));
  const Found found = find_structure(network);
  RC_LOG() << network.hosts << " hosts, " << found.structure.groups() << " groups\n";
  RC_ASSERT(share_of_wrong(network, found.structure) <= 0.02);
}

// Links of such groups join routers by no rule that pairs beside them tell, and hosts of two kinds hide the steps.
TEST(PairStructures, OfHostsThatDifferOnADragonflyAreFound) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const MadeUpNetwork network = dragonfly_of_two_kinds(9 + static_cast<int>(seed), 4, seed);
    EXPECT_LE(share_of_wrong(network, find_structure(network).structure), 0.02) << seed;
  }
}

TEST(PairStructures, GrowWithTheStructureAndNotWithThePairs) {
  for (const int hosts : {16, 64, 256, 1024}) {
    for (const MadeUpNetwork& network : {star(hosts), fat_tree(hosts, 8, 4, false)}) {
      const Found found = find_structure(network);
      EXPECT_LE(measured_in_full(found.structure), 9U) << hosts;
      EXPECT_LE(found.probed, static_cast<std::size_t>(hosts) * static_cast<std::size_t>(2 * std::log2(hosts)));
      EXPECT_LE(share_of_wrong(network, found.structure), 0.02);
    }
  }
}

TEST(PairStructures, MeasureAFewPairsOfEachHostWhereAllDiffer) {
  for (const int hosts : {16, 64, 256}) {
    const MadeUpNetwork network = all_different(hosts);
    const Found found = find_structure(network);
    EXPECT_LE(measured_in_full(found.structure), std::max<std::size_t>(24, 2 * static_cast<std::size_t>(hosts)));
    EXPECT_LE(share_of_wrong(network, found.structure), 0.1) << hosts;
    EXPECT_EQ(found.structure.groups(), hosts);
  }
}

TEST(PairStructures, RanksWithinAHostAreAPartOfThem) {
  PairProbes probes{.sizes = {1}};
  std::vector<Node> nodes;
  std::vector<RankPlacement> ranks;
  for (int host = 0; host < 4; ++host) {
    nodes.push_back({"h" + std::to_string(host), {std::vector<Core>(4)}});
    for (int core = 0; core < 4; ++core) {
      ranks.push_back({host, core});
    }
  }
  for (const RankPair& pair : pairs_to_probe(16)) {
    const bool inside = pair.first / 4 == pair.second / 4;
    probes.pairs.push_back({pair, {Estimate::exactly(inside ? 1e-6 : 10e-6)}});
  }
  const PairStructure structure = find_pair_structure(probes, nodes, ranks);
  ASSERT_EQ(structure.classes.size(), 2U);
  EXPECT_EQ(structure.classes[0].pairs, 24U);
  EXPECT_EQ(structure.classes[1].pairs, 96U);
  EXPECT_EQ(structure.classes[1].channel, kInterNode);
  EXPECT_EQ(structure.groups(), 1);
}

}  // namespace
}  // namespace postage
