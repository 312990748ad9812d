#include <postage/launch/measuring.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

TEST(LongestSilence, IsAnHourForSimulationsHoweverShortTheirBudget) {
  const Seconds limit = measuring_time_limit(5);
  EXPECT_EQ(longest_silence({.time_limit = limit}), limit);
  EXPECT_EQ(longest_silence({.virtual_platform = "cluster.xml", .time_limit = limit}), 3600);
  EXPECT_EQ(longest_silence({.virtual_platform = "cluster.xml", .time_limit = 7200}), 7200);
}

}  // namespace
}  // namespace postage
