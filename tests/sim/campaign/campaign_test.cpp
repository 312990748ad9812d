// Campaigns on simulated clusters whose every cost is known.
#include "sim/simulation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace postage {
namespace {

constexpr double kEnvelope = 16;  // bytes that SMPI adds to each message on the wire
constexpr double kClose = 1e-4;

/// Options that measure nothing but what follows.
std::vector<std::string> only(std::vector<std::string> words) {
  for (const char* option : {"--train-sizes", "--overhead-sizes", "--sizes"}) {
    if (std::find(words.begin(), words.end(), option) == words.end()) {
      words.insert(words.begin(), {option, "none"});
    }
  }
  return words;
}

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A switch: each host has a link of its own in each direction, and nothing else is shared but what is asked for.
struct Switch {
  int hosts = 4;
  int ranks_per_host = 1;
  Seconds latency = 10e-6;  ///< of one link; a message passes two
  double bandwidth = 1e9;   ///< bytes per second
  Seconds overhead = 2e-6;  ///< of a send or a receive
  double backbone = 0;      ///< bytes per second that all messages share; 0 for no such limit

  [[nodiscard]] VirtualClusterFiles write(const std::filesystem::path& folder) const {
    VirtualClusterFiles files{folder / "switch.xml", folder / "switch.hosts", {}};
    std::string hostfile;
    for (int host = 0; host < hosts; ++host) {
      hostfile += fmt::format("n{}:{}\n", host, ranks_per_host);
    }
    const std::string own_link =
        ranks_per_host == 1 ? "" : fmt::format(" loopback_bw=\"{}Bps\" loopback_lat=\"{}s\"", bandwidth, latency);
    const std::string shared = backbone > 0 ? fmt::format(" bb_bw=\"{}Bps\" bb_lat=\"0s\"", backbone) : "";
    write_file(files.platform,
               fmt::format("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                           "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\"><zone id=\"world\" "
                           "routing=\"Full\">\n<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" "
                           "speed=\"1Gf\" core=\"{}\" bw=\"{}Bps\" lat=\"{}s\" "
                           "sharing_policy=\"SPLITDUPLEX\"{}{}/></zone></platform>\n",
                           hosts - 1, ranks_per_host, bandwidth, latency, own_link, shared));
    write_file(files.hostfile, hostfile);
    for (const char* kind : {"os", "ois", "or"}) {
      files.smpi_arguments.push_back(fmt::format("--cfg=smpi/{}:0:{}:0", kind, overhead));
    }
    files.smpi_arguments.insert(files.smpi_arguments.end(), {"--cfg=smpi/send-is-detached-thresh:2147483647",
                                                             "--cfg=smpi/async-small-thresh:2147483647"});
    return files;
  }

  [[nodiscard]] SampleSet measure(const std::vector<std::string>& experiments) const {
    const TemporaryFolder folder;
    return simulate(write(folder.path()), hosts * ranks_per_host, experiments);
  }
};

/// Medians by experiment; delays are chosen from times, which differ by rounding.
std::map<Experiment, double> medians(const SampleSet& samples) {
  std::map<Experiment, double> times;
  for (const Measurement& m : samples.measurements) {
    Experiment e = m.experiment;
    e.delay = e.delay > 0 ? 1 : 0;
    times[e] = m.summary.median;
  }
  return times;
}

const std::vector<std::string> kOfSeveralRanks{
    "--reply-sizes",   "0,32K", "--one-to-two-sizes", "0,32K", "--overhead-sizes",   "1",  "--train-sizes",     "1K",
    "--delayed-sizes", "1K",    "--strided-sizes",    "1K",    "--concurrent-sizes", "1K", "--butterfly-sizes", "1K"};

TEST(OnASwitch, ParallelAndSerialCampaignsGiveTheSame) {
  for (const Switch& hosts : {Switch{.hosts = 7}, Switch{.hosts = 4, .ranks_per_host = 2}}) {
    const SampleSet parallel = hosts.measure(with({"--sizes", "8,64K", "--all-pairs"}, kOfSeveralRanks));
    const SampleSet serial = hosts.measure(with({"--sizes", "8,64K", "--serial", "--all-pairs"}, kOfSeveralRanks));
    EXPECT_LT(parallel.concurrent_sets, serial.concurrent_sets);
    EXPECT_LT(parallel.duration, 0.6 * serial.duration);
    const std::map<Experiment, double> expected = medians(serial);
    const std::map<Experiment, double> found = medians(parallel);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [experiment, time] : expected) {
      ASSERT_TRUE(found.contains(experiment)) << describe(experiment);
      // Groups start at moments to the nanosecond.
      EXPECT_NEAR(found.at(experiment) / time, 1, kClose) << describe(experiment) << " of " << experiment.bytes;
    }
  }
}

