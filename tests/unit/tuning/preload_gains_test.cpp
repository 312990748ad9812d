#include <postage/base/error.hpp>
#include <postage/tuning/preload_gains.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

TEST(PreloadGains, AreMediansOfPairs) {
  const auto gains = parse_preload_gains(
      "barrier 0 5000 100.0:150.0\n"
      "bcast 64 2000 10.0:20.0 20.0:20.0 10.0:40.0\n");
  ASSERT_EQ(gains.size(), 2U);
  EXPECT_EQ(gains[0].collective, "barrier");
  EXPECT_DOUBLE_EQ(gains[0].speedup, 1.5);
  EXPECT_EQ(gains[1].bytes, 64);
  EXPECT_DOUBLE_EQ(gains[1].speedup, 2);
  EXPECT_NEAR(gains[1].replaced_seconds, 10e-9, 1e-18);
  EXPECT_NEAR(gains[1].library_seconds, 20e-9, 1e-18);
  EXPECT_DOUBLE_EQ(gains[1].interval.lower, 1);
  EXPECT_DOUBLE_EQ(gains[1].interval.upper, 4);
}

TEST(PreloadGains, RefuseOtherLines) {
  for (const char* line :
       {"bcast", "bcast 64 2000", "bcast 64 2000 10.0", "bcast 64 2000 10.0:0.0", "mpirun: error 3 4:5 x"}) {
    EXPECT_THROW(static_cast<void>(parse_preload_gains(line)), Error) << line;
  }
}

TEST(PreloadGains, ComeBackFromTheirFile) {
  const PreloadGains gains{"mpich", "a", 4, parse_preload_gains("bcast 64 2000 10.0:20.0 20.0:20.0 10.0:40.0\n")};
  EXPECT_EQ(preload_gains_from_json(to_json(gains), "g.json"), gains);
  Json wrong = to_json(gains);
  wrong["cells"][0].erase("speedup");
  EXPECT_THROW(static_cast<void>(preload_gains_from_json(wrong, "g.json")), Error);
}

}  // namespace
}  // namespace postage
