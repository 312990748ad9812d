#include "launch/lab/switch_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <queue>
#include <random>

namespace postage {
namespace {

constexpr double kCableRate = 12.5e6;

LabPlan plan_with(std::vector<LabCable> hosts, Bytes queue = 1 << 20, std::vector<LabCable> uplinks = {}) {
  return {.name = "lab", .hosts = std::move(hosts), .uplinks = std::move(uplinks), .mtu = 1500, .queue = queue};
}

/// Of a frame that no other meets after its first cable; nothing where it is dropped.
std::optional<Seconds> finish(SwitchClock& clock, Passage passage) {
  while (true) {
    switch (clock.pass_on(passage)) {
      case SwitchClock::Step::kArrives:
        return passage.complete;
      case SwitchClock::Step::kDropped:
        return {};
      case SwitchClock::Step::kOnTheWay:
        break;
    }
  }
}

Seconds arrival(SwitchClock& clock, std::size_t from, std::size_t to, Bytes bytes, Seconds now) {
  return finish(clock, clock.send(from, to, bytes, now)).value();
}

/// Frames of 1500 bytes that are all sent at once from each of the first hosts to the one `distance` after it: when the
/// last one arrives, as the switch's process would have it.
Seconds last_arrival(SwitchClock& clock, std::size_t senders, std::size_t distance, int frames) {
  const auto later = [](const Passage& a, const Passage& b) { return a.reaches > b.reaches; };
  std::priority_queue<Passage, std::vector<Passage>, decltype(later)> crossing(later);
  for (int i = 0; i < frames; ++i) {
    for (std::size_t host = 0; host < senders; ++host) {
      crossing.push(clock.send(host, host + distance, 1500, 0));
    }
  }
  Seconds last = 0;
  while (!crossing.empty()) {
    Passage passage = crossing.top();
    crossing.pop();
    const SwitchClock::Step step = clock.pass_on(passage);
    EXPECT_NE(step, SwitchClock::Step::kDropped);
    if (step == SwitchClock::Step::kOnTheWay) {
      crossing.push(passage);
    }
    last = std::max(last, passage.complete);
  }
  return last;
}

TEST(SwitchClock, AFrameAloneTakesBothLatenciesAndTheSlowerCable) {
  SwitchClock clock(plan_with({{kCableRate, 1e-5}, {kCableRate / 4, 2e-5}, {0, 0}}));
  EXPECT_DOUBLE_EQ(arrival(clock, 0, 1, 1000, 5), 5 + 3e-5 + 1000 / (kCableRate / 4));
  EXPECT_DOUBLE_EQ(arrival(clock, 1, 0, 1000, 6), 6 + 3e-5 + 1000 / (kCableRate / 4));
  EXPECT_DOUBLE_EQ(arrival(clock, 0, 2, 1000, 7), 7 + 1e-5 + 1000 / kCableRate);
}

TEST(SwitchClock, BetweenSwitchesAFrameTakesFourCables) {
  SwitchClock clock(plan_with({{kCableRate, 1e-5}, {kCableRate, 2e-5}, {kCableRate, 4e-5}, {kCableRate, 8e-5}}, 1 << 20,
                              {{kCableRate / 2, 1e-4}, {kCableRate / 4, 2e-4}}));
  EXPECT_DOUBLE_EQ(arrival(clock, 0, 1, 1000, 5), 5 + 3e-5 + 1000 / kCableRate);
  EXPECT_DOUBLE_EQ(arrival(clock, 0, 2, 1000, 6), 6 + 35e-5 + 1000 / (kCableRate / 4));
  EXPECT_DOUBLE_EQ(arrival(clock, 3, 1, 1000, 7), 7 + 4e-4 + 1000 / (kCableRate / 4));
}

TEST(SwitchClock, FramesOfOneSenderLeaveAtTheSlowerRate) {
  for (const double receiver : {kCableRate, 4 * kCableRate, kCableRate / 4}) {
    SwitchClock clock(plan_with({{kCableRate, 1e-5}, {receiver, 1e-5}}, 1 << 30));
    const double slower = std::min(kCableRate, receiver);
    EXPECT_NEAR(last_arrival(clock, 1, 1, 1000), 2e-5 + 1000 * 1500 / slower, 1500 / slower);
  }
}

TEST(SwitchClock, SendersShareTheirReceiversCable) {
  SwitchClock clock(plan_with({{kCableRate, 0}, {kCableRate, 0}, {kCableRate, 0}}, 1 << 30));
  const Passage first = clock.send(0, 2, 1500, 0);
  const Passage second = clock.send(1, 2, 1500, 0);
  EXPECT_DOUBLE_EQ(finish(clock, first).value(), 1500 / kCableRate);
  EXPECT_DOUBLE_EQ(finish(clock, second).value(), 3000 / kCableRate);
}

TEST(SwitchClock, HostsShareTheirSwitchsCable) {
  constexpr int kFrames = 200;
  for (const std::size_t senders : {1, 2, 3}) {
    for (const double uplink : {kCableRate / 2, kCableRate, 10 * kCableRate}) {
      SwitchClock clock(plan_with(std::vector<LabCable>(6, {kCableRate, 0}), 1 << 30, {{uplink, 0}, {uplink, 0}}));
      const double rate = std::min(kCableRate, uplink / static_cast<double>(senders));
      EXPECT_NEAR(last_arrival(clock, senders, 3, kFrames), kFrames * 1500 / rate, 4 * 1500 / rate)
          << senders << " senders, " << uplink;
    }
  }
}

TEST(SwitchClock, DirectionsDoNotShareACable) {
  SwitchClock clock(plan_with({{kCableRate, 0}, {kCableRate, 0}}));
  EXPECT_DOUBLE_EQ(arrival(clock, 0, 1, 1500, 0), 1500 / kCableRate);
  EXPECT_DOUBLE_EQ(arrival(clock, 1, 0, 1500, 0), 1500 / kCableRate);
  SwitchClock two(plan_with({{kCableRate, 0}, {kCableRate, 0}}, 1 << 20, {{kCableRate, 0}, {kCableRate, 0}}));
  EXPECT_DOUBLE_EQ(arrival(two, 0, 1, 1500, 0), 1500 / kCableRate);
  EXPECT_DOUBLE_EQ(arrival(two, 1, 0, 1500, 0), 1500 / kCableRate);
}

TEST(SwitchClock, AFullPortDropsFramesAndRecovers) {
  const std::vector<LabPlan> plans{plan_with({{0, 0}, {kCableRate, 0}}, 15000),
                                   plan_with({{0, 0}, {0, 0}}, 15000, {{kCableRate, 0}, {0, 0}})};
  for (const LabPlan& plan : plans) {
    SwitchClock clock(plan);
    int arrived = 0;
    for (int i = 0; i < 100; ++i) {
      arrived += finish(clock, clock.send(0, 1, 1500, 0)) ? 1 : 0;
    }
    EXPECT_EQ(arrived, 11);  // ten wait while one is on the cable
    EXPECT_TRUE(finish(clock, clock.send(0, 1, 1500, 1)));
  }
}

TEST(SwitchClock, NothingReachesACableSoonerThanTheLookahead) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> latency(0, 1e-4);
  for (const std::size_t switches : {1, 2, 3}) {
    for (int trial = 0; trial < 20; ++trial) {
      LabPlan plan = plan_with({});
      for (int i = 0; i < 5; ++i) {
        plan.hosts.push_back({kCableRate, latency(generator)});
      }
      for (std::size_t i = 0; i < switches && switches > 1; ++i) {
        plan.uplinks.push_back({kCableRate, latency(generator)});
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
}

}  // namespace
}  // namespace postage
