// Pairs of cores by locality level.
#include <postage/base/error.hpp>
#include <postage/bench/pairs.hpp>

#include <gtest/gtest.h>

#include <set>

namespace postage {
namespace {

/// The node of paper 002, figure 1: two sockets of four cores, two to a cache.
NodeTopology clovertown() {
  NodeTopology node;
  for (int core = 0; core < 8; ++core) {
    node.cores.push_back({.pu = core, .socket = core / 4, .cache = core / 2});
  }
  return node;
}

TEST(PairsAt, TakesEachCoreOnceAtEveryLevel) {
  for (const LocalityLevel level : kLocalityLevels) {
    const auto pairs = pairs_at(clovertown(), level);
    EXPECT_EQ(pairs.size(), 4U) << name_of(level);
    std::set<int> pus;
    for (const auto& [a, b] : pairs) {
      EXPECT_EQ(level_between(a, b), level);
      pus.insert({a.pu, b.pu});
    }
    EXPECT_EQ(pus.size(), 8U) << name_of(level);
  }
}

/// Caches of one, one and two cores: pairing the first two would leave the other two, which share one, without a pair.
TEST(PairsAt, LeavesAsFewCoresOverAsCanBe) {
  NodeTopology node;
  node.cores = {{.pu = 0, .cache = 0}, {.pu = 1, .cache = 1}, {.pu = 2, .cache = 2}, {.pu = 3, .cache = 2}};
  EXPECT_EQ(pairs_at(node, LocalityLevel::kSocket).size(), 2U);
  EXPECT_EQ(pairs_at(node, LocalityLevel::kCache).size(), 1U);
  EXPECT_TRUE(pairs_at(node, LocalityLevel::kMachine).empty());
}

TEST(LocalityLevels, AreReadByName) {
  EXPECT_EQ(parse_locality_level("intra-socket"), LocalityLevel::kSocket);
  EXPECT_THROW(static_cast<void>(parse_locality_level("inter-node")), UsageError);
}

}  // namespace
}  // namespace postage
