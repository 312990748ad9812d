#include "launch/lab_network.hpp"
#include "launch/lab_state.hpp"
#include "launch/lab_switch.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/lab.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace postage {
namespace {

constexpr double kRate = 12.5e6;

LabPlan plan_of(std::vector<LabHost> hosts, Bytes queue = 1 << 20) {
  return {.name = "lab", .hosts = std::move(hosts), .mtu = 1500, .queue = queue};
}

/// A frame that no other meets on its receiver's cable.
Seconds arrival(SwitchClock& clock, std::size_t from, std::size_t to, Bytes bytes, Seconds now) {
  return clock.receive(clock.send(from, to, bytes, now)).value();
}

TEST(SwitchClock, AFrameAloneTakesBothLatenciesAndTheSlowerCable) {
  SwitchClock clock(plan_of({{kRate, 1e-5}, {kRate / 4, 2e-5}, {0, 0}}));
  EXPECT_DOUBLE_EQ(arrival(clock, 0, 1, 1000, 5), 5 + 3e-5 + 1000 / (kRate / 4));
  EXPECT_DOUBLE_EQ(arrival(clock, 1, 0, 1000, 6), 6 + 3e-5 + 1000 / (kRate / 4));
  EXPECT_DOUBLE_EQ(arrival(clock, 0, 2, 1000, 7), 7 + 1e-5 + 1000 / kRate);
}

TEST(SwitchClock, FramesOfOneSenderLeaveAtTheSlowerRate) {
  for (const double receiver : {kRate, 4 * kRate, kRate / 4}) {
    SwitchClock clock(plan_of({{kRate, 1e-5}, {receiver, 1e-5}}, 1 << 30));
    Seconds last = 0;
    for (int i = 0; i < 1000; ++i) {
      last = arrival(clock, 0, 1, 1500, 0);
    }
    const double slower = std::min(kRate, receiver);
    EXPECT_NEAR(last, 2e-5 + 1000 * 1500 / slower, 1500 / slower);
  }
}

TEST(SwitchClock, SendersShareTheirReceiversCable) {
  SwitchClock clock(plan_of({{kRate, 0}, {kRate, 0}, {kRate, 0}}, 1 << 30));
  const Passage first = clock.send(0, 2, 1500, 0);
  const Passage second = clock.send(1, 2, 1500, 0);
  EXPECT_DOUBLE_EQ(clock.receive(first).value(), 1500 / kRate);
  EXPECT_DOUBLE_EQ(clock.receive(second).value(), 3000 / kRate);
}

TEST(SwitchClock, DirectionsDoNotShareACable) {
  SwitchClock clock(plan_of({{kRate, 0}, {kRate, 0}}));
  EXPECT_DOUBLE_EQ(arrival(clock, 0, 1, 1500, 0), 1500 / kRate);
  EXPECT_DOUBLE_EQ(arrival(clock, 1, 0, 1500, 0), 1500 / kRate);
}

TEST(SwitchClock, AFullPortDropsFramesAndRecovers) {
  SwitchClock clock(plan_of({{0, 0}, {kRate, 0}}, 15000));
  int arrived = 0;
  for (int i = 0; i < 100; ++i) {
    arrived += clock.receive(clock.send(0, 1, 1500, 0)) ? 1 : 0;
  }
  EXPECT_EQ(arrived, 11);  // ten wait while one is on the cable
  EXPECT_TRUE(clock.receive(clock.send(0, 1, 1500, 1)));
}

TEST(SwitchClock, NothingReachesACableSoonerThanTheLookahead) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> latency(0, 1e-4);
  for (int trial = 0; trial < 50; ++trial) {
    LabPlan plan = plan_of({});
    for (int i = 0; i < 5; ++i) {
      plan.hosts.push_back({kRate, latency(generator)});
    }
    SwitchClock clock(plan);
    Seconds soonest = 1;
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 5; ++j) {
        soonest = i == j ? soonest : std::min(soonest, SwitchClock(plan).send(i, j, 64, 0).reaches);
      }
    }
    EXPECT_DOUBLE_EQ(clock.lookahead(), soonest);
  }
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
}

TEST(LabNetwork, NamesBelongToOneLab) {
  EXPECT_TRUE(host_namespace("a", 3).starts_with(namespace_prefix("a")));
  EXPECT_FALSE(host_namespace("a1", 3).starts_with(namespace_prefix("a")));
  EXPECT_EQ(host_number(plan_of({{}, {}, {}}), "h2"), 2U);
  EXPECT_THROW(static_cast<void>(host_number(plan_of({{}, {}}), "h2")), UsageError);
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

}  // namespace
}  // namespace postage
