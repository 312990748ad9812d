#include <postage/program/scratch_pool.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace postage {
namespace {

TEST(ScratchPool, AlignsPlaces) {
  ScratchPool pool;
  EXPECT_EQ(pool.allocate(1).at.offset, 0);
  EXPECT_EQ(pool.allocate(65).at.offset, 64);
  EXPECT_EQ(pool.allocate(1).at.offset, 192);
  EXPECT_EQ(pool.bytes(), 256);
}

TEST(ScratchPool, NothingTakesNoPlace) {
  ScratchPool pool;
  pool.release(pool.allocate(0));
  pool.retire(pool.allocate(0));
  EXPECT_EQ(pool.bytes(), 0);
}

TEST(ScratchPool, UsesReleasedPlacesAgainAndJoinsNeighbours) {
  ScratchPool pool;
  const Region first = pool.allocate(100);
  const Region second = pool.allocate(100);
  const Region third = pool.allocate(100);
  pool.release(first);
  pool.release(third);
  pool.release(second);
  EXPECT_EQ(pool.allocate(384).at.offset, 0);
  EXPECT_EQ(pool.bytes(), 384);
}

TEST(ScratchPool, LeavesRetiredPlacesAloneUntilThereAreMany) {
  ScratchPool pool;
  const Bytes message = 1 << 20;
  for (int i = 0; i < 100; ++i) {
    const Region place = pool.allocate(message);
    EXPECT_EQ(place.at.offset, i % 2 * message) << i;
    pool.retire(place);
  }
  EXPECT_EQ(pool.bytes(), 2 * message);
}

TEST(ScratchPool, NeverGivesAPlaceTwice) {
  std::mt19937 random(3);
  ScratchPool pool;
  std::vector<Region> live;
  Bytes most = 0;
  Bytes now = 0;
  for (int i = 0; i < 5000; ++i) {
    if (live.size() < 20 && random() % 2 == 0) {
      const Region place = pool.allocate(static_cast<Bytes>(random() % 100000));
      for (const Region& other : live) {
        ASSERT_FALSE(meet(place, other)) << i;
      }
      EXPECT_LE(place.at.offset + place.bytes, pool.bytes());
      live.push_back(place);
      now += ScratchPool::aligned(place.bytes);
      most = std::max(most, now);
    } else if (!live.empty()) {
      std::swap(live[random() % live.size()], live.back());
      now -= ScratchPool::aligned(live.back().bytes);
      random() % 2 == 0 ? pool.release(live.back()) : pool.retire(live.back());
      live.pop_back();
    }
  }
  EXPECT_LE(pool.bytes(), 4 * most);
}

}  // namespace
}  // namespace postage
