#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/dataflow.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace postage {
namespace {

TEST(EveryAlgorithm, DeliversWhatItPromisesForAllRanksAndRoots) {
  for (const Algorithm& algorithm : algorithms()) {
    for (Rank ranks = 1; ranks <= 67; ++ranks) {
      const Rank roots = algorithm.collective == Collective::kBarrier ? 1 : ranks;
      for (Rank root = 0; can_do(algorithm, ranks) && root < roots; ++root) {
        const auto mistake =
            find_dataflow_mistake(build_schedule(algorithm, {.ranks = ranks, .root = root, .bytes = 40}));
        ASSERT_FALSE(mistake) << algorithm.name << " P=" << ranks << " root=" << root << ": " << *mistake;
      }
    }
  }
}

TEST(EveryAlgorithm, DeliversWhatItPromisesFor4096Ranks) {
  for (const Algorithm& algorithm : algorithms()) {
    const auto mistake = find_dataflow_mistake(build_schedule(algorithm, {.ranks = 4096, .root = 5, .bytes = 4096}));
    EXPECT_FALSE(mistake) << algorithm.name << ": " << *mistake;
  }
}

RC_GTEST_PROP(EveryAlgorithm, DeliversWhatItPromisesInSegments, ()) {
  const auto all = algorithms();
  const Algorithm& algorithm = all[*rc::gen::inRange<std::size_t>(0, all.size())];
  const Rank ranks = *rc::gen::inRange(1, 68);
  RC_PRE(can_do(algorithm, ranks));
  const Bytes element = *rc::gen::element<Bytes>(1, 4, 8);
  const ScheduleRequest request{.ranks = ranks,
                                .root = *rc::gen::inRange(0, ranks),
                                .bytes = element * *rc::gen::inRange<Bytes>(0, 5000),
                                .element_bytes = element,
                                .segment_bytes = *rc::gen::inRange<Bytes>(0, 3000)};
  const auto mistake = find_dataflow_mistake(build_schedule(algorithm, request));
  RC_ASSERT(!mistake);
}

}  // namespace
}  // namespace postage
