#include "measure/campaign/stage_groups.hpp"

#include <gtest/gtest.h>

#include <map>

namespace postage {
namespace {

RankPlacements hosts_with(int hosts, int ranks_each) {
  RankPlacements placements;
  for (int host = 0; host < hosts; ++host) {
    placements.nodes.push_back({});
    for (int core = 0; core < ranks_each; ++core) {
      placements.ranks.push_back({host, core});
    }
  }
  return placements;
}

/// Pairs that each host leads.
std::map<int, int> led_by_host(const RankPlacements& placements, const std::vector<RankPair>& pairs) {
  const std::optional<Representatives> representatives = Representatives{pairs, {}};
  std::map<int, int> led;
  for (const ConcurrentSet& set : pairs_of({placements, representatives})) {
    for (const RankGroup& group : set) {
      ++led[placements.ranks[static_cast<std::size_t>(group.front())].node];
    }
  }
  return led;
}

// Who leads a pair learns its overheads: hosts with eight ranks each, whose pairs are all of the same parity.
TEST(PairsOf, EachHostLeadsAsOftenAsAnother) {
  constexpr int kHosts = 8;
  constexpr int kEach = 8;
  std::vector<RankPair> pairs;
  for (int a = 0; a < kHosts; ++a) {
    for (int b = a + 1; b < kHosts; ++b) {
      pairs.emplace_back(a * kEach, b * kEach);
    }
  }
  const std::map<int, int> led = led_by_host(hosts_with(kHosts, kEach), pairs);
  ASSERT_EQ(led.size(), static_cast<std::size_t>(kHosts));
  for (const auto& [host, times] : led) {
    EXPECT_GE(times, 3) << host;  // of 28 pairs, 3.5 each
    EXPECT_LE(times, 4) << host;
  }
}

TEST(PairsOf, RanksOfOneHostLeadInTurn) {
  const RankPlacements placements = hosts_with(1, 4);
  const std::optional<Representatives> representatives = Representatives{{{0, 2}, {0, 2}, {1, 3}, {1, 3}}, {}};
  std::map<Rank, int> led;
  for (const ConcurrentSet& set : pairs_of({placements, representatives})) {
    for (const RankGroup& group : set) {
      ++led[group.front()];
    }
  }
  EXPECT_EQ(led, (std::map<Rank, int>{{0, 1}, {1, 1}, {2, 1}, {3, 1}}));
}

}  // namespace
}  // namespace postage
