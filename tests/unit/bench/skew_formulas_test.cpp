// Chai et al., section 3.4, worked out by hand.
#include <postage/bench/skew_formulas.hpp>

#include <gtest/gtest.h>

namespace postage::closed_form {
namespace {

constexpr SkewBenchmark kBenchmark{.producer_computation = 1, .consumer_computation = 40, .window = 64};

TEST(SkewFormulas, AreAsPrinted) {
  EXPECT_EQ(producer_time_by_copies(kBenchmark, 4, 10), (1 + 4) * 64 + 10);
  EXPECT_EQ(producer_time_by_single_copies(kBenchmark, 6, 10), (6 + 40) * 64 + 10);
}

/// The last receive begins after the first send and 63 receives and computations.
TEST(SkewFormulas, CountWhatMpiWaitallWaitsForTwice) {
  const SkewedProducer played = play_skew_by_single_copies(kBenchmark, 0.5, 6);
  EXPECT_DOUBLE_EQ(played.total, 1.5 + 64 * 6 + 63 * 40);
  EXPECT_DOUBLE_EQ(played.wait_all, played.total - 64 * 1.5);
  EXPECT_DOUBLE_EQ(producer_time_by_single_copies(kBenchmark, 6, 0) - played.total, 40 - 1.5);
  EXPECT_GT(producer_time_by_single_copies(kBenchmark, 6, played.wait_all), 1.9 * played.total);
}

TEST(SkewFormulas, LetAFastConsumerWait) {
  const SkewBenchmark slow_producer{.producer_computation = 50, .consumer_computation = 1, .window = 3};
  EXPECT_DOUBLE_EQ(play_skew_by_single_copies(slow_producer, 2, 6).total, 3 * 52 + 6);
  EXPECT_DOUBLE_EQ(play_skew_by_copies(slow_producer, 2).total, 3 * 52);
}

}  // namespace
}  // namespace postage::closed_form
