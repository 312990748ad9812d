#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/launch.hpp>
#include <postage/launch/random_platform.hpp>

#include <gtest/gtest.h>

#include <set>

namespace postage {
namespace {

constexpr std::uint64_t kSeeds = 300;

/// Every seed's platform is one that a suite can run: 8 to 64 hosts, 64 ranks, and routes that lead from the source's
/// own link over links that follow one another to the target's.
TEST(RandomPlatform, IsWithinItsRanges) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomPlatform platform = random_platform(seed);
    const HostNetwork& network = platform.network;
    EXPECT_GE(network.hosts, 8) << seed;
    EXPECT_LE(platform.ranks(), 64) << seed;
    EXPECT_EQ(platform.hosts.size(), static_cast<std::size_t>(network.hosts));
    for (int source = 0; source < network.hosts; ++source) {
      for (int target = 0; target < network.hosts; ++target) {
        const std::vector<int>& route = network.route(source, target);
        ASSERT_EQ(route.empty(), source == target) << seed;
        if (source != target) {
          const auto name = [&](int link) { return network.links[static_cast<std::size_t>(link)].name; };
          EXPECT_TRUE(name(route.front()).starts_with("h" + std::to_string(source) + "_up")) << seed;
          EXPECT_TRUE(name(route.back()).starts_with("h" + std::to_string(target) + "_down")) << seed;
          for (std::size_t i = 2; i + 1 < route.size(); ++i) {
            EXPECT_EQ(name(route[i]).substr(0, name(route[i]).find('_')),
                      name(route[i - 1]).substr(name(route[i - 1]).find('_') + 1))
                << seed;
          }
        }
      }
    }
  }
}

/// All families, and each of what is switched on and off, among a hundred seeds.
TEST(RandomPlatform, HasEveryKind) {
  std::set<NetworkFamily> families;
  std::set<std::string> kinds;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomPlatform platform = random_platform(seed);
    const RandomProtocol& protocol = platform.protocol;
    families.insert(platform.family);
    kinds.insert(platform.ranks_per_host > 1 ? "several ranks" : "one rank");
    kinds.insert(protocol.detached_below ? "rendezvous" : "eager");
    kinds.insert(protocol.has_factors ? "factors" : "no factors");
    kinds.insert(protocol.has_contention ? "contention" : "no contention");
    kinds.insert(protocol.noise > 0 ? "noise" : "no noise");
  }
  EXPECT_EQ(families.size(), 7U);
  EXPECT_EQ(kinds.size(), 10U);
}

/// Clusters whose links and routes SimGrid makes, of all five shapes.
TEST(RandomPlatform, IsAClusterFromAMillionOn) {
  std::set<NetworkFamily> families;
  for (std::uint64_t seed = kFirstClusterSeed; seed < kFirstClusterSeed + kSeeds; ++seed) {
    const RandomPlatform platform = random_platform(seed);
    EXPECT_GE(platform.network.hosts, 8) << seed;
    EXPECT_LE(platform.ranks(), 64) << seed;
    EXPECT_TRUE(platform.network.routes.empty()) << seed;
    EXPECT_NE(platform.cluster_attributes.find("bw="), std::string::npos) << seed;
    families.insert(platform.family);
  }
  EXPECT_EQ(families.size(), 5U);
  EXPECT_TRUE(random_platform(kFirstClusterSeed - 1).cluster_attributes.empty());
}

/// A 2-D torus of 8 hosts is 4 x 2 or 3 x 3: a message takes the shorter way around, dimension by dimension.
TEST(RandomPlatform, TorusTakesTheShorterWay) {
  for (std::uint64_t seed = 2; seed < kSeeds; seed += 7) {
    const RandomPlatform platform = random_platform(seed);
    ASSERT_EQ(platform.family, NetworkFamily::kTorus2d);
    std::size_t longest = 0;
    for (const std::vector<int>& route : platform.network.routes) {
      longest = std::max(longest, route.size());
    }
    // a x b hosts are at most a/2 + b/2 links apart, beside those of source and target.
    EXPECT_LE(longest, 2U + 4U + 4U) << seed;
  }
}

/// The same bytes again; another platform for another seed.
TEST(RandomPlatform, FilesRepeat) {
  const TemporaryFolder folder;
  const RandomPlatform platform = random_platform(3);
  const VirtualClusterFiles once = write_random_platform(platform, folder.path() / "once");
  const VirtualClusterFiles again = write_random_platform(random_platform(3), folder.path() / "again");
  EXPECT_EQ(read_file(once.platform), read_file(again.platform));
  EXPECT_EQ(read_file(once.hostfile), read_file(again.hostfile));
  EXPECT_EQ(once.smpi_arguments, again.smpi_arguments);
  EXPECT_NE(random_platform(4).title, platform.title);
}

/// What seed 3 has always been: a change would give every earlier result another platform.
TEST(RandomPlatform, StaysTheSame) {
  EXPECT_EQ(random_platform(3).title,
            "12 hosts, 3-D torus: 3 x 2 x 2, links of 1 of a host's bandwidth, hosts differ; rendezvous from 16K");
}

TEST(RandomPlatform, HasNames) {
  EXPECT_EQ(seed_of("seed:17"), 17U);
  EXPECT_EQ(seed_of("mixed16"), std::nullopt);
  for (const char* wrong : {"seed:", "seed:x", "seed:-1", "seed:1234567890123456789"}) {
    EXPECT_THROW(static_cast<void>(seed_of(wrong)), UsageError) << wrong;
  }
}

}  // namespace
}  // namespace postage