// What ranks tell that have finished is on the way behind the backbone, too.
TEST(OnASwitch, ProbesThatShareALinkAreNotDisturbed) {
  const Switch hosts{.hosts = 40, .backbone = 1e6};
  const SampleSet samples = hosts.measure(only({"--sizes", "8", "--serial", "--budget", "1000"}));
  ASSERT_GE(samples.pair_probes.pairs.size(), 40U);
  const Seconds expected = samples.pair_probes.pairs.front().times.front().value;
  for (const PairProbe& probe : samples.pair_probes.pairs) {
    EXPECT_NEAR(probe.times.front().value / expected, 1, kClose) << probe.ranks.first << " and " << probe.ranks.second;
  }
}

// The law of docs/measuring.md, and that the time follows it.
TEST(OnASwitch, CampaignsGrowLinearlyWithTheHosts) {
  std::map<int, SampleSet> campaigns;
  for (const int hosts : {16, 64}) {
    campaigns[hosts] = Switch{.hosts = hosts}.measure(
        only({"--reply-sizes", "0,4K", "--one-to-two-sizes", "0,4K", "--triplets", "4", "--all-pairs"}));
    const int rounds_of_triplets = (2 * hosts + 3 * (hosts / 3) - 1) / (3 * (hosts / 3));
    EXPECT_EQ(campaigns[hosts].concurrent_sets, static_cast<std::size_t>(hosts - 1 + 6 * rounds_of_triplets));
    std::map<int, int> sources;
    for (const Measurement& m : campaigns[hosts].measurements) {
      sources[m.experiment.source] += m.experiment.kind == ExperimentKind::kOneToTwo && m.experiment.bytes == 0 ? 1 : 0;
    }
    ASSERT_EQ(sources.size(), static_cast<std::size_t>(hosts));
    for (const auto& [source, count] : sources) {
      EXPECT_GE(count, 4) << "experiments that " << source << " is the source of";
    }
  }
  const double growth = campaigns[64].duration / campaigns[16].duration;
  EXPECT_LT(growth, 4) << "linear but for what does not grow";
  EXPECT_GT(growth, 0.4 * 4);
}

TEST(OneToTwo, TakesWhatTheMixedClusterSays) {
  const VirtualCluster cluster = mixed_cluster();
  const SampleSet samples = simulate(cluster, 6, only({"--one-to-two-sizes", "0,32K", "--all-pairs"}));
  int checked = 0;
  for (const Measurement& m : samples.measurements) {
    const auto i = static_cast<std::size_t>(m.experiment.source);
    const auto j = static_cast<std::size_t>(m.experiment.target);
    const Bytes bytes = m.experiment.bytes;
    if (m.experiment.kind == ExperimentKind::kRoundtrip) {
      EXPECT_NEAR(m.summary.median / (cluster.one_way(i, j, bytes) + cluster.one_way(j, i, 0)), 1, kClose);
      continue;
    }
    const auto k = static_cast<std::size_t>(m.experiment.second_target);
    const double send = cluster.hosts[i].overhead + cluster.hosts[i].per_byte * static_cast<double>(bytes);
    const double receive = cluster.hosts[i].overhead;
    // Each reply's arrival at the source, before it has been received there.
    const double first = cluster.one_way(i, j, bytes) + cluster.one_way(j, i, 0) - receive;
    const double second = send + cluster.one_way(i, k, bytes) + cluster.one_way(k, i, 0) - receive;
    const double expected = std::max(std::max(2 * send, first) + receive, second) + receive;
    EXPECT_NEAR(m.summary.median / expected, 1, kClose) << i << " to " << j << ", " << k << " of " << bytes;
    ++checked;
  }
  EXPECT_EQ(checked, 120) << "each of 10 triplets in six orders, two sizes";
}

