#include "estimate/flow/size_votes.hpp"

#include <gtest/gtest.h>

namespace postage {
namespace {

constexpr Bytes kAwaited = 512;

/// Of a pair whose ranks take `overhead` each: a late receive of 512 bytes or more holds the message's whole way.
PairData pair_of(int first, int second, Seconds overhead, std::initializer_list<Bytes> sizes) {
  PairData pair;
  pair.first = first;
  pair.second = second;
  for (const Bytes bytes : sizes) {
    const Seconds wire = 2e-6 + 1e-10 * static_cast<double>(bytes);
    pair.curve[bytes].one_way = Estimate::exactly(2 * overhead + wire);
    pair.send_overhead[first][bytes] = Estimate::exactly(overhead);
    pair.receive_overhead[second][bytes] = Estimate::exactly(bytes < kAwaited ? overhead : overhead + wire);
  }
  return pair;
}

/// The slow pairs alone were measured beside the threshold: a median over all pairs would leap at 257 bytes.
TEST(SizeVotes, SayFromWhichSizeOnMostPairsAwait) {
  const PairData slow = pair_of(0, 1, 9e-6, {64, 256, 257, 384, 511, 512, 1024});
  const PairData fast = pair_of(2, 3, 1e-6, {64, 256, 1024});
  const PairData other = pair_of(4, 5, 1e-6, {64, 256, 1024});
  ScopeData scope;
  scope.pairs = {&slow, &fast, &other};
  const SizeVotes votes = awaited_by_pairs(scope);
  ASSERT_EQ(votes.size(), 7U);
  const std::size_t first = first_that_do(votes);
  ASSERT_LT(first, votes.size());
  EXPECT_EQ(votes[first].first, kAwaited);
}

TEST(SizeVotes, AreNoneOfPairsWithoutOverheads) {
  PairData pair = pair_of(0, 1, 1e-6, {64, 256});
  pair.send_overhead.clear();
  ScopeData scope;
  scope.pairs = {&pair};
  EXPECT_TRUE(awaited_by_pairs(scope).empty());
  EXPECT_TRUE(kept_by_pairs(scope).empty());
}

TEST(SizeVotes, AreOutvotedWhereNoiseHasOneSayOtherwise) {
  EXPECT_EQ(first_that_do({{1, false}, {2, true}, {4, false}, {8, true}, {16, true}}), 3U);
  EXPECT_EQ(first_that_do({{1, false}, {2, false}}), 2U);
  EXPECT_EQ(first_that_do({{1, true}, {2, true}}), 0U);
}

}  // namespace
}  // namespace postage
