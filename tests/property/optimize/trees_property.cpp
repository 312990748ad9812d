#include "support/all_trees.hpp"
#include "support/exhaustive.hpp"
#include "support/random_lmo.hpp"

#include <postage/optimize/trees.hpp>
#include <postage/schedule/check/dataflow.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>

namespace postage {
namespace {

constexpr std::array kTreeCollectives{Collective::kBcast, Collective::kReduce, Collective::kScatter,
                                      Collective::kGather, Collective::kAllgather};
constexpr std::array kMethods{TreeMethod::kFlat,
                              TreeMethod::kBinomial,
                              TreeMethod::kMappedBinomial,
                              TreeMethod::kWorstBinomial,
                              TreeMethod::kFastestEdgeFirst,
                              TreeMethod::kFastestNodeFirst,
                              TreeMethod::kEarliestEdgeFirst,
                              TreeMethod::kWidestEdgeLast,
                              TreeMethod::kFormForEqualRanks,
                              TreeMethod::kOptimised};

/// With blocks of different sizes where the collective has blocks.
ScheduleRequest request_for(Collective collective, Rank ranks, test::RandomLmo& random) {
  ScheduleRequest request{.ranks = ranks, .root = random.rank_below(ranks)};
  if (collective == Collective::kBcast || collective == Collective::kReduce) {
    request.bytes = static_cast<Bytes>(random.between(1, 262144));
  } else {
    request.block_bytes = random.blocks(ranks);
    request.bytes = std::accumulate(request.block_bytes.begin(), request.block_bytes.end(), Bytes{0});
  }
  return request;
}

/// One test for each collective.
class EveryTree : public testing::TestWithParam<Collective> {};

TEST_P(EveryTree, DeliversWhatTheCollectivePromises) {
  test::RandomLmo random(1);
  for (const Rank ranks : test::rank_counts(67)) {
    const PlatformModel platform = random.platform(ranks);
    const ScheduleRequest request = request_for(GetParam(), ranks, random);
    for (const TreeMethod method : kMethods) {
      if (method == TreeMethod::kOptimised && ranks > 9 && !test::is_exhaustive()) {
        continue;  // a second each
      }
      const CollectiveTree tree = build_tree(method, GetParam(), request, platform);
      const auto mistake = find_dataflow_mistake(schedule_along(tree), false);
      ASSERT_FALSE(mistake) << name_of(method) << " P=" << ranks << ": " << *mistake;
    }
  }
}

/// The evaluator that predicts knows nothing of trees.
TEST_P(EveryTree, TakesWhatTheTimelineTakes) {
  test::RandomLmo random(2);
  for (const Rank ranks : {2, 3, 5, 8, 13}) {
    const PlatformModel platform = random.platform(ranks);
    const ScheduleRequest request = request_for(GetParam(), ranks, random);
    for (const TreeMethod method : kMethods) {
      const CollectiveTree tree = build_tree(method, GetParam(), request, platform);
      const Seconds played = predict(schedule_along(tree), platform, Evaluator::kTimeline).seconds;
      EXPECT_NEAR(tree_seconds(tree, platform), played, 1e-9 * played) << name_of(method) << " P=" << ranks;
    }
  }
}

TEST_P(EveryTree, ExactOneIsTheBestOfAllTrees) {
  test::RandomLmo random(3);
  for (const Rank ranks : {2, 3, 4, 4}) {
    const PlatformModel platform = random.platform(ranks);
    const ScheduleRequest request = request_for(GetParam(), ranks, random);
    const Seconds least = test::least_of_all_trees(GetParam(), request, platform);
    const Seconds exact = tree_seconds(build_tree(TreeMethod::kExact, GetParam(), request, platform), platform);
    EXPECT_NEAR(exact, least, 1e-9 * least) << "P=" << ranks;
  }
}

/// Shares by which the trees of each of `methods` are slower than the exact ones, sorted.
std::vector<std::vector<double>> losses(const std::vector<TreeMethod>& methods, Collective collective, int platforms,
                                        Rank least = 2, Rank most = 8, std::uint64_t seed = 2009) {
  test::RandomLmo random(seed);
  std::vector<std::vector<double>> found(methods.size());
  for (int i = 0; i < platforms; ++i) {
    const Rank ranks = least + random.rank_below(most - least + 1);
    const PlatformModel platform = random.platform(ranks);
    const ScheduleRequest request = request_for(collective, ranks, random);
    const auto seconds = [&](TreeMethod one) {
      return tree_seconds(build_tree(one, collective, request, platform), platform);
    };
    const Seconds exact = seconds(TreeMethod::kExact);
    for (std::size_t m = 0; m < methods.size(); ++m) {
      found[m].push_back(seconds(methods[m]) / exact - 1);
    }
  }
  for (std::vector<double>& of_method : found) {
    std::ranges::sort(of_method);
  }
  return found;
}

/// On random platforms of 2 to 8 ranks: 1,000 if exhaustive. The others are there to be read.
TEST_P(EveryTree, OptimisedIsNearlyExact) {
  std::vector<TreeMethod> methods{TreeMethod::kOptimised};
  if (test::is_exhaustive()) {
    methods.assign(kMethods.begin(), kMethods.end());
  }
  const auto lost = losses(methods, GetParam(), test::is_exhaustive() ? 1000 : 20);
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const double near_worst = lost[m][lost[m].size() * 95 / 100];
    std::printf("%-10s %-22s median %6.2f %%, 95 %% %7.2f %%, worst %7.2f %%\n",
                std::string(name_of(GetParam())).c_str(), std::string(name_of(methods[m])).c_str(),
                100 * lost[m][lost[m].size() / 2], 100 * near_worst, 100 * lost[m].back());
    EXPECT_GE(lost[m].front(), -1e-9);
    if (methods[m] == TreeMethod::kOptimised) {
      EXPECT_LE(near_worst, 0.03);
      EXPECT_LE(lost[m].back(), 0.10);
    }
  }
}

/// 200 of 9 to 16 if exhaustive.
TEST_P(EveryTree, OptimisedIsNearlyExactForMoreRanks) {
  const bool all = test::is_exhaustive();
  const std::vector<double> lost =
      losses({TreeMethod::kOptimised}, GetParam(), all ? 200 : 4, 9, all ? 16 : 10, 501).front();
  const double near_worst = lost[lost.size() * 95 / 100];
  std::printf("%-10s of 9 or more ranks: 95 %% %.2f %%, worst %.2f %%\n", std::string(name_of(GetParam())).c_str(),
              100 * near_worst, 100 * lost.back());
  EXPECT_LE(near_worst, 0.03);
  EXPECT_LE(lost.back(), 0.10);
}

/// On the last of these ten platforms, of 15 ranks, a search of a twelfth of the work ends 7.6 % above the exact tree,
/// which three changes at a time do not lead to.
TEST(OptimisedTree, IsFoundBehindManyChanges) {
  test::RandomLmo random(11);
  for (int i = 0; i < 10; ++i) {
    const Rank ranks = 9 + random.rank_below(8);
    const PlatformModel platform = random.platform(ranks);
    const ScheduleRequest request = request_for(Collective::kBcast, ranks, random);
    if (i == 9) {
      const auto seconds = [&](TreeMethod method) {
        return tree_seconds(build_tree(method, Collective::kBcast, request, platform), platform);
      };
      EXPECT_LE(seconds(TreeMethod::kOptimised), 1.03 * seconds(TreeMethod::kExact));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Trees, EveryTree, testing::ValuesIn(kTreeCollectives),
                         [](const auto& one) { return std::string(name_of(one.param)); });

}  // namespace
}  // namespace postage
