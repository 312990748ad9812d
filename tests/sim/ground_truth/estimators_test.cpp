#include "sim/ground_truth/truth.hpp"

// Models estimated from simulated clusters whose every cost is known.
#include "sim/simulation.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace postage {
namespace {

using test::kEnvelope;
using test::kOnePercent;
using test::table_of;

/// Pairs that are alike have the groups of one of them.
ParameterScope scope_in(const ParameterTable& table, const ParameterScope& scope) {
  for (const PairClass& alike : table.classes) {
    if (std::count(alike.others.begin(), alike.others.end(), std::pair(scope.first, scope.second)) > 0) {
      return {.first = alike.first.first, .second = alike.first.second};
    }
  }
  return scope;
}

const ParameterGroup& find_group(const ParameterTable& table, const ParameterScope& asked, Bytes bytes = 0) {
  const ParameterScope scope = scope_in(table, asked);
  const ParameterGroup* best = nullptr;
  for (const ParameterGroup& group : table.groups) {
    if (group.scope == scope && group.from_bytes <= bytes) {
      best = &group;
    }
  }
  if (best == nullptr) {
    throw Error("no such group in " + table.model);
  }
  return *best;
}

ParameterScope pair_of(int first, int second) {
  ParameterScope scope;
  scope.first = first;
  scope.second = second;
  return scope;
}

ParameterScope processor_of(int rank) {
  ParameterScope scope;
  scope.processor = rank;
  return scope;
}

/// Every C_i, t_i, L_ij and beta_ij.
void expect_lmo(const VirtualCluster& cluster, const Platform& platform) {
  const ParameterTable& lmo = table_of(platform, "lmo");
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    const auto& processor = find_group(lmo, processor_of(static_cast<int>(i))).values;
    EXPECT_NEAR(processor.at("C").value / cluster.hosts[i].overhead, 1, kOnePercent) << i;
    EXPECT_NEAR(processor.at("t").value / cluster.hosts[i].per_byte, 1, kOnePercent) << i;
    for (std::size_t j = i + 1; j < cluster.size(); ++j) {
      const auto& link = find_group(lmo, pair_of(static_cast<int>(i), static_cast<int>(j))).values;
      const double bandwidth = cluster.bandwidth[i * cluster.size() + j];
      EXPECT_NEAR(link.at("beta").value / bandwidth, 1, kOnePercent) << i << "-" << j;
      EXPECT_NEAR(link.at("L").value / (cluster.latency[i * cluster.size() + j] + kEnvelope / bandwidth), 1,
                  kOnePercent)
          << i << "-" << j;
    }
  }
}

std::vector<std::string> lmo_experiments(const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"--sizes",       "1",    "--reply-sizes",      "0,32K", "--overhead-sizes", "none",
                                 "--train-sizes", "none", "--one-to-two-sizes", "0,32K", "--control-sizes",  "none",
                                 "--warm-up",     "0",    "--all-pairs"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(MixedCluster, EveryModelIsRecovered) {
  const VirtualCluster cluster = mixed_cluster();
  const Platform platform = estimate_platform(
      simulate(cluster, 16,
               {"--sizes", "1:1M:x32", "--overhead-sizes", "1", "--train-sizes", "1", "--delayed-sizes", "1",
                "--adaptive", "64K", "--one-to-two-sizes", "0,32K", "--all-pairs"}),
      "mixed");
  expect_lmo(cluster, platform);
  const auto busy = [&](std::size_t i, double bytes) {
    return cluster.hosts[i].overhead + cluster.hosts[i].per_byte * bytes;
  };
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = i + 1; j < 16; ++j) {
      const ParameterScope scope = pair_of(static_cast<int>(i), static_cast<int>(j));
      const auto& loggp = find_group(table_of(platform, "loggp"), scope).values;
      const Seconds overhead = (busy(i, 1) + busy(j, 1)) / 2;
      const double per_byte = (cluster.one_way(i, j, 1 << 20) - cluster.one_way(i, j, 0)) / (1 << 20);
      EXPECT_NEAR(loggp.at("o_s").value / overhead, 1, kOnePercent);
      EXPECT_NEAR(loggp.at("o_r").value / overhead, 1, kOnePercent);
      EXPECT_NEAR(loggp.at("L").value / (cluster.one_way(i, j, 1) - 2 * overhead), 1, kOnePercent);
      EXPECT_NEAR(loggp.at("g").value / std::max(busy(i, 1), busy(j, 1)), 1, kOnePercent);
      EXPECT_NEAR(loggp.at("G").value / per_byte, 1, kOnePercent);

      const ParameterGroup& plogp = find_group(table_of(platform, "plogp"), scope);
      const Seconds empty_gap = std::max(busy(i, 0), busy(j, 0));
      EXPECT_NEAR(plogp.values.at("L").value / (cluster.one_way(i, j, 0) - empty_gap), 1, kOnePercent);
      for (const ParameterPoint& point : plogp.curves.at("o_s")) {
        const auto bytes = static_cast<double>(point.bytes);
        EXPECT_NEAR(point.estimate.value / ((busy(i, bytes) + busy(j, bytes)) / 2), 1, kOnePercent);
      }
      for (const ParameterPoint& point : plogp.curves.at("g")) {
        const auto bytes = static_cast<double>(point.bytes);
        const Seconds wire = (bytes + kEnvelope) / cluster.bandwidth[i * 16 + j];
        // Simulated messages share a link instead of following one another, so that a train's arrive together at the
        // end: where the wire is slow, a message costs up to the wire and the receiver.
        EXPECT_GT(point.estimate.value, (1 - kOnePercent) * std::max({busy(i, bytes), busy(j, bytes), wire}));
        EXPECT_LT(point.estimate.value, (1 + kOnePercent) * (wire + std::max(busy(i, bytes), busy(j, bytes))));
      }
    }
  }
}

