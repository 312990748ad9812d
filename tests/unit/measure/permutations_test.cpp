#include "measure/permutations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace postage {
namespace {

RankPlacements one_rank_a_host(int hosts) {
  RankPlacements placements;
  for (int host = 0; host < hosts; ++host) {
    placements.nodes.push_back({.name = "h" + std::to_string(host), .topology = {.cores = {Core{}}}});
    placements.ranks.push_back({.node = host, .core = 0});
  }
  return placements;
}

std::vector<RankGroup> permutations_of(int hosts) {
  const RankPlacements placements = one_rank_a_host(hosts);
  std::vector<RankGroup> permutations;
  for (const GroupList& list : permutations_of_hosts({.placements = placements, .channel = kInterNode})) {
    EXPECT_EQ(list.size(), 1U);
    permutations.push_back(list.front());
  }
  return permutations;
}

TEST(Permutations, EachListAllHostsOnceAndAreDifferent) {
  for (const int hosts : {3, 4, 12, 33, 64}) {
    const std::vector<RankGroup> permutations = permutations_of(hosts);
    for (RankGroup group : permutations) {
      std::sort(group.begin(), group.end());
      for (int host = 0; host < hosts; ++host) {
        EXPECT_EQ(group.at(static_cast<std::size_t>(host)), host);
      }
    }
    EXPECT_EQ(std::set<RankGroup>(permutations.begin(), permutations.end()).size(), permutations.size());
  }
}

/// The link of a torus of 3 x 2 x 2 that a message passes last along the second dimension, -1 where it passes none:
/// messages go along the first dimension first, and each host there is next to each other.
int second_link(int from, int to) {
  const int at = to % 3 + from / 3 * 3;
  return from / 3 % 2 == to / 3 % 2 ? -1 : at;
}

// Of 12 hosts in such a torus, few permutations make two messages meet on a link: of the ones by chance some must.
TEST(Permutations, OfFewHostsLoadLinksOfASmallTorusTwice) {
  int most = 0;
  for (const RankGroup& group : permutations_of(12)) {
    std::map<int, int> messages;
    for (int from = 0; from < 12; ++from) {
      if (const int link = second_link(from, group[static_cast<std::size_t>(from)]); link >= 0) {
        most = std::max(most, ++messages[link]);
      }
    }
  }
  EXPECT_GE(most, 2);
}

// Of many hosts each permutation has many messages already.
TEST(Permutations, ByChanceAreMoreOfFewHosts) {
  EXPECT_GT(permutations_of(12).size(), permutations_of(64).size());
}

}  // namespace
}  // namespace postage