TEST(Trains, AreParametrisedRoundtrips) {
  // The simulator's messages share a link in equal parts and end together, so that receiving them all comes after the
  // last has arrived: overheads are small here.
  const Switch hosts{.hosts = 2, .overhead = 5e-8};
  const double bytes = 4096;
  const SampleSet samples = hosts.measure(only({"--train-sizes", "4K", "--delayed-sizes", "4K"}));
  const double wire = 2 * hosts.latency + (bytes + kEnvelope) / hosts.bandwidth;
  const double reply = 2 * hosts.latency + kEnvelope / hosts.bandwidth;
  const double single = 4 * hosts.overhead + wire + reply;
  std::set<int> checked;
  for (const Measurement& m : samples.measurements) {
    const int n = m.experiment.messages;
    checked.insert(n);
    if (n == 1) {
      EXPECT_NEAR(m.summary.median / single, 1, kClose);
    } else if (m.experiment.delay > 0) {
      EXPECT_NEAR(m.summary.median, single + (n - 1) * (hosts.overhead + m.experiment.delay), kClose * single);
    } else {
      // All messages share the link, which is much slower than the sender.
      const double sending = n * (bytes + kEnvelope) / hosts.bandwidth;
      EXPECT_NEAR(m.summary.median / (single - wire + 2 * hosts.latency + sending), 1, 0.02) << n;
    }
  }
  EXPECT_EQ(checked, (std::set<int>{1, 8, 32}));
}

TEST(Strided, CostsWhatPackingIsCharged) {
  const Switch hosts{.hosts = 2};
  const SampleSet samples = hosts.measure({"--sizes", "4K", "--train-sizes", "none", "--overhead-sizes", "none",
                                           "--strided-sizes", "4K", "--strides", "4,64", "--run", "4"});
  double contiguous = 0;
  for (const Measurement& m : samples.measurements) {
    contiguous = m.experiment.kind == ExperimentKind::kRoundtrip ? m.summary.median : contiguous;
  }
  ASSERT_EQ(samples.measurements.size(), 5U);
  for (const Measurement& m : samples.measurements) {
    if (m.experiment.kind == ExperimentKind::kStridedRoundtrip) {
      // At 1 Gf, an operation for each of 1,024 runs and each of 512 numbers, packed and unpacked both ways.
      const double packing = m.experiment.stride == 4 ? 0 : 4 * (1024 + 512) * 1e-9;
      EXPECT_NEAR(m.summary.median, contiguous + packing, kClose * contiguous) << m.experiment.by_hand;
    }
  }
}

TEST(Reduction, TakesAnOperationForEachNumber) {
  const SampleSet samples = Switch{.hosts = 3, .ranks_per_host = 2}.measure(only({"--reduction-sizes", "64K"}));
  ASSERT_EQ(samples.measurements.size(), 3U) << "one rank of each host";
  for (const Measurement& m : samples.measurements) {
    EXPECT_NEAR(m.summary.median / (8192 * 1e-9), 1, kClose);
  }
}

