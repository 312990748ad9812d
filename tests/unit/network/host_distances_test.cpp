#include "estimate/network/host_distances.hpp"

#include "unit/estimate/synthetic_campaign.hpp"

#include <gtest/gtest.h>

namespace postage {
namespace {

/// Hosts 0 to 3 below one switch, the others below another; odd ones have slow processors. All pairs are probed, few
/// are measured in full, and host 6, which is slow, has no overhead of its own.
class FewPairs {
 public:
  FewPairs() : samples_(without_measurements(kHosts)) {
    samples_.is_virtual = true;
    samples_.pair_probes.sizes = {1, 64 << 10};
    for (int b = 1; b < kHosts; ++b) {
      for (int a = 0; a < b; ++a) {
        samples_.pair_probes.pairs.push_back(
            {{a, b}, {Estimate::exactly(2 * one_way(a, b, 1)), Estimate::exactly(2 * one_way(a, b, 64 << 10))}});
      }
    }
    for (const auto& [a, b] : {std::pair(0, 1), {0, 2}, {1, 3}, {0, 4}, {0, 5}, {1, 4}, {1, 5}}) {
      measure(a, b);
    }
  }

  [[nodiscard]] const SampleSet& samples() const { return samples_; }

 private:
  static constexpr int kHosts = 8;
  static Seconds busy(int host) { return host % 2 == 0 ? 1e-6 : 3e-6; }
  static Seconds one_way(int a, int b, Bytes bytes) {
    return busy(a) + busy(b) + (a / 4 == b / 4 ? 2e-6 : 5e-6) + 1e-9 * static_cast<double>(bytes);
  }

  void add(const Experiment& experiment, Seconds time) {
    samples_.measurements.push_back(repeated(experiment, time, {.repetitions = 2}, samples_.measurements.size()));
  }

  void measure(int a, int b) {
    for (const Bytes bytes : {1, 1000, 100'000}) {
      add({.kind = ExperimentKind::kRoundtrip, .source = a, .target = b, .bytes = bytes, .reply_bytes = bytes},
          2 * one_way(a, b, bytes));
    }
    for (const ExperimentKind kind : {ExperimentKind::kSendOverhead, ExperimentKind::kDelayedReceive}) {
      add({.kind = kind, .source = a, .target = b, .bytes = 1}, busy(a));
    }
  }

  SampleSet samples_;
};

TEST(HostDistances, OfPairsThatWereNotMeasuredAreThoseOfTheirClass) {
  const FewPairs few;
  const CampaignData campaign(few.samples());
  const HostDistances distances(campaign);
  EXPECT_EQ(distances.count(), 2) << "processors are no distance";
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) {
      if (a != b) {
        EXPECT_EQ(distances.between(a, b), a / 4 == b / 4 ? 0 : 1)
            << a << " to " << b << ": " << distances.latency(a, b);
      }
    }
  }
}

TEST(HostDistances, OfLatenciesThatNoiseExplainsAreOne) {
  const HostDistances exact(3, {-1, 1, 1.2, 1, -1, 1.2, 1.2, 1.2, -1}, 0);
  EXPECT_EQ(exact.count(), 2);
  EXPECT_EQ(exact.between(0, 2), 1);
  const HostDistances noisy(3, {-1, 1, 1.2, 1, -1, 1.2, 1.2, 1.2, -1}, 0.1);
  EXPECT_EQ(noisy.count(), 1);
}

/// Half roundtrips of all pairs of four hosts, measured too rarely to have intervals, that scatter by a tenth from size
/// to size; between hosts 0, 1 and 2, 3 so many times as long.
SampleSet scattered_latencies(double further) {
  SampleSet samples = without_measurements(4);
  int state = 1;  // scatters without a generator's help
  for (int b = 1; b < 4; ++b) {
    for (int a = 0; a < b; ++a) {
      for (const Bytes bytes : {0, 1, 2, 4, 8, 16, 32, 64}) {
        state = state * 37 % 101;
        const Seconds one_way = 400e-6 * (a / 2 == b / 2 ? 1 : further) * (0.95 + 0.1 * state / 101);
        const Experiment roundtrip{
            .kind = ExperimentKind::kRoundtrip, .source = a, .target = b, .bytes = bytes, .reply_bytes = bytes};
        samples.measurements.push_back(
            repeated(roundtrip, 2 * one_way, {.repetitions = 1}, samples.measurements.size()));
      }
    }
  }
  return samples;
}

TEST(HostDistances, OfRealHostsAreJudgedByHowSmallMessagesScatter) {
  const auto distances = [](double further, bool is_virtual) {
    SampleSet samples = scattered_latencies(further);
    samples.is_virtual = is_virtual;
    const CampaignData campaign(samples);
    return HostDistances(campaign);
  };
  EXPECT_GT(distances(1, true).count(), 1) << "a simulation's times are what they are";
  EXPECT_EQ(distances(1, false).count(), 1);
  const HostDistances apart = distances(1.6, false);
  EXPECT_EQ(apart.count(), 2);
  EXPECT_EQ(apart.between(0, 1), 0);
  EXPECT_EQ(apart.between(1, 2), 1);
}

/// Of messages that go only when their receiver asks for them, a receive takes as long as the message: four hosts below
/// two switches. `one_way` of pairs below one switch and of others; whose receives were measured, `is_measured` says.
SampleSet receives_as_long_as_messages(Seconds near, Seconds far, bool (*is_measured)(int a, int b)) {
  SampleSet samples = without_measurements(4);
  samples.is_virtual = true;
  const auto add = [&](Experiment e, Seconds time) {
    e.bytes = 1;
    samples.measurements.push_back(repeated(e, time, {.repetitions = 2}, samples.measurements.size()));
  };
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      const Seconds one_way = a / 2 == b / 2 ? near : far;
      if (a < b) {
        add({.kind = ExperimentKind::kRoundtrip, .source = a, .target = b, .reply_bytes = 1}, 2 * one_way);
      }
      if (a != b && is_measured(a, b)) {
        add({.kind = ExperimentKind::kSendOverhead, .source = a, .target = b}, 0);
        add({.kind = ExperimentKind::kDelayedReceive, .source = a, .target = b}, one_way);
      }
    }
  }
  return samples;
}

void expect_two_switches(const SampleSet& samples) {
  const CampaignData campaign(samples);
  const HostDistances distances(campaign);
  EXPECT_EQ(distances.count(), 2);
  EXPECT_EQ(distances.between(0, 1), 0);
  EXPECT_EQ(distances.between(1, 2), 1);
}

TEST(HostDistances, AreNotTakenOffWhereReceivesTakeAsLongAsMessages) {
  expect_two_switches(receives_as_long_as_messages(1e-6, 4e-6, [](int, int) { return true; }));
}

TEST(HostDistances, AreNotTakenOffWhereReceivesWereMeasuredOverTheSecondSwitch) {
  expect_two_switches(receives_as_long_as_messages(2e-6, 4e-6, [](int a, int b) { return b == 3 - a; }));
}

}  // namespace
}  // namespace postage