// Published for 16 heterogeneous hosts: 0.33 s (Lastovetsky and Rychkov, table 3).
TEST(MixedCluster, LmoCostsLessThanPublished) {
  const SampleSet samples = simulate(mixed_cluster(), 16, lmo_experiments());
  RecordProperty("virtual_seconds", std::to_string(samples.duration));
  EXPECT_LT(samples.duration, 0.33);
  expect_lmo(mixed_cluster(), estimate_platform(samples, "mixed"));
}

TEST(MixedCluster, FewTripletsParallelOrSerialGiveTheSameLmo) {
  const VirtualCluster cluster = mixed_cluster();
  const Platform parallel = estimate_platform(simulate(cluster, 16, lmo_experiments({"--triplets", "2"})), "mixed");
  expect_lmo(cluster, parallel);
  const Platform serial =
      estimate_platform(simulate(cluster, 16, lmo_experiments({"--triplets", "2", "--serial"})), "mixed");
  expect_lmo(cluster, serial);
  const std::vector<ParameterGroup>& a = table_of(parallel, "lmo").groups;
  const std::vector<ParameterGroup>& b = table_of(serial, "lmo").groups;
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const auto& [symbol, estimate] : a[i].values) {
      EXPECT_NEAR(estimate.value / b[i].values.at(symbol).value, 1, 1e-6) << symbol;
    }
  }
}

/// 64 hosts, no two of which are alike, slow ones first.
VirtualCluster large_cluster() {
  VirtualCluster cluster{.name = "mixed64"};
  for (int i = 0; i < 64; ++i) {
    cluster.hosts.push_back({40e-6 - 0.4e-6 * i, 9e-10 - 1e-11 * i});
  }
  cluster.latency.assign(64 * 64, 0);
  cluster.bandwidth.assign(64 * 64, 0);
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t j = 0; j < 64; ++j) {
      cluster.latency[i * 64 + j] = 20e-6 + 1e-6 * static_cast<double>((i + j) % 17);
      cluster.bandwidth[i * 64 + j] = 100e6 + 1e6 * static_cast<double>((5 * (i + j) + i * j) % 23);
    }
  }
  return cluster;
}

// Each the source of four experiments.
TEST(LargeCluster, EveryProcessorAndLinkIsRecovered) {
  const VirtualCluster cluster = large_cluster();
  expect_lmo(cluster, estimate_platform(simulate(cluster, 64, lmo_experiments({"--triplets", "4"})), "mixed64"));
}

// As campaigns of many ranks are: two pairs of each host, and triplets of all hosts, where no two hosts are alike.
TEST(LargeCluster, EveryProcessorIsRecoveredFromSomePairsOfEach) {
  const VirtualCluster cluster = large_cluster();
  const SampleSet samples = simulate(
      cluster, 64,
      {"--sizes", "1,64K", "--overhead-sizes", "none", "--train-sizes", "none", "--one-to-two-sizes", "0,32K"});
  std::set<std::pair<int, int>> pairs;
  for (const Measurement& m : samples.measurements) {
    if (m.experiment.kind == ExperimentKind::kRoundtrip && m.experiment.reply_bytes > 0) {
      pairs.insert(std::minmax(m.experiment.source, m.experiment.target));
    }
  }
  EXPECT_LE(pairs.size(), 128U);
  const Platform platform = estimate_platform(samples, "mixed64");
  for (int i = 0; i < 64; ++i) {
    const auto& lmo = find_group(table_of(platform, "lmo"), processor_of(i)).values;
    const auto& host = cluster.hosts[static_cast<std::size_t>(i)];
    EXPECT_NEAR(lmo.at("C").value / host.overhead, 1, kOnePercent);
    EXPECT_NEAR(lmo.at("t").value / host.per_byte, 1, kOnePercent);
  }
}