/// Hosts whose ranks share one memory link, and one network interface in each direction.
VirtualClusterFiles write_shared(const std::filesystem::path& folder, int hosts, int ranks) {
  std::string xml =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><zone id=\"w\" routing=\"Cluster\">\n";
  std::string links;
  std::string routes;
  std::string hostfile;
  for (int i = 0; i < hosts; ++i) {
    xml += fmt::format("<host id=\"n{}\" speed=\"1Gf\" core=\"{}\"/>\n", i, ranks);
    links += fmt::format(
        "<link id=\"up{0}\" bandwidth=\"1GBps\" latency=\"0s\"/><link id=\"dn{0}\" bandwidth=\"1GBps\" "
        "latency=\"0s\"/><link id=\"mem{0}\" bandwidth=\"2GBps\" latency=\"0s\" sharing_policy=\"SHARED\"/>\n",
        i);
    routes += fmt::format("<host_link id=\"n{0}\" up=\"up{0}\" down=\"dn{0}\"/>\n", i);
    hostfile += fmt::format("n{}:{}\n", i, ranks);
  }
  for (int i = 0; i < hosts; ++i) {
    routes += fmt::format("<route src=\"n{0}\" dst=\"n{0}\"><link_ctn id=\"mem{0}\"/></route>\n", i);
  }
  const VirtualClusterFiles files{
      folder / "shared.xml",
      folder / "shared.hosts",
      {"--cfg=smpi/os:0:5e-6:0", "--cfg=smpi/ois:0:5e-6:0", "--cfg=smpi/or:0:5e-6:0",
       "--cfg=smpi/send-is-detached-thresh:2147483647", "--cfg=smpi/async-small-thresh:2147483647"}};
  write_file(files.platform, xml + links + routes + "</zone></platform>\n");
  write_file(files.hostfile, hostfile);
  return files;
}

// tau transfers share the memory or the network interface: each gets a tau-th of it.
TEST(Concurrent, TransfersShareTheirChannel) {
  const TemporaryFolder folder;
  const double bytes = 1 << 20;
  const SampleSet samples = simulate(write_shared(folder.path(), 2, 4), 8, only({"--concurrent-sizes", "1M"}));
  std::map<std::string, std::set<double>> seen;
  for (const Measurement& m : samples.measurements) {
    const bool is_ring = m.experiment.kind == ExperimentKind::kRing;
    const double tau = static_cast<double>(m.experiment.members.size()) / (is_ring ? 1 : 2);
    const bool is_memory = m.experiment.channel == kSharedCache;
    // Neighbours of a ring over the network are on both hosts, so that its messages go half one way, half the other.
    const double sharing = is_memory || !is_ring ? tau : tau / 2;
    const double transfer = sharing * (bytes + kEnvelope) / (is_memory ? 2e9 : 1e9);
    EXPECT_NEAR(m.summary.median / ((is_ring ? 1 : 2) * (10e-6 + transfer)), 1, 0.01)
        << describe(m.experiment) << ": " << format_seconds(m.summary.median);
    seen[std::string(name_of(m.experiment.kind)) + " " + m.experiment.channel].insert(tau);
  }
  EXPECT_EQ(seen["concurrent-pairs shared-cache"], (std::set<double>{2}));
  EXPECT_EQ(seen["ring shared-cache"], (std::set<double>{2, 3, 4}));
  EXPECT_EQ(seen["concurrent-pairs inter-node"], (std::set<double>{2, 3, 4}));
  EXPECT_EQ(seen["ring inter-node"], (std::set<double>{2, 4, 6, 8}));
}

TEST(Timing, TheThreeMethodsAgreeWithWhatTheySay) {
  const Switch hosts{.hosts = 5};
  std::map<std::string, double> times;
  for (const char* timing : {"root", "maximum", "clocks"}) {
    const SampleSet samples = hosts.measure(only({"--collective", "bcast:linear:8", "--timing", timing}));
    times[samples.measurements.at(0).experiment.method] = samples.measurements.at(0).summary.median;
  }
  ASSERT_EQ(times.size(), 3U);
  // The root has done its sends long before the last rank has its message.
  EXPECT_LT(times["root"], 0.4 * times["global-clock"]);
  EXPECT_NEAR(times["global-clock"] / (5 * hosts.overhead + 2 * hosts.latency), 1, 0.01);
  EXPECT_GT(times["maximum"], times["root"]);
}

}  // namespace
}  // namespace postage
