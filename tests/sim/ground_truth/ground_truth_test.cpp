#include "sim/ground_truth/truth.hpp"
#include "sim/simulation.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace postage {
namespace {

using test::kOnePercent;
using test::table_of;

const VirtualHost kHost{2e-6, 0};
constexpr Seconds kLatency = 10e-6;
constexpr double kBandwidth = 1e9;

double parameter(const Platform& platform, const std::string& model, const char* symbol) {
  const ParameterTable& table = table_of(platform, model);
  EXPECT_EQ(table.groups.size(), 1U) << "one regime, and no pair differs";
  return table.groups.front().values.at(symbol).value;
}

TEST(FlatCluster, HockneyAndLogGPAreRecovered) {
  const SampleSet samples =
      simulate(flat_cluster(16, kHost, kLatency, kBandwidth), 5, {"--sizes", "1:1M:x4", "--train-sizes", "1,1K"});
  EXPECT_TRUE(samples.is_virtual);
  const Platform platform = estimate_platform(samples, "flat");
  // The simulator's envelope of 16 bytes is part of the latency.
  const double latency = kLatency + 16 / kBandwidth;
  EXPECT_NEAR(parameter(platform, "hockney", "alpha") / (2 * kHost.overhead + latency), 1, kOnePercent);
  EXPECT_NEAR(parameter(platform, "hockney", "beta") * kBandwidth, 1, kOnePercent);
  EXPECT_NEAR(parameter(platform, "loggp", "L") / latency, 1, kOnePercent);
  EXPECT_NEAR(parameter(platform, "loggp", "o_s") / kHost.overhead, 1, kOnePercent);
  EXPECT_NEAR(parameter(platform, "loggp", "o_r") / kHost.overhead, 1, kOnePercent);
  // The rate of small messages is bound by the overheads.
  EXPECT_NEAR(parameter(platform, "loggp", "g") / kHost.overhead, 1, kOnePercent);
  EXPECT_NEAR(parameter(platform, "loggp", "G") * kBandwidth, 1, kOnePercent);
}

TEST(FlatCluster, RepeatsBitForBit) {
  const auto run = [] {
    return to_json(simulate(flat_cluster(16, kHost, kLatency, kBandwidth), 3,
                            {"--sizes", "8,64K", "--train-sizes", "1", "--collective", "bcast:pipeline:64K:seg=4K"}));
  };
  EXPECT_EQ(run().dump(), run().dump());
}

// Small messages do not share the links noticeably, so that LogGP's timeline is what the simulator does.
TEST(FlatCluster, LogGPPredictsTreesOfSmallMessages) {
  const VirtualCluster cluster = flat_cluster(16, kHost, kLatency, kBandwidth);
  const Platform platform =
      estimate_platform(simulate(cluster, 16, {"--sizes", "1:64K:x4", "--train-sizes", "1"}), "flat");
  const SampleSet timed = simulate(cluster, 16,
                                   {"--sizes", "none", "--train-sizes", "none", "--overhead-sizes", "none",
                                    "--collective", "bcast:binomial:8", "--collective", "bcast:pipeline:8",
                                    "--collective", "bcast:linear:8", "--collective", "barrier:dissemination:0"});
  const PlatformModel loggp(table_of(platform, "loggp"), platform.channels,
                            ChannelMap(platform, Mapping::explicit_placements(timed.ranks)));
  ASSERT_EQ(timed.measurements.size(), 4U);
  for (const Measurement& m : timed.measurements) {
    EXPECT_EQ(m.experiment.method, "global-clock");
    const Schedule schedule =
        build_schedule(find_algorithm(parse_collective(m.experiment.collective), m.experiment.algorithm),
                       {.ranks = 16, .bytes = m.experiment.bytes});
    const double predicted = predict(schedule, loggp).seconds;
    EXPECT_NEAR(predicted / m.summary.median, 1, kOnePercent) << m.experiment.algorithm;
  }
}

TEST(MixedCluster, EveryPairsHockneyIsRecovered) {
  const VirtualCluster cluster = mixed_cluster();
  const SampleSet samples = simulate(
      cluster, 16, {"--sizes", "1:1M:x32", "--train-sizes", "none", "--overhead-sizes", "none", "--all-pairs"});
  for (const Measurement& m : samples.measurements) {
    const auto i = static_cast<std::size_t>(m.experiment.source);
    const auto j = static_cast<std::size_t>(m.experiment.target);
    EXPECT_NEAR(m.summary.median / (2 * cluster.one_way(i, j, m.experiment.bytes)), 1, 1e-4) << i << "-" << j;
  }
  const Platform platform = estimate_platform(samples, "mixed");
  const ParameterTable& hockney = platform.models.at(0);
  std::size_t pairs = 0;
  for (const ParameterGroup& group : hockney.groups) {
    if (!group.scope.is_pair()) {
      continue;
    }
    std::vector<std::pair<int, int>> all{{group.scope.first, group.scope.second}};
    for (const PairClass& alike : hockney.classes) {
      if (alike.first == all.front()) {
        all.insert(all.end(), alike.others.begin(), alike.others.end());
      }
    }
    pairs += all.size();
    for (const auto& [first, second] : all) {
      const auto i = static_cast<std::size_t>(first);
      const auto j = static_cast<std::size_t>(second);
      EXPECT_NEAR(group.values.at("alpha").value / cluster.one_way(i, j, 0), 1, kOnePercent);
      const double per_byte = cluster.one_way(i, j, 1 << 20) - cluster.one_way(i, j, 0);
      EXPECT_NEAR(group.values.at("beta").value * (1 << 20) / per_byte, 1, kOnePercent);
    }
  }
  EXPECT_EQ(pairs, 120U);
}

}  // namespace
}  // namespace postage
