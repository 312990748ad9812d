#include "shm/protocols/chunk_pool.hpp"

#include "shm/segment/mapping.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace postage::shm {
namespace {

TEST(ChunkPool, GivesEachChunkOnceUntilItComesBack) {
  SegmentOptions options;
  options.chunk_bytes = 4096;
  options.pool_bytes = 16 * 4096;
  const Mapping mapping(SegmentShape::of(2, options), options);
  ChunkPool pool(mapping.layout(), 1);
  std::vector<bool> taken(16, false);
  std::uint32_t chunk = 0;
  for (int i = 0; i < 16; ++i) {
    ASSERT_TRUE(pool.take(chunk, false));
    ASSERT_FALSE(taken.at(chunk));
    taken[chunk] = true;
  }
  EXPECT_FALSE(pool.take(chunk, false));
  EXPECT_FALSE(pool.has(1));
  give_back_chunk(mapping.layout(), 1, 5);
  EXPECT_TRUE(pool.has(1));
  ASSERT_TRUE(pool.take(chunk, false));
  EXPECT_EQ(chunk, 5U);
  EXPECT_FALSE(pool.take(chunk, false));
}

TEST(ChunkPool, TakesWhatWasUsedLongestAgo) {
  SegmentOptions options;
  options.chunk_bytes = 4096;
  options.pool_bytes = 8 * 4096;
  const Mapping mapping(SegmentShape::of(2, options), options);
  ChunkPool pool(mapping.layout(), 0);
  for (int run = 0; run < 3; ++run) {
    for (std::uint32_t expected = 0; expected < 8; ++expected) {
      std::uint32_t chunk = 99;
      ASSERT_TRUE(pool.take(chunk, false));
      EXPECT_EQ(chunk, expected);
      give_back_chunk(mapping.layout(), 0, chunk);
    }
  }
}

/// A pool of the usual shape.
class UsualPool : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kChunk = 16384;
  static constexpr std::uint32_t kWindow = ChunkPool::kWindowBytes / kChunk;

  [[nodiscard]] std::uint32_t take(bool window) {
    std::uint32_t chunk = 0;
    EXPECT_TRUE(pool_.take(chunk, window));
    return chunk;
  }
  void give_back(std::uint32_t chunk) { give_back_chunk(mapping_.layout(), 0, chunk); }

  /// Chunks of so many messages that are received at once.
  std::set<std::uint32_t> used_in(int messages, bool window) {
    std::set<std::uint32_t> used;
    for (int i = 0; i < messages; ++i) {
      const std::uint32_t chunk = take(window);
      used.insert(chunk);
      give_back(chunk);
    }
    return used;
  }

  Mapping mapping_{SegmentShape::of(2, {}), {}};
  ChunkPool pool_{mapping_.layout(), 0};
};

TEST_F(UsualPool, GoesAroundAllOfItOrAroundTheWindow) {
  EXPECT_EQ(pool_.size(), 256U);
  EXPECT_EQ(used_in(256, false).size(), 256U);
  EXPECT_EQ(used_in(256, true).size(), kWindow);
  EXPECT_EQ(used_in(256, false).size(), 256U);
}

TEST_F(UsualPool, SwapsChunksForThoseOfTheWindowThatHaveComeBack) {
  std::vector<std::uint32_t> taken;
  for (std::uint32_t i = 0; i < 2 * kWindow; ++i) {
    taken.push_back(take(true));
  }
  const std::uint32_t other = taken.back();
  EXPECT_GE(other, kWindow) << "the window has no more";
  EXPECT_EQ(pool_.swap_for_window(other), other);
  give_back(taken[0]);
  EXPECT_EQ(pool_.swap_for_window(taken[1]), taken[1]) << "it is in the window";
  std::uint32_t swapped = other;
  for (std::uint32_t i = 0; i < kWindow && swapped == other; ++i) {
    swapped = pool_.swap_for_window(other);  // looks at one of those that are out each time
  }
  EXPECT_EQ(swapped, taken[0]);
  EXPECT_EQ(pool_.swap_for_window(taken[kWindow]), taken[kWindow]) << "none has come back";
  // What was given up can be taken, and all others are out once.
  std::set<std::uint32_t> rest;
  for (std::uint32_t chunk = 0; pool_.take(chunk, true);) {
    EXPECT_TRUE(rest.insert(chunk).second);
  }
  EXPECT_EQ(rest.size(), 256U - 2 * kWindow + 1);
  EXPECT_TRUE(rest.contains(other));
}

TEST_F(UsualPool, LooksAtAllThatAreOutInTurn) {
  std::uint32_t chunk = 0;
  for (std::uint32_t i = 0; i < kWindow; ++i) {
    chunk = take(true);
  }
  // The first one is kept by somebody; the last one comes back.
  give_back(chunk);
  std::uint32_t got = 256;
  for (std::uint32_t i = 0; i < kWindow && got != chunk; ++i) {
    got = take(true);
  }
  EXPECT_EQ(got, chunk);
}

}  // namespace
}  // namespace postage::shm
