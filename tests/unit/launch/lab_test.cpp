#include "launch/lab/network.hpp"
#include "launch/lab/state.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/lab.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace postage {
namespace {

constexpr double kRate = 12.5e6;

LabPlan plan_of(std::vector<LabCable> hosts, Bytes queue = 1 << 20) {
  return {.name = "lab", .hosts = std::move(hosts), .mtu = 1500, .queue = queue};
}

TEST(BitRates, AreReadAsNetworksAreSold) {
  EXPECT_EQ(parse_bit_rate("100M"), 12.5e6);
  EXPECT_EQ(parse_bit_rate("2.5Gbit"), 312.5e6);
  EXPECT_EQ(parse_bit_rate("10Mbit/s"), 1.25e6);
  EXPECT_EQ(parse_bit_rate("8000"), 1000);
  for (const char* wrong : {"", "fast", "0", "-1M", "1MB", "1M 2M", "inf", "nan", "1T"}) {
    EXPECT_THROW(static_cast<void>(parse_bit_rate(wrong)), UsageError) << wrong;
  }
}

TEST(BitRates, GoThereAndBack) {
  EXPECT_EQ(format_bit_rate(12.5e6), "100Mbit");
  EXPECT_EQ(format_bit_rate(0), "unlimited");
  for (const char* rate : {"64kbit", "1.5Mbit", "2.5Gbit", "40Gbit", "8bit"}) {
    EXPECT_EQ(format_bit_rate(parse_bit_rate(rate)), rate);
  }
}

TEST(LabPlan, IsRefusedWhereItIsInvalid) {
  const LabPlan good = plan_of({{kRate, 0}, {kRate, 1e-3}});
  EXPECT_NO_THROW(check_lab_plan(good));
  const auto refuse = [&](const auto& spoil) {
    LabPlan plan = good;
    spoil(plan);
    EXPECT_THROW(check_lab_plan(plan), UsageError);
  };
  refuse([](LabPlan& p) { p.name = "a-b"; });
  refuse([](LabPlan& p) { p.name = "../x"; });
  refuse([](LabPlan& p) { p.name = ""; });
  refuse([](LabPlan& p) { p.hosts.pop_back(); });
  refuse([](LabPlan& p) { p.hosts.resize(kMostLabHosts + 1); });
  refuse([](LabPlan& p) { p.hosts[0].rate = 10; });
  refuse([](LabPlan& p) { p.hosts[0].latency = -1; });
  refuse([](LabPlan& p) { p.mtu = 100; });
  refuse([](LabPlan& p) { p.queue = 100; });
  refuse([](LabPlan& p) { p.joined_by = LabSwitch::kBridge; });  // which knows no latency
  refuse([](LabPlan& p) { p.uplinks = {{kRate, 0}}; });
  refuse([](LabPlan& p) { p.uplinks.resize(3); });
  refuse([](LabPlan& p) { p.uplinks = {{kRate, 0}, {10, 0}}; });
}

TEST(LabNetwork, NamesBelongToOneLab) {
  EXPECT_TRUE(host_namespace("a", 3).starts_with(namespace_prefix("a")));
  EXPECT_FALSE(host_namespace("a1", 3).starts_with(namespace_prefix("a")));
  EXPECT_EQ(host_number(plan_of({{}, {}, {}}), "h2"), 2U);
  EXPECT_THROW(static_cast<void>(host_number(plan_of({{}, {}}), "h2")), UsageError);
}

TEST(LabPlan, SpreadsHostsOverSwitchesInOrder) {
  const LabPlan plan = plan_lab({.hosts = 5, .rates = {"100M"}, .switches = 2, .uplinks = {"10M", "20M"}});
  EXPECT_EQ(plan.uplinks, (std::vector<LabCable>{{1.25e6, 0}, {2.5e6, 0}}));
  std::vector<std::size_t> switches;
  for (std::size_t host = 0; host < 5; ++host) {
    switches.push_back(plan.switch_of(host));
  }
  EXPECT_EQ(switches, (std::vector<std::size_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(lab_topology_conf(plan),
            "SwitchName=s0 Nodes=h0,h1,h2\nSwitchName=s1 Nodes=h3,h4\nSwitchName=core Switches=s[0-1]\n");
  EXPECT_EQ(lab_topology_conf(plan_lab({.hosts = 2})), "SwitchName=s0 Nodes=h0,h1\n");
}

TEST(LabPlan, RequestsAreRefusedByTheirOption) {
  EXPECT_THROW(static_cast<void>(plan_lab({.hosts = 2, .uplinks = {"10M"}})), UsageError);
  EXPECT_THROW(static_cast<void>(plan_lab({.hosts = 2, .switches = 3})), UsageError);
  EXPECT_THROW(static_cast<void>(plan_lab({.hosts = 4, .switches = 2, .uplinks = {"1M", "1M", "1M"}})), UsageError);
  EXPECT_THROW(static_cast<void>(plan_lab({.hosts = 4, .switches = 2, .uplink_latencies = {"soon"}})), UsageError);
}

TEST(LabNetwork, EveryHostKnowsAllOthers) {
  const LabPlan plan = plan_of({{kRate, 0}, {kRate, 0}, {0, 0}});
  EXPECT_EQ(hosts_file(plan), "127.0.0.1 localhost\n10.77.0.1 h0\n10.77.0.2 h1\n10.77.0.3 h2\n");
  const std::string batch = host_batch(plan, 1);
  EXPECT_NE(batch.find("neigh add 10.77.0.1 lladdr 02:00:00:00:00:00 "), std::string::npos);
  EXPECT_EQ(batch.find("neigh add 10.77.0.2"), std::string::npos);
  EXPECT_NE(batch.find("neigh add 10.77.0.3 lladdr 02:00:00:00:00:02 "), std::string::npos);
}

TEST(LabNetwork, BucketsHoldAtLeastTwoFramesAndUnlimitedHostsHaveNone) {
  const LabPlan plan = plan_of({{kRate, 0}, {1.25e6, 0}, {0, 0}});
  EXPECT_EQ(host_shaping(plan, 2), "");
  EXPECT_NE(host_shaping(plan, 0).find("rate 100000000bit burst 7500 "), std::string::npos) << host_shaping(plan, 0);
  EXPECT_NE(host_shaping(plan, 1).find("rate 10000000bit burst 3028 "), std::string::npos) << host_shaping(plan, 1);
  const std::string bridge = bridge_shaping(plan);
  EXPECT_EQ(std::ranges::count(bridge, '\n'), 2);
}

TEST(LabNetwork, BridgesOfSeveralSwitchesMeetInACore) {
  LabPlan plan = plan_of({{kRate, 0}, {kRate, 0}, {kRate, 0}, {kRate, 0}});
  plan.uplinks = {{kRate, 0}, {0, 0}};
  const std::string batch = bridge_batch(plan);
  for (const char* line :
       {"link add name core type bridge", "link set dev u1 addrgenmode none master s1",
        "link set dev d0 addrgenmode none master core", "link set dev p2 addrgenmode none master s1"}) {
    EXPECT_NE(batch.find(line), std::string::npos) << line << '\n' << batch;
  }
  EXPECT_EQ(std::ranges::count(bridge_shaping(plan), '\n'), 6);  // both ends of one cable of two
}

}  // namespace
}  // namespace postage
