#include "shm/protocols/non_temporal.hpp"

#include <gtest/gtest.h>

namespace postage::shm {
namespace {

constexpr CopyCost kCost{.fixed = 100, .per_byte = 0.1};
constexpr std::uint64_t kPiece = 9000;  // takes 1000 ticks with non-temporal stores

void observe_ordinary(NonTemporalSelector& selector, Ticks took) {
  ASSERT_FALSE(selector.next());
  selector.observe(false, kPiece, took);
}

NonTemporalSelector far_selector() {
  NonTemporalSelector selector(kCost);
  for (std::uint32_t i = 0; i < NonTemporalSelector::kChangeAfter; ++i) {
    observe_ordinary(selector, 9000);
  }
  return selector;
}

/// Non-temporal copies before the next probe.
std::uint32_t copies_until_probe(NonTemporalSelector& selector) {
  std::uint32_t copies = 0;
  for (; selector.next() && copies < 1000000; ++copies) {
    selector.observe(true, kPiece, 1000);
  }
  return copies;
}

TEST(NonTemporalSelector, SelectsNonTemporalStoresAfterARunOfSlowCopies) {
  NonTemporalSelector selector(kCost);
  for (int run = 0; run < 10; ++run) {
    for (std::uint32_t i = 1; i < NonTemporalSelector::kChangeAfter; ++i) {
      observe_ordinary(selector, 3001);
    }
    observe_ordinary(selector, 2999);
    EXPECT_FALSE(selector.selected());
  }
  EXPECT_TRUE(far_selector().selected());
  EXPECT_TRUE(far_selector().next());
}

TEST(NonTemporalSelector, ProbesRarelyWhileOrdinaryStoresAreSlow) {
  NonTemporalSelector selector = far_selector();
  for (std::uint32_t expected = NonTemporalSelector::kFirstInterval; expected < NonTemporalSelector::kLongestInterval;
       expected *= 2) {
    EXPECT_EQ(copies_until_probe(selector), expected);
    observe_ordinary(selector, 9000);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(copies_until_probe(selector), NonTemporalSelector::kLongestInterval);
    observe_ordinary(selector, 9000);
  }
}

TEST(NonTemporalSelector, GoesBackAfterARunOfFastProbes) {
  NonTemporalSelector selector = far_selector();
  EXPECT_EQ(copies_until_probe(selector), NonTemporalSelector::kFirstInterval);
  for (std::uint32_t i = 1; i < NonTemporalSelector::kChangeAfter; ++i) {
    observe_ordinary(selector, 900);
  }
  observe_ordinary(selector, 9000);
  EXPECT_TRUE(selector.selected());
  EXPECT_GT(copies_until_probe(selector), 0U);
  for (std::uint32_t i = 0; i < NonTemporalSelector::kChangeAfter; ++i) {
    EXPECT_TRUE(selector.selected());
    observe_ordinary(selector, 900);
  }
  EXPECT_FALSE(selector.selected());
}

/// Ordinary copies before the next probe.
std::uint32_t ordinary_copies_until_probe(NonTemporalSelector& selector, Ticks took) {
  std::uint32_t copies = 0;
  for (; !selector.selected() && !selector.next() && copies < 1000000; ++copies) {
    selector.observe(false, kPiece, took);
  }
  return copies;
}

TEST(NonTemporalSelector, ProbesRarelyWhereThePeerIsNear) {
  NonTemporalSelector selector(kCost);
  for (std::uint32_t expected = NonTemporalSelector::kFirstInterval; expected < NonTemporalSelector::kLongestInterval;
       expected *= 2) {
    EXPECT_EQ(ordinary_copies_until_probe(selector, 900), expected);
    selector.observe(true, kPiece, 1000);
  }
  EXPECT_EQ(ordinary_copies_until_probe(selector, 900), NonTemporalSelector::kLongestInterval);
  // A probe in the middle of a run does not end it.
  selector.observe(false, kPiece, 9000);
  selector.observe(true, kPiece, 1000);
  EXPECT_FALSE(selector.next());
  for (std::uint32_t i = 1; i < NonTemporalSelector::kChangeAfter; ++i) {
    EXPECT_FALSE(selector.selected());
    observe_ordinary(selector, 9000);
  }
  EXPECT_TRUE(selector.selected());
}

TEST(NonTemporalSelector, FindsOutThatANonTemporalCopyTakesLessThanAtFirst) {
  NonTemporalSelector selector({.fixed = 1000, .per_byte = 1});
  std::uint32_t copies = 0;
  while (!selector.selected() && copies < 1000) {
    copies += ordinary_copies_until_probe(selector, 9000);
    if (!selector.selected()) {
      selector.observe(true, kPiece, 1000);
    }
  }
  EXPECT_LE(copies, 3 * NonTemporalSelector::kFirstInterval + NonTemporalSelector::kChangeAfter);
  EXPECT_EQ(copies_until_probe(selector), NonTemporalSelector::kFirstInterval);
}

TEST(NonTemporalSelector, IsNotMisledByOneCopyThatWasInterrupted) {
  NonTemporalSelector selector = far_selector();
  selector.observe(true, kPiece, 1000000);
  copies_until_probe(selector);
  observe_ordinary(selector, 9000);
  EXPECT_TRUE(selector.selected());
  EXPECT_EQ(copies_until_probe(selector), 2 * NonTemporalSelector::kFirstInterval);
}

TEST(NonTemporalSelector, DoesNotChangeWhereItIsFixed) {
  for (const bool far : {true, false}) {
    NonTemporalSelector selector = NonTemporalSelector::fixed(far);
    for (std::uint32_t i = 0; i < 2 * NonTemporalSelector::kLongestInterval; ++i) {
      ASSERT_EQ(selector.selected(), far);
      ASSERT_EQ(selector.next(), far);
      selector.observe(far, kPiece, 1000000);
    }
  }
}

}  // namespace
}  // namespace postage::shm