/// A flat cluster whose messages above 64 KiB wait for their receivers, which costs two more latencies.
VirtualClusterFiles write_with_rendezvous(const std::filesystem::path& folder) {
  VirtualClusterFiles files = write_virtual_cluster(flat_cluster(4, {2e-6, 0}, 10e-6, 1e9), folder);
  files.smpi_arguments = {"--cfg=network/model:SMPI", "--cfg=smpi/bw-factor:0:1",
                          // Factors see the envelope too.
                          "--cfg=smpi/lat-factor:0:1;65553:3", "--cfg=smpi/send-is-detached-thresh:65537",
                          "--cfg=smpi/async-small-thresh:65537"};
  return files;
}

TEST(Rendezvous, ShowsInEveryModelThatKnowsIt) {
  const TemporaryFolder folder;
  const SampleSet samples = simulate(
      write_with_rendezvous(folder.path()), 4,
      {"--sizes", "1:64K:x4,16:64K:+16K,80K,128K,256K,512K,1M", "--train-sizes", "1", "--one-to-two-sizes", "0,32K"});
  const Platform platform = estimate_platform(samples, "rendezvous");
  const ParameterScope channel{.channel = kInterNode};
  const ParameterTable& loggps = table_of(platform, "loggps");
  const Estimate limit = find_group(loggps, channel).values.at("S");
  EXPECT_LE(limit.lower, 65536);
  EXPECT_GE(limit.upper, 65536);
  // A rendezvous send charges neither o_s nor o_r here, and two latencies more.
  EXPECT_NEAR(find_group(loggps, channel, 1 << 20).values.at("h").value / (2 * 10e-6 - 2 * 2e-6), 1, 0.05);
  for (const char* model : {"hockney", "loggp", "loggps", "loggph", "loggpc"}) {
    EXPECT_LT(table_of(platform, model).fit.largest_relative_residual, kOnePercent) << model;
  }
  // LMO's M is an eager one.
  EXPECT_NEAR(find_group(table_of(platform, "lmo"), processor_of(1)).values.at("C").value / 2e-6, 1, kOnePercent);
  EXPECT_NEAR(find_group(table_of(platform, "lmo"), pair_of(0, 1)).values.at("beta").value / 1e9, 1, kOnePercent);
}

// All messages by rendezvous: neither end is charged an overhead, and everything is the wire's.
TEST(Rendezvous, MessagesOfAllSizesCostTheWire) {
  const TemporaryFolder folder;
  VirtualClusterFiles files = write_virtual_cluster(flat_cluster(4, {2e-6, 0}, 10e-6, 1e9), folder.path());
  files.smpi_arguments = {"--cfg=smpi/send-is-detached-thresh:0", "--cfg=smpi/async-small-thresh:0"};
  const Platform platform =
      estimate_platform(simulate(files, 4, {"--sizes", "1:1M:x4", "--train-sizes", "1,1K"}), "rendezvous");
  const ParameterScope channel{.channel = kInterNode};
  const auto& hockney = find_group(table_of(platform, "hockney"), channel).values;
  EXPECT_NEAR(hockney.at("alpha").value / (10e-6 + kEnvelope / 1e9), 1, kOnePercent);
  EXPECT_NEAR(hockney.at("beta").value * 1e9, 1, kOnePercent);
  for (const char* model : {"hockney", "loggp", "loggps", "loggph", "loggpc"}) {
    EXPECT_LT(table_of(platform, model).fit.largest_relative_residual, kOnePercent) << model;
    EXPECT_LT(table_of(platform, model).fit.held_out_largest_relative_residual, kOnePercent) << model;
  }
}

// Parametrised roundtrips and delayed receives say the same of the same cluster.
TEST(FlatCluster, BothWaysToOverheadsAgree) {
  const SampleSet samples = simulate(flat_cluster(16, {2e-6, 0}, 10e-6, 1e9), 3,
                                     {"--sizes", "1:1M:x4", "--train-sizes", "1,1K", "--delayed-sizes", "1,1K"});
  for (const OverheadMethod method : {OverheadMethod::kClassical, OverheadMethod::kTrains}) {
    const Platform platform = estimate_platform(samples, "flat", {.overheads = method});
    const auto& loggp = find_group(table_of(platform, "loggp"), {.channel = kInterNode}).values;
    EXPECT_NEAR(loggp.at("o_s").value / 2e-6, 1, kOnePercent);
    EXPECT_NEAR(loggp.at("o_r").value / 2e-6, 1, kOnePercent);
    EXPECT_NEAR(loggp.at("L").value / (10e-6 + kEnvelope / 1e9), 1, kOnePercent);
  }
}

}  // namespace
}  // namespace postage
