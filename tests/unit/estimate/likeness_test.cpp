#include "estimate/data/likeness.hpp"

#include <postage/samples/pair_structure.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace postage {
namespace {

using TimePairs = std::vector<std::pair<Estimate, Estimate>>;

Estimate about(double value, double half) {
  return {value, value - half, value + half};
}

/// A pair whose messages take latency + 1 ns for each byte, exactly, and keep the first rank busy.
PairData exact_pair(int first, int second, Seconds latency, Seconds busy = 1e-6) {
  PairData pair{.first = first, .second = second, .channel = kInterNode};
  for (const Bytes bytes : {1, 1000, 100'000}) {
    const Seconds time = latency + 1e-9 * static_cast<double>(bytes);
    pair.curve[bytes] = {first, second, kInterNode, bytes, Estimate::exactly(time), 2, true};
  }
  pair.send_overhead[first][1] = Estimate::exactly(busy);
  return pair;
}

std::vector<std::size_t> sizes_of_classes(const std::vector<PairData>& pairs) {
  std::vector<const PairData*> list;
  for (const PairData& pair : pairs) {
    list.push_back(&pair);
  }
  std::vector<std::size_t> sizes;
  for (const auto& alike : classes_of(list)) {
    sizes.push_back(alike.size());
  }
  return sizes;
}

TEST(Likeness, ExactTimesDifferByAThousandth) {
  const auto exact = [](double a, double b) {
    return are_alike(TimePairs(12, {Estimate::exactly(a), Estimate::exactly(b)}));
  };
  EXPECT_TRUE(exact(1e-5, 1e-5));
  EXPECT_TRUE(exact(1e-5, 1e-5 * (1 + 5e-4)));
  EXPECT_FALSE(exact(1e-5, 1e-5 * (1 + 2e-3)));
  EXPECT_TRUE(exact(0, 1e-18));  // a simulator's rounding, of what takes no time
}

// Of two probed sizes: what a step along a network and what a processor takes may differ by a thousandth of a message.
TEST(Likeness, ExactProbesDifferByLess) {
  const auto exact = [](double a, double b) {
    return are_alike(std::vector{Estimate::exactly(a), Estimate::exactly(1e-4)},
                     std::vector{Estimate::exactly(b), Estimate::exactly(1e-4)});
  };
  EXPECT_TRUE(exact(5.275e-6, 5.276e-6));
  EXPECT_FALSE(exact(5.275e-6, 5.281e-6));
}

/// 12 sizes: 12 + 3 sqrt(24) + ln 12 = 29.2, a deviation of 1.56 each. A half width of 2 % is one of 2 %/1.96, and of
/// two such times sqrt(2) of that: 1.44 %; alike up to 2.25 %.
TEST(Likeness, NoisyTimesDifferByMoreThanTheirNoise) {
  const auto noisy = [](double share) {
    return are_alike(TimePairs(12, {about(1e-5, 2e-7), about(1e-5 * (1 + share), 2e-7)}));
  };
  EXPECT_TRUE(noisy(0.02));
  EXPECT_FALSE(noisy(0.025));
}

/// One wild size of twelve counts as three deviations, 9 of 29.2.
TEST(Likeness, ProbesWithoutIntervalsDifferWhereOneTakesManyTimesAsLong) {
  const auto once = [](double value) { return about(value, std::numeric_limits<double>::infinity()); };
  EXPECT_FALSE(are_alike(std::vector{once(230e-6), once(23e-3)}, std::vector{once(100e-6), once(600e-6)}));
  EXPECT_TRUE(are_alike(std::vector{once(230e-6), once(900e-6)}, std::vector{once(100e-6), once(600e-6)}));
}

TEST(Likeness, OneOutlierMakesNoDifference) {
  TimePairs times(12, {about(1e-5, 1e-7), about(1e-5, 1e-7)});
  times[3].second = about(5e-5, 1e-7);
  EXPECT_TRUE(are_alike(times));
}

TEST(Likeness, FindsClassesOfPairs) {
  EXPECT_EQ(sizes_of_classes({exact_pair(0, 1, 5e-6), exact_pair(2, 3, 5e-6), exact_pair(0, 2, 7e-6),
                              exact_pair(1, 3, 7e-6), exact_pair(0, 3, 7e-6)}),
            (std::vector<std::size_t>{2, 3}));
}

/// Two pairs may take the same though one has the slower processor and the other the slower link.
TEST(Likeness, TellsProcessorsApart) {
  EXPECT_EQ(sizes_of_classes({exact_pair(0, 1, 5e-6), exact_pair(2, 3, 5e-6, 2e-6)}), (std::vector<std::size_t>{1, 1}));
}

/// Three ranks of one node: two pairs take a tenth longer than the third.
TEST(Likeness, PairsOfARealNodeDifferFromAQuarterOn) {
  const std::vector<Node> nodes{{"n", {std::vector<Core>(3)}}};
  const std::vector<RankPlacement> ranks{{0, 0}, {0, 1}, {0, 2}};
  const auto classes = [&](double longer, bool is_virtual) {
    PairProbes probes{.sizes = {1}};
    for (const auto& [pair, time] :
         {std::pair{RankPair{0, 1}, 1e-6}, {{0, 2}, longer * 1e-6}, {{1, 2}, longer * 1e-6}}) {
      probes.pairs.push_back({pair, {about(time, 1e-9)}});
    }
    return find_pair_structure(probes, nodes, ranks, least_difference_within_nodes(is_virtual)).classes.size();
  };
  EXPECT_EQ(classes(1.1, true), 2U);
  EXPECT_EQ(classes(1.1, false), 1U);
  EXPECT_EQ(classes(1.6, false), 2U);
}

}  // namespace
}  // namespace postage
