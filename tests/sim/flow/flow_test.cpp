#include "sim/simulation.hpp"

#include <postage/estimate/estimate.hpp>
#include <postage/launch/random_platform.hpp>
#include <postage/launch/virtual_machine.hpp>

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numbers>

namespace postage {
namespace {

constexpr double kOnePercent = 0.01;

const ParameterGroup& flow_group(const Platform& platform, const std::string& channel) {
  static const ParameterGroup none;
  for (const ParameterTable& table : platform.models) {
    for (const ParameterGroup& group : table.groups) {
      if (table.model == "flow" && group.scope.channel == channel) {
        return group;
      }
    }
  }
  ADD_FAILURE() << "flow has no parameters for " << channel;
  return none;
}

double value(const ParameterGroup& group, const char* symbol) {
  const auto found = group.values.find(symbol);
  EXPECT_NE(found, group.values.end()) << symbol;
  return found == group.values.end() ? 0 : found->second.value;
}

const std::vector<std::string> kExperiments{
    "--sizes",     "1:1M:x4", "--overhead-sizes",  "1:1M:x4", "--train-sizes",   "1,16K", "--concurrent-sizes", "1M",
    "--fan-sizes", "1M",      "--butterfly-sizes", "1M",      "--control-sizes", "none"};

// Every pair has a link of its own there: messages of one pair share it, others do not hinder one another.
TEST(FlowEstimates, FindTheLinksOfAFlatCluster) {
  const SampleSet samples = simulate(flat_cluster(5, {2e-6, 0}, 10e-6, 1e9), 5, kExperiments);
  const Platform platform = estimate_platform(samples, "flat");
  const ParameterGroup& group = flow_group(platform, kInterNode);
  EXPECT_NEAR(value(group, "L") / 10.016e-6, 1, kOnePercent);
  EXPECT_NEAR(value(group, "G") * 1e9, 1, kOnePercent);
  EXPECT_NEAR(value(group, "B_pair") / 1e9, 1, kOnePercent);
  EXPECT_NEAR(group.curves.at("o_s").front().estimate.value / 2e-6, 1, kOnePercent);
  EXPECT_NEAR(group.curves.at("o_r").front().estimate.value / 2e-6, 1, kOnePercent);
  for (const char* symbol : {"B_send", "B_receive", "B_node", "S", "E"}) {
    EXPECT_EQ(group.values.count(symbol), 0U) << symbol;
  }
}

// Ranks of a node share its memory and its card; large messages wait for their receivers.
TEST(FlowEstimates, FindWhatANodeSharesAndTheProtocol) {
  const auto machines = virtual_machines();
  const auto machine =
      std::find_if(machines.begin(), machines.end(), [](const auto& m) { return m.name == "multi8x8"; });
  ASSERT_NE(machine, machines.end());
  const TemporaryFolder folder;
  const SampleSet samples =
      simulate(write_virtual_machine(*machine, 2, Placement::kBlock, folder.path()), 16, kExperiments);
  const Platform platform = estimate_platform(samples, machine->name);
  EXPECT_NEAR(value(flow_group(platform, kInterNode), "B_node") / machine->card_bandwidth, 1, kOnePercent);
  EXPECT_NEAR(value(flow_group(platform, kSharedCache), "B_node") / machine->memory_bandwidth, 1, kOnePercent);
  // Messages of 16 KiB are the largest measured that are eager; where exactly that ends is worth a look.
  EXPECT_EQ(value(flow_group(platform, kInterNode), "S"), 16384);
  const UnresolvedSizes sizes = unresolved_sizes(samples);
  ASSERT_FALSE(sizes.overheads.empty());
  EXPECT_GT(sizes.overheads.front(), 16384);
  EXPECT_LT(sizes.overheads.back(), 65536);
}

/// The group of the channel that costs messages of that size.
const ParameterGroup& flow_group_at(const Platform& platform, const std::string& channel, Bytes bytes) {
  const ParameterGroup* last = &flow_group(platform, channel);
  for (const ParameterTable& table : platform.models) {
    for (const ParameterGroup& group : table.groups) {
      if (table.model == "flow" && group.scope.channel == channel && group.from_bytes <= bytes) {
        last = &group;
      }
    }
  }
  return *last;
}

// SMPI's own model gives each range of sizes a share of a link's bandwidth, whether one message or many use it; a
// middle range gets less than those beside it.
TEST(FlowEstimates, FindWhatIsSharedAtEachSize) {
  const auto machines = virtual_machines();
  const auto machine = std::find_if(machines.begin(), machines.end(), [](const auto& m) { return m.name == "smpi16"; });
  ASSERT_NE(machine, machines.end());
  const TemporaryFolder folder;
  const SampleSet samples =
      simulate(write_virtual_machine(*machine, 4, Placement::kBlock, folder.path()), 4,
               {"--sizes", "3500,4000,4500,5000,5500,5800,6400,7000,7600,8200,9000,9400,10000,11000,12000,13000,14000",
                "--overhead-sizes", "4K,8K", "--train-sizes", "none", "--concurrent-sizes", "none", "--fan-sizes",
                "5K,8K", "--butterfly-sizes", "none", "--control-sizes", "none"});
  const Platform platform = estimate_platform(samples, machine->name);
  EXPECT_NEAR(value(flow_group_at(platform, kInterNode, 5000), "B_send") / (0.77493 * machine->card_bandwidth), 1,
              kOnePercent);
  EXPECT_NEAR(value(flow_group_at(platform, kInterNode, 8000), "B_send") / (1.08739 * machine->card_bandwidth), 1,
              kOnePercent);
  // No group tells of the last range, where it would be worth a look.
  const UnresolvedSizes sizes = unresolved_sizes(samples);
  ASSERT_FALSE(sizes.groups.empty());
  EXPECT_EQ(sizes.groups.back(), 14000);
  EXPECT_TRUE(std::none_of(sizes.groups.begin(), sizes.groups.end(),
                           [](Bytes bytes) { return bytes >= 5000 && bytes <= 9000; }));
}

/// Two and two hosts behind a slower link, with the simulator's own factors of latency and bandwidth.
RandomPlatform two_groups() {
  RandomPlatform platform{.seed = 1, .family = NetworkFamily::kDumbbell, .title = "two groups of two hosts"};
  HostNetwork& network = platform.network;
  network.hosts = 4;
  platform.hosts.assign(4, {1.5e-6, 2e-11});
  for (const int host : {0, 1, 2, 3}) {
    network.links.push_back({fmt::format("up{}", host), 2.3e9, 3e-6});
    network.links.push_back({fmt::format("down{}", host), 2.3e9, 3e-6});
  }
  network.links.push_back({"there", 2e9, 3e-6});
  network.links.push_back({"back", 2e9, 3e-6});
  network.routes.resize(16);
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      std::vector<int>& route = network.routes[static_cast<std::size_t>(4 * from + to)];
      if (from != to) {
        route = from / 2 == to / 2 ? std::vector{2 * from, 2 * to + 1}
                                   : std::vector{2 * from, from < to ? 8 : 9, 2 * to + 1};
      }
    }
  }
  platform.protocol.has_factors = true;
  return platform;
}

