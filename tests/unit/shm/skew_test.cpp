#include "shm/protocols/skew.hpp"

#include <gtest/gtest.h>

namespace postage::shm {
namespace {

TEST(SkewDetector, NeedsARunOfLongQueues) {
  SkewDetector detector;
  for (std::uint32_t i = 0; i + 1 < SkewDetector::kRaiseAfter; ++i) {
    EXPECT_FALSE(detector.observe(SkewDetector::kLongQueue));
  }
  EXPECT_FALSE(detector.observe(SkewDetector::kLongQueue - 1)) << "one short queue breaks the run";
  for (std::uint32_t i = 0; i + 1 < SkewDetector::kRaiseAfter; ++i) {
    EXPECT_FALSE(detector.observe(100));
  }
  EXPECT_TRUE(detector.observe(100));
  EXPECT_TRUE(detector.skewed());
  EXPECT_EQ(detector.raised(), 1U);
}

TEST(SkewDetector, GoesBackOnlyAfterALongerRunOfShorterQueues) {
  SkewDetector detector;
  for (std::uint32_t i = 0; i < SkewDetector::kRaiseAfter; ++i) {
    static_cast<void>(detector.observe(10));
  }
  ASSERT_TRUE(detector.skewed());
  for (std::uint32_t i = 0; i < 10 * SkewDetector::kRestoreAfter; ++i) {
    EXPECT_FALSE(detector.observe(SkewDetector::kShortQueue + 1)) << "between the marks nothing changes";
  }
  for (std::uint32_t i = 0; i + 1 < SkewDetector::kRestoreAfter; ++i) {
    EXPECT_FALSE(detector.observe(0));
  }
  EXPECT_TRUE(detector.observe(SkewDetector::kShortQueue));
  EXPECT_FALSE(detector.skewed());
  EXPECT_EQ(detector.restored(), 1U);
}

}  // namespace
}  // namespace postage::shm
