#include "estimate/network/candidates/clear_groups.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace postage {
namespace {

constexpr double kNotMeasured = -1;
constexpr int kHostsOfSix = 6;

/// Of six hosts, by their numbers, the lower one first.
template <typename DistanceOf>
HostDistances six_hosts(DistanceOf distance_of) {
  std::vector<double> all(kHostsOfSix * kHostsOfSix, kNotMeasured);
  for (int a = 0; a < kHostsOfSix; ++a) {
    for (int b = a + 1; b < kHostsOfSix; ++b) {
      const auto at = [](int from, int to) { return static_cast<std::size_t>(from * kHostsOfSix + to); };
      all[at(a, b)] = all[at(b, a)] = distance_of(a, b);
    }
  }
  return {kHostsOfSix, all, 0.1};
}

std::vector<std::vector<int>> hosts_of(const std::optional<NetworkStructure>& network) {
  std::vector<std::vector<int>> hosts;
  if (network) {
    for (const HostGroup& group : network->groups) {
      hosts.push_back(group.hosts);
    }
  }
  return hosts;
}

const std::vector<std::vector<int>> kThreeEach{{0, 1, 2}, {3, 4, 5}};

TEST(ClearGroups, AreThoseThatNoiseDoesNotExplain) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(0.7, 1.3);
  EXPECT_EQ(hosts_of(clear_groups(six_hosts([&](int a, int b) { return noise(random) * (a / 3 == b / 3 ? 1 : 20); }))),
            kThreeEach);
  for (int campaign = 0; campaign < 50; ++campaign) {
    EXPECT_FALSE(clear_groups(six_hosts([&](int, int) { return noise(random); }))) << campaign;
    // One pair is nearer than the others, half of it by chance.
    EXPECT_FALSE(clear_groups(six_hosts([&](int a, int) { return a == 4 ? 0.5 : noise(random); }))) << campaign;
  }
}

TEST(ClearGroups, NeedHostsThatAreNearer) {
  EXPECT_FALSE(clear_groups(six_hosts([](int, int) { return 1; })));
  EXPECT_FALSE(clear_groups(six_hosts([](int, int) { return kNotMeasured; })));
}

// A ring was measured: 0 and 2 are as near as each of them is to 1.
TEST(ClearGroups, JoinHostsThatOthersAreNearTo) {
  EXPECT_EQ(hosts_of(clear_groups(six_hosts([](int a, int b) {
              const bool is_measured = b - a == 1 || b - a == 5;
              return !is_measured ? kNotMeasured : a / 3 == b / 3 ? 1 : 20;
            }))),
            kThreeEach);
  // The way by 2 and 3 tells nothing where another one is known.
  EXPECT_FALSE(clear_groups(six_hosts([](int a, int b) { return b - a == 1 ? 1 : 20; })));
}

}  // namespace
}  // namespace postage
