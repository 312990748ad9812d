// Which protocol a sender selects, from thresholds and conditions.
#include "shm/protocols/selector.hpp"

#include "shm/protocols/traffic_direction.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace postage::shm {
namespace {

constexpr std::uint64_t kCellPayload = 1040;
constexpr ProtocolThresholds kSelectorThresholds{.eager = 4096,
                                                 .single_copy = 16384,
                                                 .cooperative = 262144,
                                                 .skewed_single_copy = 131072,
                                                 .bidirectional_single_copy = 65536};

bool is_eager(std::uint64_t bytes, const SendConditions& conditions) {
  return takes_ring(kSelectorThresholds, conditions, bytes, kCellPayload);
}

TEST(Selector, TakesTheRingUpToEager) {
  const SendConditions open{.single_copy_possible = true};
  EXPECT_TRUE(is_eager(0, open));
  EXPECT_TRUE(is_eager(4096, open));
  EXPECT_FALSE(is_eager(4097, open));
}

TEST(Selector, LeavesTheRingToPeersThatAnswer) {
  for (const SendConditions& conditions : {SendConditions{.answered = false}, SendConditions{.skewed = true}}) {
    EXPECT_TRUE(is_eager(kCellPayload, conditions)) << "one cell";
    EXPECT_FALSE(is_eager(kCellPayload + 1, conditions));
  }
}

TEST(Selector, ReplacesTheThresholdOfSingleCopyUnderSkewAndInBidirectionalTraffic) {
  const auto from = [](SendConditions conditions) {
    conditions.single_copy_possible = true;
    std::uint64_t bytes = 1;
    while (!takes_single_copy(kSelectorThresholds, conditions, bytes)) {
      bytes *= 2;
    }
    return bytes;
  };
  EXPECT_EQ(from({}), 16384U);
  EXPECT_EQ(from({.bidirectional = true}), 65536U);
  EXPECT_EQ(from({.skewed = true}), 131072U);
  EXPECT_EQ(from({.skewed = true, .bidirectional = true}), 131072U);
  EXPECT_FALSE(takes_single_copy(kSelectorThresholds, {}, 1 << 30)) << "not possible";
}

/// Where single copy starts below the eager size, the ring ends there; short messages stay in it.
TEST(Selector, PrefersSingleCopyToTheRing) {
  ProtocolThresholds thresholds = kSelectorThresholds;
  thresholds.single_copy = 0;
  const SendConditions open{.single_copy_possible = true};
  EXPECT_TRUE(takes_ring(thresholds, open, Cell::kBody, kCellPayload));
  EXPECT_FALSE(takes_ring(thresholds, open, Cell::kBody + 1, kCellPayload));
  EXPECT_TRUE(takes_ring(thresholds, {}, Cell::kBody + 1, kCellPayload));
}

constexpr std::uint64_t kBytes = 100000;

/// What both ranks count of the messages between them.
struct Pair {
  TrafficDirection a;
  TrafficDirection b;

  /// A message that is sent; what it carries.
  static std::uint32_t send(TrafficDirection& from) {
    from.note_sent();
    return from.received();
  }
};

TEST(TrafficDirection, IsBidirectionalWhereNeitherHadTheOthersMessage) {
  Pair pair;
  for (int i = 0; i < 10; ++i) {
    const std::uint32_t from_a = Pair::send(pair.a);
    const std::uint32_t from_b = Pair::send(pair.b);
    EXPECT_TRUE(pair.b.receive(kBytes, from_a));
    EXPECT_TRUE(pair.a.receive(kBytes, from_b));
    EXPECT_TRUE(pair.a.expects_bidirectional(kBytes) && pair.b.expects_bidirectional(kBytes));
    EXPECT_FALSE(pair.a.expects_bidirectional(4 * kBytes)) << "messages of another size";
  }
  EXPECT_EQ(pair.a.count(), 10U);
  // From here on one answers the other.
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(pair.b.receive(kBytes, Pair::send(pair.a)));
    EXPECT_FALSE(pair.a.receive(kBytes, Pair::send(pair.b)));
    EXPECT_FALSE(pair.a.expects_bidirectional(kBytes) || pair.b.expects_bidirectional(kBytes));
  }
  EXPECT_EQ(pair.a.count(), 10U);
}

TEST(TrafficDirection, IsOneWayInAStream) {
  Pair pair;
  std::vector<std::uint32_t> under_way;
  for (int i = 0; i < 20; ++i) {
    under_way.push_back(Pair::send(pair.a));
  }
  for (const std::uint32_t seen : under_way) {
    EXPECT_FALSE(pair.b.receive(kBytes, seen));
  }
  EXPECT_FALSE(pair.a.receive(kBytes, Pair::send(pair.b))) << "an answer after all of them";
}

}  // namespace
}  // namespace postage::shm
