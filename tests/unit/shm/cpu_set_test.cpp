#include "shm/segment/cpu_set.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace postage::shm {
namespace {

PuSet set_of(std::initializer_list<std::size_t> pus) {
  PuSet set{};
  for (const std::size_t pu : pus) {
    set[pu / 64] |= std::uint64_t{1} << (pu % 64);
  }
  return set;
}

TEST(CpuSet, GivesTheLevelOfBoundRanksAndTheFarthestOfOthers) {
  // Two sockets of two caches of two cores each.
  std::vector<PuLocation> locations(kMostPus);
  for (std::int16_t pu = 0; pu < 8; ++pu) {
    locations[static_cast<std::size_t>(pu)] = {static_cast<std::int16_t>(pu / 4), static_cast<std::int16_t>(pu / 2)};
  }
  EXPECT_EQ(farthest_level(locations, set_of({0}), set_of({1})), LocalityLevel::kCache);
  EXPECT_EQ(farthest_level(locations, set_of({0}), set_of({2})), LocalityLevel::kSocket);
  EXPECT_EQ(farthest_level(locations, set_of({3}), set_of({4})), LocalityLevel::kMachine);
  EXPECT_EQ(farthest_level(locations, set_of({0, 1}), set_of({0, 1})), LocalityLevel::kCache);
  EXPECT_EQ(farthest_level(locations, set_of({0, 3}), set_of({1})), LocalityLevel::kSocket);
  EXPECT_EQ(farthest_level(locations, set_of({0, 7}), set_of({0, 7})), LocalityLevel::kMachine);
}

TEST(CpuSet, CountsThreadsOfAllRanks) {
  PuSet all = set_of({0, 70});
  add(all, set_of({0, 1}));
  EXPECT_EQ(count(all), 3);
  EXPECT_GE(count(allowed_pus()), 1);
}

}  // namespace
}  // namespace postage::shm
