// Simulated hosts that say what the middleware takes at the ends of messages: 2log_{2,3}P must find it, and with it
// what broadcasts of strided messages take.
#include "sim/simulation.hpp"

#include <postage/estimate/estimate.hpp>
#include <postage/launch/virtual_machine.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

const VirtualMachine kMachine{.name = "middleware",
                              .title = "2 nodes of 2 cores",
                              .nodes = 2,
                              .per_node = 2,
                              .card_bandwidth = 1e9,
                              .card_latency = 5e-6,
                              .memory_bandwidth = 1e15,
                              .middleware =
                                  "node 0 0 0; node 1024 0 1e-6; node 4096 0 2e-6; node 0 8 0; node 1024 8 3e-6; "
                                  "node 4096 8 9e-6; network 0 0 0; network 1024 0 2e-6; network 4096 0 5e-6; "
                                  "network 0 8 0; network 1024 8 7e-6; network 4096 8 25e-6"};

SampleSet measured(const std::vector<std::string>& experiments) {
  const TemporaryFolder folder;
  return simulate(write_virtual_machine(kMachine, 2, Placement::kBlock, folder.path()), 4, experiments);
}

PlatformModel two_log() {
  const Platform platform = estimate_platform(measured({"--sizes", "1K,4K", "--overhead-sizes", "1K,4K",
                                                        "--strided-sizes", "1K,4K", "--strides", "8", "--run", "4"}),
                                              "middleware");
  return {*find_table("2log23p", platform.models), platform.channels, ChannelMap(platform, Mapping::block(2, 2))};
}

TEST(Middleware, IsFoundByTwoLog) {
  const PlatformModel contiguous = two_log();
  const PlatformModel strided = contiguous.with_strides({4, 8});
  // The simulator's envelope of 16 bytes goes over the wire.
  const Seconds network = 10e-6 + (4096 + 16) / 1e9;
  EXPECT_NEAR(predict_message(0, 1, 4096, contiguous).seconds, 2 * 2e-6, 1e-9);
  EXPECT_NEAR(predict_message(0, 1, 4096, strided).seconds, 2 * 9e-6, 1e-9);
  EXPECT_NEAR(predict_message(0, 2, 4096, contiguous).seconds, 2 * 5e-6 + network, 1e-9);
  EXPECT_NEAR(predict_message(0, 2, 4096, strided).seconds, 2 * 25e-6 + network, 1e-9);
  EXPECT_NEAR(predict_message(0, 1, 1024, strided).seconds, 2 * 3e-6, 1e-9);
}

TEST(Middleware, TakesWhatTheFormulasSayOfStridedBroadcasts) {
  const SampleSet samples =
      measured({"--sizes", "none", "--train-sizes", "none", "--control-sizes", "none", "--overhead-sizes", "none",
                "--collective", "bcast:linear:4K", "--collective", "bcast:binomial:4K", "--stride", "8"});
  const Seconds network = 10e-6 + (4096 + 16) / 1e9;
  ASSERT_EQ(samples.measurements.size(), 2U);
  for (const Measurement& m : samples.measurements) {
    EXPECT_EQ(m.experiment.stride, 8);
    const Seconds expected =
        m.experiment.algorithm == "linear" ? 9e-6 + 2 * 25e-6 + network + 25e-6 : 2 * 25e-6 + network + 2 * 9e-6;
    EXPECT_NEAR(m.summary.median / expected, 1, 1e-3) << m.experiment.algorithm;
  }
}

}  // namespace
}  // namespace postage
