#include <postage/program/interval_map.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace postage {
namespace {

/// A value that says how far from its range's first byte it is asked for.
struct Ramp {
  Bytes height = 0;
};

Ramp advanced(Ramp ramp, Bytes by) {
  return {ramp.height + by};
}

/// The parts of [begin, end), like "0-3:7 3-5:none".
std::string parts(const IntervalMap<Ramp>& map, Bytes begin, Bytes end) {
  std::string text;
  map.for_each(begin, end, [&](Bytes first, Bytes last, const Ramp* ramp) {
    text += fmt::format("{}{}-{}:{}", text.empty() ? "" : " ", first, last,
                        ramp == nullptr ? "none" : fmt::to_string(ramp->height));
  });
  return text;
}

TEST(IntervalMap, HasNothingAtFirst) {
  const IntervalMap<Ramp> map;
  EXPECT_EQ(parts(map, 2, 5), "2-5:none");
  EXPECT_EQ(parts(map, 5, 5), "");
  EXPECT_FALSE(map.meets(0, 100));
}

TEST(IntervalMap, CutsWhatIsWrittenOver) {
  IntervalMap<Ramp> map;
  map.assign(0, 10, {100});
  map.assign(4, 6, {0});
  EXPECT_EQ(parts(map, 0, 12), "0-4:100 4-6:0 6-10:106 10-12:none");
  EXPECT_EQ(parts(map, 5, 8), "5-6:1 6-8:106");
}

TEST(IntervalMap, MeetsOnlyWhatHasBytesInCommon) {
  IntervalMap<Ramp> map;
  map.assign(4, 6, {0});
  EXPECT_FALSE(map.meets(0, 4));
  EXPECT_TRUE(map.meets(0, 5));
  EXPECT_TRUE(map.meets(5, 6));
  EXPECT_FALSE(map.meets(6, 9));
  EXPECT_FALSE(map.meets(5, 5));
}

TEST(IntervalMap, IgnoresEmptyRanges) {
  IntervalMap<Ramp> map;
  map.assign(0, 10, {0});
  map.assign(5, 5, {7});
  map.erase(3, 3);
  EXPECT_EQ(parts(map, 2, 8), "2-8:2");
}

TEST(IntervalMap, IsLikeATableOfBytes) {
  std::mt19937 random(7);
  IntervalMap<Ramp> map;
  std::vector<Bytes> table(64, -1);
  for (int i = 0; i < 4000; ++i) {
    const auto begin = static_cast<Bytes>(random() % table.size());
    const Bytes end = begin + static_cast<Bytes>(random() % (table.size() - static_cast<std::size_t>(begin) + 1));
    const bool erases = random() % 3 == 0;
    if (erases) {
      map.erase(begin, end);
    } else {
      map.assign(begin, end, {i * 100});
    }
    for (Bytes at = begin; at < end; ++at) {
      table[static_cast<std::size_t>(at)] = erases ? -1 : i * 100 + at - begin;
    }
    Bytes expected_at = 0;
    map.for_each(0, 64, [&](Bytes first, Bytes last, const Ramp* ramp) {
      EXPECT_EQ(first, expected_at);
      for (Bytes at = first; at < last; ++at) {
        EXPECT_EQ(table[static_cast<std::size_t>(at)], ramp == nullptr ? -1 : ramp->height + at - first);
        EXPECT_EQ(map.meets(at, at + 1), ramp != nullptr);
      }
      expected_at = last;
    });
    ASSERT_EQ(expected_at, 64);
  }
}

}  // namespace
}  // namespace postage
