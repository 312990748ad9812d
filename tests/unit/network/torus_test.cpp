// Tori whose links no message was seen to wait for: steps show them.
#include "estimate/network/candidates/candidates.hpp"
#include "estimate/network/find_network.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <random>
#include <vector>

namespace postage {
namespace {

constexpr int kCorners = 8;
constexpr Seconds kOfAStep = 0.28e-6;
constexpr Bytes kOnTheTorus = 1 << 20;
/// What the network adds to each message.
constexpr Bytes kItsEnvelope = 17;

int steps_apart(int a, int b) {
  return std::popcount(static_cast<unsigned>(a ^ b));
}

/// Links of some hosts are four times as fast as others': the envelope takes less on them.
double seconds_per_byte(int a, int b) {
  const auto is_fast = [](int host) { return host % 3 == 0; };
  return is_fast(a) && is_fast(b) ? 1 / 300e6 : 1 / 75e6;
}

Seconds one_way(int a, int b, Bytes bytes) {
  return 0.3e-6 + kOfAStep * steps_apart(a, b) + static_cast<double>(bytes + kItsEnvelope) * seconds_per_byte(a, b);
}

SampleSet on_a_cube() {
  SampleSet samples = without_measurements(kCorners);
  samples.is_virtual = true;
  const auto add = [&](const Experiment& experiment, Seconds time) {
    samples.measurements.push_back(repeated(experiment, time, {.repetitions = 2}, samples.measurements.size()));
  };
  for (int b = 1; b < kCorners; ++b) {
    for (int a = 0; a < b; ++a) {
      for (const Bytes bytes : {Bytes{1}, Bytes{64}, kOnTheTorus}) {
        add({.kind = ExperimentKind::kRoundtrip, .source = a, .target = b, .bytes = bytes, .reply_bytes = bytes},
            2 * one_way(a, b, bytes));
      }
    }
  }
  // To a neighbour each, which shares no link with the others.
  std::vector<int> target(kCorners);
  std::iota(target.begin(), target.end(), 0);
  for (int& host : target) {
    host ^= 1;
  }
  add({.kind = ExperimentKind::kPermutation, .bytes = kOnTheTorus, .members = target, .channel = kInterNode},
      one_way(0, 1, kOnTheTorus));
  return samples;
}

Platform of_hosts(const SampleSet& samples) {
  ParameterGroup all{.scope = {.channel = kInterNode}};
  for (const auto& [symbol, value] : {std::pair{"L", 2e-6}, {"G", seconds_per_byte(0, 1)}}) {
    all.values[symbol] = Estimate::exactly(value);
  }
  for (const char* symbol : {"o_s", "o_r"}) {
    all.curves[symbol] = {{0, Estimate::exactly(10e-9)}};
  }
  return {.channels = {kInterNode},
          .nodes = samples.nodes,
          .ranks = samples.ranks,
          .models = {{.model = "flow", .groups = {all}}}};
}

TEST(Torus, IsKnownByItsSteps) {
  const SampleSet samples = on_a_cube();
  const CampaignData campaign(samples);
  const HostDistances distances(campaign);
  EXPECT_EQ(distances.count(), 3) << "steps; the envelope is not one that leaves nothing of a latency";
  EXPECT_TRUE(is_torus(distances, {2, 2, 2}));
  EXPECT_FALSE(is_torus(distances, {kCorners}));
  EXPECT_FALSE(is_torus(distances, {4, 2}));
}

TEST(Torus, IsNotKnownWhereLatenciesScatter) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(0.8, 1.2);
  std::vector<double> latencies(kCorners * kCorners);
  for (int a = 0; a < kCorners; ++a) {
    for (int b = 0; b < kCorners; ++b) {
      latencies[static_cast<std::size_t>(a * kCorners + b)] = noise(random) * one_way(a, b, 0);
    }
  }
  EXPECT_FALSE(is_torus({kCorners, latencies, 0.01}, {2, 2, 2}));
}

// A tree of the hosts whose messages are fast explains all messages, too: two of them are near, others far.
TEST(Torus, IsFoundThoughNoLinkWasSeenToLimit) {
  const SampleSet samples = on_a_cube();
  Platform platform = of_hosts(samples);
  find_network(CampaignData(samples), platform);
  ASSERT_TRUE(platform.network);
  ASSERT_TRUE(platform.network->torus);
  EXPECT_EQ(platform.network->torus->lengths, (std::vector<int>{2, 2, 2}));
}

}  // namespace
}  // namespace postage
