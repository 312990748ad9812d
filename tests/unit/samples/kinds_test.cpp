#include <postage/samples/pair_structure.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace postage {
namespace {

/// Three switches with two or three hosts of one rank each; those of `kSlow` have slow processors. Rank 5 is the only
/// slow one of its switch.
const std::vector<int> kSwitch{0, 0, 0, 1, 1, 1, 2, 2};
const std::set<int> kSlow{1, 2, 5};

/// Classes of pairs: 0 to 2 of those of one switch, 3 to 5 of others, with none, one or both of them slow.
PairStructure three_switches() {
  PairStructure structure{.group_of = {0, 1, 1, 2, 2, 3, 4, 4}, .classes = std::vector<AlikePairs>(6)};
  for (int a = 0; a < 8; ++a) {
    for (int b = a + 1; b < 8; ++b) {
      const int first = structure.group_of[static_cast<std::size_t>(a)];
      const int second = structure.group_of[static_cast<std::size_t>(b)];
      const bool is_near = kSwitch[static_cast<std::size_t>(a)] == kSwitch[static_cast<std::size_t>(b)];
      structure.class_of_groups[{kInterNode, std::min(first, second), std::max(first, second)}] =
          (is_near ? 0 : 3) + kSlow.count(a) + kSlow.count(b);
    }
  }
  return structure;
}

TEST(KindsOfRanks, AreThoseWhosePairsAreOfTheSameClasses) {
  const std::vector<int> kinds = kinds_of_ranks(three_switches());
  EXPECT_EQ(kinds[1], kinds[2]);
  EXPECT_EQ(kinds[3], kinds[4]);
  EXPECT_NE(kinds[1], kinds[5]) << "no pair of rank 5 is of two slow ones at one switch";
  EXPECT_NE(kinds[0], kinds[1]);
}

/// Ranks 1 and 5 have the same classes with the third switch's; 0 and 5 have none in common.
TEST(KindsOfRanks, AreOfThoseThatAreKnownTheMostLikeOne) {
  const std::vector<int> kinds = kinds_of_ranks(three_switches(), {0, 1, 3, 6});
  EXPECT_EQ(kinds[5], kinds[1]);
  EXPECT_EQ(kinds[2], kinds[1]);
  EXPECT_NE(kinds[0], kinds[1]);
  EXPECT_EQ(kinds_of_ranks(three_switches(), {0, 5})[1], kinds_of_ranks(three_switches(), {0, 5})[5]);
}

TEST(KindsOfRanks, AreTheirOwnWhereNoneIsKnown) {
  EXPECT_EQ(kinds_of_ranks(three_switches(), {}), kinds_of_ranks(three_switches()));
}

}  // namespace
}  // namespace postage
