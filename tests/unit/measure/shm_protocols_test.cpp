#include <postage/base/error.hpp>
#include <postage/measure/shm_protocols.hpp>
#include <postage/platform/topology.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace postage {
namespace {

TEST(MeasureShmProtocols, TimesEveryProtocolThatASizeCanTake) {
  const ShmProtocolSettings quick{.sizes = {64, 4096, 65536}, .repetitions = 3, .batch = 20e-6};
  if (discover_topology().cores.size() < 2) {
    EXPECT_THROW(static_cast<void>(measure_shm_protocols(quick)), UsageError);
    return;
  }
  const std::vector<LevelTimes> measured = measure_shm_protocols(quick);
  ASSERT_FALSE(measured.empty());
  for (const LevelTimes& level : measured) {
    EXPECT_NE(level.pus[0], level.pus[1]);
    for (const BufferUse buffers : {BufferUse::kRewritten, BufferUse::kReused}) {
      for (const std::vector<ProtocolTimes>& table : {level.of(buffers).one_way, level.of(buffers).bidirectional}) {
        ASSERT_EQ(table.size(), 3U);
        for (const ProtocolTimes& times : table) {
          EXPECT_GT(times.by(ShmProtocol::kBuffered), 0);
          EXPECT_EQ(std::isinf(times.by(ShmProtocol::kEager)), times.bytes == 65536);
        }
      }
    }
  }
}

}  // namespace
}  // namespace postage
