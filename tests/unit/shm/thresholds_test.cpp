#include "support/ranks.hpp"

#include <postage/base/error.hpp>
#include <postage/shm/endpoint.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace postage::shm {
namespace {

constexpr ProtocolThresholds kMeasured{100, 200, 300, 400, 500, true};

TEST(Thresholds, BeginAtDefaultsAndRefuseInvalidOnes) {
  ThresholdTable table;
  EXPECT_EQ(table.of(LocalityLevel::kCache).single_copy, 16 << 20);
  EXPECT_EQ(table.of(LocalityLevel::kSocket).single_copy, 2048);
  EXPECT_EQ(table.of(LocalityLevel::kMachine).single_copy, 1024);
  EXPECT_THROW(table.set(LocalityLevel::kCache, {-1, 2, 3, 4}), UsageError);
  EXPECT_THROW(table.set(LocalityLevel::kCache, {1, 4, 3, 4}), UsageError);
  EXPECT_THROW(table.set(LocalityLevel::kCache, {1, 4, 5, 3}), UsageError);
  EXPECT_THROW(table.set(LocalityLevel::kCache, {1, 2, 3, 4, -5}), UsageError);
  table.set(LocalityLevel::kSocket, kMeasured);
  EXPECT_EQ(table.of(LocalityLevel::kSocket), kMeasured);
}

TEST(Thresholds, ComeFromAPlatformForTheLevelsThatItHas) {
  Platform platform;
  platform.shm_protocols = {{kIntraSocket, BufferUse::kRewritten, kMeasured}};
  const ThresholdTable table = ThresholdTable::of_platform(platform);
  EXPECT_EQ(table.of(LocalityLevel::kSocket), kMeasured);
  EXPECT_EQ(table.of(LocalityLevel::kCache), ThresholdTable().of(LocalityLevel::kCache));
  platform.shm_protocols = {{"telepathy", BufferUse::kRewritten, kMeasured}};
  EXPECT_THROW(static_cast<void>(ThresholdTable::of_platform(platform)), Error);
}

TEST(Thresholds, FollowTheUseOfBuffers) {
  ProtocolThresholds reused = kMeasured;
  reused.single_copy = 150;
  Platform platform;
  platform.shm_protocols = {{kIntraSocket, BufferUse::kReused, reused},
                            {kIntraSocket, BufferUse::kRewritten, kMeasured},
                            {kSharedCache, BufferUse::kRewritten, kMeasured}};
  EXPECT_EQ(ThresholdTable::of_platform(platform).of(LocalityLevel::kSocket), kMeasured);
  const ThresholdTable table = ThresholdTable::of_platform(platform, BufferUse::kReused);
  EXPECT_EQ(table.of(LocalityLevel::kSocket), reused);
  EXPECT_EQ(table.of(LocalityLevel::kCache), kMeasured) << "nothing else was measured there";
}

TEST(Thresholds, ComeFromTheFileThatTheEnvironmentNames) {
  const std::string path = ::testing::TempDir() + "postage-thresholds.json";
  Platform platform;
  for (const LocalityLevel level : kLocalityLevels) {
    platform.shm_protocols.push_back({name_of(level), BufferUse::kRewritten, kMeasured});
  }
  write_platform(path, platform);
  setenv("POSTAGE_PLATFORM", path.c_str(), 1);
  EXPECT_EQ(ShmEndpoint(ShmSegment::create(1), 0).size(), 1);
  const auto work = [](ShmEndpoint& endpoint) {
    postage::test::require(endpoint.connection(1 - endpoint.rank()).thresholds == kMeasured, "taken");
  };
  EXPECT_EQ(postage::test::run_ranks(2, work), postage::test::all_fine(2));
  unlink(path.c_str());
  EXPECT_THROW(ShmEndpoint(ShmSegment::create(1), 0), Error);
  unsetenv("POSTAGE_PLATFORM");
  EXPECT_EQ(ThresholdTable::of_environment(), ThresholdTable());
}

}  // namespace
}  // namespace postage::shm
