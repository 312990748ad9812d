#include "sim/ground_truth/truth.hpp"

// tau-Lop, the extended PLogP and log_nP's family on simulated clusters.
#include "sim/simulation.hpp"

#include <postage/estimate/estimate.hpp>
#include <postage/model/model.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace postage {
namespace {

using test::kEnvelope;
using test::kOnePercent;
using test::table_of;

const ParameterGroup& group_for(const Platform& platform, const std::string& model, const std::string& channel) {
  for (const ParameterGroup& group : table_of(platform, model).groups) {
    if (group.scope.channel == channel) {
      return group;
    }
  }
  throw std::runtime_error("no " + model + " for " + channel);
}

/// Transfers of m bytes over a link, tau at once, as a share of what one takes alone.
using Sharing = double (*)(double tau);

/// What a channel of a simulated cluster does: overheads and latency once, the bytes as the channel is shared.
struct SimulatedChannel {
  const char* name;
  Seconds fixed;
  double bandwidth;
  Sharing sharing;

  [[nodiscard]] Seconds moving(double bytes, double tau) const { return sharing(tau) * bytes / bandwidth; }
};

TransferQuestion shared_question(const Platform& platform, const SimulatedChannel& channel, Bytes bytes, double tau) {
  const auto found = std::find(platform.channels.begin(), platform.channels.end(), channel.name);
  return {.channel = static_cast<ChannelId>(found - platform.channels.begin()),
          .bytes = bytes,
          .concurrency = tau,
          .sending_concurrency = tau,
          .receiving_concurrency = tau};
}

/// Parameters one by one where they can be told, and what messages take in all.
void expect_tau_lop(const Platform& platform, const SimulatedChannel& memory, const SimulatedChannel& network,
                    const std::vector<double>& taus) {
  const Model found = build_model(table_of(platform, "taulop"), platform.channels);
  for (const SimulatedChannel* channel : {&memory, &network}) {
    const ParameterGroup& group = group_for(platform, "taulop", channel->name);
    // The smallest message's own byte and envelope count as overhead.
    EXPECT_NEAR(group.curves.at("o").front().estimate.value / channel->fixed, 1, kOnePercent) << channel->name;
    std::vector<double> rows;
    for (const ParameterRow& row : group.surfaces.at("L")) {
      rows.push_back(row.at);
      for (const ParameterPoint& point : row.curve) {
        const auto bytes = static_cast<double>(point.bytes);
        const double share = channel == &memory ? channel->moving(bytes, row.at) / 2
                                                : channel->moving(bytes, row.at) - memory.moving(bytes, row.at);
        if (point.bytes >= 65536) {
          EXPECT_NEAR(point.estimate.value / share, 1, kOnePercent) << channel->name << " " << point.bytes;
        }
        const TransferQuestion question = shared_question(platform, *channel, point.bytes, row.at);
        const Seconds truth = channel->fixed + channel->moving(bytes + kEnvelope, row.at);
        EXPECT_NEAR(cost(found, question).total() / truth, 1, kOnePercent) << channel->name << " " << point.bytes;
      }
    }
    EXPECT_EQ(rows, taus) << channel->name;
  }
}

double serially(double tau) {
  return tau;
}

/// Options that measure nothing but what follows and roundtrips of these sizes, as often as simulations need it.
std::vector<std::string> only(const char* sizes, std::vector<std::string> words) {
  words.insert(words.begin(),
               {"--sizes", sizes, "--overhead-sizes", "none", "--train-sizes", "none", "--warm-up", "0"});
  return words;
}

class Multicore : public testing::TestWithParam<const char*> {};

TEST_P(Multicore, TauLopIsRecovered) {
  const VirtualCluster cluster = find_virtual_cluster(GetParam());
  const SampleSet samples =
      simulate(cluster, static_cast<int>(cluster.capacity()), only("1,1M", {"--concurrent-sizes", "1,1M"}));
  const Platform platform = estimate_platform(samples, cluster.name);
  const auto fixed = [&](std::size_t to) { return cluster.one_way(0, to, 0) - kEnvelope / cluster.bandwidth[to]; };
  expect_tau_lop(platform, {kSharedCache, fixed(0), cluster.bandwidth[0], serially},
                 {kInterNode, fixed(1), cluster.bandwidth[1], serially}, {1, 2, 3, 4, 6, 8});
}

INSTANTIATE_TEST_SUITE_P(Clusters, Multicore, testing::Values("multicore4x8", "multicore8x8"));

// C(m, n) is what n messages that cross take longer than two: over a full-duplex network half of them go each way, in
// memory all share.
TEST(MulticoreCell, IsRecovered) {
  const VirtualCluster cluster =
      multicore_cluster(2, 8, {1e-9, 0}, {200e-9, 20e9}, {10e-6, 5e9});  // g has no overheads in it
  const Platform platform = estimate_platform(
      simulate(cluster, 16, only("1,64K,1M", {"--fan-sizes", "64K,1M", "--butterfly-sizes", "64K,1M"})), cluster.name);
  for (const std::size_t to : {0, 1}) {
    const ParameterGroup& group = group_for(platform, "plogp-cell", to == 0 ? kSharedCache : kInterNode);
    const double bandwidth = cluster.bandwidth[to];
    for (const ParameterPoint& point : group.curves.at("L")) {
      EXPECT_NEAR(point.estimate.value / cluster.one_way(0, to, point.bytes), 1, kOnePercent);
    }
    for (const ParameterPoint& point : group.curves.at("g")) {
      EXPECT_NEAR(point.estimate.value * bandwidth / static_cast<double>(point.bytes), 1, kOnePercent) << to;
    }
    EXPECT_EQ(group.surfaces.at("C").size(), to == 0 ? 4U : 6U) << "2, 4, 6, 8 and over the network 12 and 16";
    for (const ParameterRow& row : group.surfaces.at("C")) {
      for (const ParameterPoint& point : row.curve) {
        const double others = to == 0 ? row.at - 2 : row.at / 2 - 1;
        const double truth = others * static_cast<double>(point.bytes) / bandwidth;
        EXPECT_NEAR(point.estimate.value, truth, kOnePercent * truth) << to << ", n = " << row.at;
      }
    }
  }
}

TEST(NonlinearChannels, TauLopIsRecovered) {
  const TemporaryFolder folder;
  const VirtualClusterFiles files{
      NONLINEAR_PLATFORM,
      folder.path() / "hosts",
      {"--cfg=smpi/send-is-detached-thresh:2147483647", "--cfg=smpi/async-small-thresh:2147483647"}};
  write_file(files.hostfile, "h0:8\nh1:8\n");
  const Platform platform =
      estimate_platform(simulate(files, 16, only("1,64K,256K,1M", {"--concurrent-sizes", "1,64K,1M"})), "nonlinear");
  expect_tau_lop(platform, {kSharedCache, 2.2e-6, 20e9, [](double tau) { return std::pow(tau, 0.6); }},
                 {kInterNode, 12e-6, 5e9, [](double tau) { return std::pow(tau, 0.8); }}, {1, 2, 3, 4, 6, 8});
}

/// Packing and unpacking are charged an operation for each run of 4 bytes and each 8 bytes.
Seconds packing(Bytes bytes) {
  return static_cast<double>(bytes / 4 + bytes / 8) * 1e-9;
}

TEST(FlatCluster, TheLogNPFamilyIsRecovered) {
  const VirtualHost host{2e-6, 1e-10};
  const VirtualCluster cluster = flat_cluster(16, host, 10e-6, 1e9);
  const Platform platform = estimate_platform(
      simulate(cluster, 16,
               {"--sizes", "1,1K,4K,16K,64K", "--train-sizes", "none", "--overhead-sizes", "1,1K,4K,16K,64K",
                "--delayed-sizes", "1,1K,4K,16K,64K", "--strided-sizes", "1K,4K,16K"}),
      cluster.name);
  const ParameterGroup& level = group_for(platform, "2log23p", kInterNode);
  const ParameterGroup& transfers = group_for(platform, "mlognp", kInterNode);
  for (std::size_t i = 0; i < level.curves.at("o_mw").size(); ++i) {
    const auto at = [&](const ParameterGroup& group, const char* symbol) {
      return group.curves.at(symbol)[i].estimate.value;
    };
    const auto bytes = static_cast<double>(level.curves.at("o_mw")[i].bytes);
    const Seconds processor = host.overhead + host.per_byte * bytes;
    const Seconds network = 10e-6 + (bytes + kEnvelope) / 1e9;
    EXPECT_NEAR(at(level, "o_mw") / (2 * processor), 1, kOnePercent);
    EXPECT_NEAR(at(level, "o_net") / network, 1, kOnePercent);
    EXPECT_NEAR(at(transfers, "o_0") / processor, 1, kOnePercent);
    EXPECT_NEAR(at(transfers, "o_1") / network, 1, kOnePercent);
    EXPECT_NEAR(at(transfers, "o_2") / processor, 1, kOnePercent);
  }
  for (const char* how : {"l_mw", "l_hand"}) {
    for (const ParameterRow& row : level.surfaces.at(how)) {
      for (const ParameterPoint& point : row.curve) {
        EXPECT_NEAR(point.estimate.value, 2 * packing(point.bytes), kOnePercent * 2 * packing(point.bytes)) << how;
      }
    }
  }
}

// A message that waits for its receiver from some size on. The simulator's takes no overheads then, so that times step
// down: o(m) cannot be more than the whole.
TEST(FlatCluster, BothProtocolsAreFollowed) {
  const VirtualCluster cluster = flat_cluster(4, {20e-6, 0}, 10e-6, 1e9);
  const TemporaryFolder folder;
  VirtualClusterFiles files = write_virtual_cluster(cluster, folder.path());
  files.smpi_arguments = {"--cfg=smpi/send-is-detached-thresh:32768", "--cfg=smpi/async-small-thresh:32768"};
  const SampleSet samples =
      simulate(files, 4,
               {"--sizes", "1:1M:x2", "--overhead-sizes", "1,4K", "--delayed-sizes", "1,4K", "--train-sizes", "1,4K",
                "--concurrent-sizes", "1,64K", "--fan-sizes", "1,64K,1M"});
  const Platform platform = estimate_platform(samples, cluster.name);
  const SampleSet held_out = simulate(files, 2, only("3,100,5000,30000,40000,50000,100000,700000", {}));
  for (const char* name : {"taulop", "plogp-cell", "2log23p", "mlognp", "log3p", "lognp"}) {
    const Model found = build_model(table_of(platform, name), platform.channels);
    for (const Measurement& m : held_out.measurements) {
      const double predicted = 2 * cost(found, {.bytes = m.experiment.bytes}).total();
      EXPECT_NEAR(predicted / m.summary.median, 1, kOnePercent) << name << " of " << m.experiment.bytes;
    }
  }
}

// Of three ranks, two receive from the root 4,000 and then more bytes, the second receive beginning before the first
// has ended. With one tag for both the simulator gave the small message to the receive of the large one, and never
// ended.
TEST(FlatCluster, ReceivesBelowAndAboveTheThresholdKeepTheirOrder) {
  const VirtualCluster cluster = flat_cluster(3, {20e-6, 0}, 10e-6, 1e9);
  const TemporaryFolder folder;
  VirtualClusterFiles files = write_virtual_cluster(cluster, folder.path());
  files.smpi_arguments = {"--cfg=smpi/send-is-detached-thresh:4096", "--cfg=smpi/async-small-thresh:4096"};
  const SampleSet samples = simulate(files, 3,
                                     only("none", {"--collective", "bcast:scatter-rd-allgather:12000", "--collective",
                                                   "allreduce:recursive-doubling:12000"}));
  EXPECT_EQ(samples.measurements.size(), 2U);
}

void expect_same(const Estimate& a, const Estimate& b, const std::string& what) {
  EXPECT_NEAR(a.value, b.value, 1e-4 * std::abs(b.value) + 1e-12) << what;
}

// On a switch, experiments between different hosts do not disturb one another.
TEST(FlatCluster, ParallelAndSerialCampaignsGiveTheSameParameters) {
  const VirtualCluster cluster = flat_cluster(6, {2e-6, 1e-10}, 10e-6, 1e9);
  std::vector<std::string> words{"--sizes",         "1:1M:x4", "--overhead-sizes",   "1,4K",
                                 "--delayed-sizes", "1,4K",    "--train-sizes",      "1,4K",
                                 "--strided-sizes", "1K,4K",   "--concurrent-sizes", "1,64K",
                                 "--fan-sizes",     "1,64K",   "--butterfly-sizes",  "1,64K"};
  const Platform parallel = estimate_platform(simulate(cluster, 6, words), "switch");
  words.emplace_back("--serial");
  const Platform serial = estimate_platform(simulate(cluster, 6, words), "switch");
  ASSERT_EQ(parallel.models.size(), serial.models.size());
  EXPECT_GE(parallel.models.size(), 8U);
  for (std::size_t t = 0; t < serial.models.size(); ++t) {
    const ParameterTable& table = serial.models[t];
    ASSERT_EQ(parallel.models[t].groups.size(), table.groups.size()) << table.model;
    for (std::size_t g = 0; g < table.groups.size(); ++g) {
      const ParameterGroup& other = parallel.models[t].groups[g];
      EXPECT_EQ(other.scope, table.groups[g].scope);
      for (const auto& [symbol, value] : table.groups[g].values) {
        expect_same(other.values.at(symbol), value, table.model + " " + symbol);
      }
      for (const auto& [symbol, curve] : table.groups[g].curves) {
        for (std::size_t i = 0; i < curve.size(); ++i) {
          expect_same(other.curves.at(symbol).at(i).estimate, curve[i].estimate, table.model + " " + symbol);
        }
      }
    }
  }
}

}  // namespace
}  // namespace postage
