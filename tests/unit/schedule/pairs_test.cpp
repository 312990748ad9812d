#include <postage/schedule/patterns/pairs.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace postage {
namespace {

/// The iterations found by trying all, as the range from the first to the last.
IndexRange tried(const Pairs& pairs, Index v, Index iterations, bool as_source) {
  IndexRange found;
  for (Index t = 0; t < iterations; ++t) {
    for (Index i = 0; i < pair_count(pairs); ++i) {
      const Pair pair = pair_at(pairs, i, t);
      if ((as_source ? pair.source : pair.target) == v) {
        found = found.count == 0 ? IndexRange{t, 1} : IndexRange{found.first, t - found.first + 1};
        break;
      }
    }
  }
  return found;
}

TEST(Iterations, AreTheOnesInWhichAWalkPasses) {
  const std::vector<AffinePairs> walks{
      {.count = 1, .target_first = 1, .source_step = 1, .target_step = 1},
      {.count = 1, .source_first = 9, .target_first = 8, .source_step = -1, .target_step = -1},
      {.count = 1, .source_first = 3, .source_step = 2},
      {.count = 4, .source_stride = 5, .target_first = 1, .target_stride = 5, .source_step = 1, .target_step = 1},
      {.count = 3,
       .source_first = 5,
       .source_stride = 6,
       .target_first = 4,
       .target_stride = 6,
       .source_step = -1,
       .target_step = -1},
      {.count = 2,
       .source_first = 1,
       .source_stride = 9,
       .target_first = 30,
       .target_stride = 10,
       .source_step = 2,
       .target_step = 0},
  };
  for (const AffinePairs& walk : walks) {
    for (Index v = -2; v < 50; ++v) {
      for (const bool as_source : {true, false}) {
        const IndexRange wanted = tried(walk, v, 5, as_source);
        const IndexRange found = as_source ? iterations_from(walk, v, 5) : iterations_to(walk, v, 5);
        EXPECT_EQ(found.count, wanted.count) << v;
        if (wanted.count > 0) {
          EXPECT_EQ(found.first, wanted.first) << v;
        }
      }
    }
  }
}

}  // namespace
}  // namespace postage