// Pairs of two kinds, of which one is measured at further sizes: each range of the factors is found where it begins,
// less the 16 bytes that SMPI adds to each message.
TEST(FlowEstimates, FindWhereTheSimulatorsFactorsChange) {
  const TemporaryFolder folder;
  const VirtualClusterFiles files = write_random_platform(two_groups(), folder.path());
  const std::vector<std::string> none{"--train-sizes",     "none", "--concurrent-sizes", "none", "--fan-sizes", "none",
                                      "--butterfly-sizes", "none", "--control-sizes",    "none"};
  const auto measured = [&](std::vector<std::string> words) {
    words.insert(words.end(), none.begin(), none.end());
    return simulate(files, 4, std::move(words));
  };
  SampleSet samples = measured({"--sizes", "1:1M:x2", "--overhead-sizes", "1:1M:x4", "--all-pairs"});
  for (int round = 0; round < 6; ++round) {
    const UnresolvedSizes sizes = unresolved_sizes(samples);
    if (sizes.roundtrips.empty()) {
      break;
    }
    samples = merge_samples({samples, measured({"--sizes", fmt::format("{}", fmt::join(sizes.roundtrips, ",")),
                                                "--overhead-sizes", "none", "--pairs", "0-1"})});
  }
  const Platform platform = estimate_platform(samples, "two groups");
  std::vector<Bytes> begin;
  for (const ParameterTable& table : platform.models) {
    for (const ParameterGroup& group : table.groups) {
      if (table.model == "flow" && group.scope == ParameterScope{.first = 0, .second = 1}) {
        begin.push_back(group.from_bytes);
      }
    }
  }
  constexpr double kResolved = 0.01;
  for (const Bytes factor : {1426, 3484, 5776, 9376, 15424, 65472}) {
    const double expected = static_cast<double>(factor - 16);
    EXPECT_TRUE(std::any_of(begin.begin(), begin.end(),
                            [&](Bytes from) { return std::abs(static_cast<double>(from) / expected - 1) < kResolved; }))
        << factor << " of " << fmt::format("{}", fmt::join(begin, " "));
  }
}

// Latencies and bandwidths that are multiplied by 1 + 0.1 e, e exponential: a standard deviation of a tenth, about a
// median of 1 + 0.1 ln 2.
TEST(FlowEstimates, FindHowMuchMessagesScatter) {
  setenv("POSTAGE_LIBEXEC", POSTAGE_PROGRAMS, 1);
  const auto machines = virtual_machines();
  const auto machine =
      std::find_if(machines.begin(), machines.end(), [](const auto& m) { return m.name == "noisy16"; });
  ASSERT_NE(machine, machines.end());
  const TemporaryFolder folder;
  const SampleSet samples = simulate(
      write_virtual_machine(*machine, 4, Placement::kBlock, folder.path()), 4,
      {"--sizes", "1:1M:x4", "--overhead-sizes", "1:1M:x4", "--train-sizes", "none", "--concurrent-sizes", "none",
       "--fan-sizes", "none", "--butterfly-sizes", "none", "--control-sizes", "none", "--least", "100"});
  const Platform platform = estimate_platform(samples, machine->name);
  const double median = 1 + machine->noise * std::numbers::ln2;
  const ParameterGroup& group = flow_group(platform, kInterNode);
  EXPECT_NEAR(value(group, "L") / (2 * machine->card_latency * median), 1, 0.03);
  EXPECT_NEAR(value(group, "G") * machine->card_bandwidth / median, 1, 0.03);
  // Latency and bytes scatter by themselves, and so by less together.
  EXPECT_NEAR(value(group, "v") / (machine->noise / median), 1, 0.3);
}

}  // namespace
}  // namespace postage
