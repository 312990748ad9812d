#include <postage/base/memory_copy.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace postage {
namespace {

std::vector<std::byte> random_bytes(std::size_t count) {
  std::mt19937 random(7);
  std::vector<std::byte> bytes(count);
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::byte>(random()); });
  return bytes;
}

TEST(MoveMemory, CopiesAtEveryOffsetAndNothingBesideIt) {
  const std::vector<std::byte> from = random_bytes(9000);
  for (const Bytes bytes : {1, 1023, 1024, 4097, 8191}) {
    for (std::size_t source = 0; source < 17; ++source) {
      for (std::size_t target = 0; target < 17; ++target) {
        std::vector<std::byte> to(from.size());
        std::vector<std::byte> expected(from.size());
        std::copy_n(from.data() + source, bytes, expected.data() + target);
        move_memory(to.data() + target, from.data() + source, bytes);
        ASSERT_EQ(to, expected) << bytes << " bytes from " << source << " to " << target;
      }
    }
  }
}

TEST(MoveMemory, MovesWhatOverlaps) {
  for (const std::size_t distance : {std::size_t{1}, std::size_t{8}, std::size_t{33}, std::size_t{3000}}) {
    const std::vector<std::byte> before = random_bytes(9000);
    std::vector<std::byte> forwards = before;
    move_memory(forwards.data() + distance, forwards.data(), 4000);
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + 4000, forwards.data() + distance)) << distance;
    std::vector<std::byte> backwards = before;
    move_memory(backwards.data(), backwards.data() + distance, 4000);
    EXPECT_TRUE(std::equal(backwards.begin(), backwards.begin() + 4000, before.data() + distance)) << distance;
  }
}

TEST(MoveMemory, TakesNothingFromNowhere) {
  move_memory(nullptr, nullptr, 0);
}

}  // namespace
}  // namespace postage
