// Two ranks of one node: nothing is shared there but between the two directions of an exchange, whatever else costs
// time between messages.
#include "unit/estimate/synthetic.hpp"

#include <postage/estimate/estimate.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

constexpr Seconds kStart = 2e-7;

/// Messages follow one another more slowly than overheads and bytes explain: g is far above both.
SyntheticMachine two_ranks() {
  return {.model = "loggp", .parameters = "L=0.2us,o=0.1us,g=0.6us,G=0.1ns", .nodes = 1, .ranks_per_node = 2};
}

SyntheticPlan plan() {
  return {.roundtrips = powers_of_two(), .overheads = {1, 16, 256, 4096}, .fans = {1, 64, 4096, 1 << 20}};
}

/// Groups need some time to begin together; an exchange of large messages takes `slowdown` times one direction's.
SampleSet measured(double slowdown) {
  SampleSet samples = measure(two_ranks(), plan());
  for (Measurement& m : samples.measurements) {
    const bool is_exchange = m.experiment.kind == ExperimentKind::kButterfly;
    if (is_exchange || !m.experiment.members.empty()) {
      m.summary.median = m.summary.median * (is_exchange ? slowdown : 1) + kStart;
    }
  }
  return samples;
}

const ParameterTable& flow_of(const Platform& platform) {
  const auto found = std::find_if(platform.models.begin(), platform.models.end(),
                                  [](const ParameterTable& table) { return table.model == "flow"; });
  EXPECT_NE(found, platform.models.end());
  return *found;
}

TEST(FlowOfTwoRanks, TakesNoGapBetweenMessagesForABandwidth) {
  const Platform platform = estimate_platform(measured(1), "two");
  for (const ParameterGroup& group : flow_of(platform).groups) {
    for (const char* symbol : {"B_pair", "B_send", "B_receive", "B_node", "S"}) {
      EXPECT_EQ(group.values.count(symbol), 0U) << symbol;
    }
  }
}

TEST(FlowOfTwoRanks, KnowsWhatBeginningTogetherTakes) {
  const Platform platform = estimate_platform(measured(1), "two");
  EXPECT_NEAR(group_for(platform, "flow", kAllChannels).values.at("t_0").value / kStart, 1, 0.02);
}

/// Hosts of one rank each: a message is answered in twice its time, and what beginning together takes.
SampleSet answered_between_hosts(bool is_virtual) {
  constexpr Seconds kOneWay = 0.4e-6;
  SampleSet samples =
      measure({.model = "loggp", .parameters = "L=0.2us,o=0.1us,g=0.1us,G=0.1ns", .nodes = 4, .ranks_per_node = 1},
              {.roundtrips = powers_of_two(), .overheads = {1, 16, 256, 4096}});
  samples.is_virtual = is_virtual;
  for (const Bytes bytes : {1, 8, 64}) {
    const Experiment answer{.kind = ExperimentKind::kAnswer, .bytes = bytes, .members = {0, 1}, .channel = kInterNode};
    const Seconds time = 2 * (kOneWay + 0.1e-9 * static_cast<double>(bytes - 1)) + kStart;
    samples.measurements.push_back(repeated(answer, time, {}, samples.measurements.size()));
  }
  return samples;
}

TEST(FlowOfHostsOfOneRank, KnowsWhatBeginningTogetherTakes) {
  const Platform platform = estimate_platform(answered_between_hosts(false), "hosts");
  EXPECT_NEAR(group_for(platform, "flow", kAllChannels).values.at("t_0").value / kStart, 1, 0.02);
}

TEST(FlowOfHostsOfOneRank, TakesNoSimulationToBeginLate) {
  const Platform platform = estimate_platform(answered_between_hosts(true), "hosts");
  for (const ParameterGroup& group : flow_of(platform).groups) {
    EXPECT_EQ(group.values.count("t_0"), 0U);
  }
}

/// Trains whose first message is answered: after its own time, or also so much of the others'.
SampleSet answered_trains(double share_of_others) {
  SampleSet samples = answered_between_hosts(false);
  const Bytes bytes = 16384;
  const Seconds moving = 0.1e-9 * static_cast<double>(bytes);
  const Experiment reply{.kind = ExperimentKind::kRoundtrip, .target = 1, .bytes = bytes};
  samples.measurements.push_back(repeated(reply, 0.8e-6 + moving, {}, samples.measurements.size()));
  const Experiment train{.kind = ExperimentKind::kAnsweredTrain, .target = 1, .bytes = bytes, .messages = 8};
  const Seconds time = 0.8e-6 + (1 + 7 * share_of_others) * moving;
  samples.measurements.push_back(repeated(train, time, {}, samples.measurements.size()));
  return samples;
}

TEST(FlowOfHostsOfOneRank, KnowsWhetherMessagesMoveOneAfterAnother) {
  for (const auto& [share, in_order] : {std::pair{0.0, true}, {0.4, true}, {0.6, false}, {1.0, false}}) {
    const Platform platform = estimate_platform(answered_trains(share), "hosts");
    EXPECT_EQ(group_for(platform, "flow", kInterNode).values.count("F"), in_order ? 1U : 0U) << share;
  }
}

TEST(FlowOfTwoRanks, SeesWhatAnExchangeShares) {
  const Platform platform = estimate_platform(measured(1.5), "two");
  // Both directions together: twice the bytes in 1.5 times the time.
  EXPECT_NEAR(group_for(platform, "flow", kSharedCache).values.at("B_node").value / (2 / 1.5 / 0.1e-9), 1, 0.02);
}

/// What each pair's roundtrip takes, as an echo that takes `longer` times as long.
void add_echoes(SampleSet& samples, double longer) {
  std::vector<Measurement> echoes;
  for (const Measurement& m : samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kRoundtrip && e.bytes == e.reply_bytes && e.bytes >= 4096) {
      Measurement& echo = echoes.emplace_back(m);
      echo.experiment = {.kind = ExperimentKind::kEcho, .source = e.source, .target = e.target, .bytes = e.bytes};
      echo.summary.median *= longer;
      echo.summary.median_interval.lower *= longer;
      echo.summary.median_interval.upper *= longer;
    }
  }
  samples.measurements.insert(samples.measurements.end(), echoes.begin(), echoes.end());
}

TEST(FlowOfTwoRanks, SeesWhatWritingCosts) {
  SampleSet samples = measured(1);
  add_echoes(samples, 1);
  EXPECT_EQ(group_for(estimate_platform(samples, "two"), "flow", kSharedCache).curves.count("w"), 0U);
  samples = measured(1);
  add_echoes(samples, 3);
  const Platform platform = estimate_platform(samples, "two");
  const ParameterCurve& written = group_for(platform, "flow", kSharedCache).curves.at("w");
  // Twice what a message takes: latency, both overheads, and its bytes.
  EXPECT_EQ(written.back().bytes, 1 << 20);
  EXPECT_NEAR(written.back().estimate.value / (2 * (0.4e-6 + 0.1e-9 * (1 << 20))), 1, 0.02);
}

// A send that was slow by chance among eager ones does not move the limit to where it is.
TEST(FlowOfTwoRanks, OneBadSendIsNoProtocol) {
  SampleSet samples = measured(1);
  for (Measurement& m : samples.measurements) {
    if (m.experiment.kind == ExperimentKind::kSendOverhead && m.experiment.bytes == 16) {
      m.summary.median *= 10;
    }
  }
  const Platform platform = estimate_platform(samples, "two");
  EXPECT_EQ(group_for(platform, "flow", kSharedCache).values.count("S"), 0U);
}

/// Messages of more than 4 KiB keep their sender until they have arrived, and a late receiver as long; the smallest one
/// keeps its sender a little longer than those after it.
SampleSet kept_by_large_messages() {
  SyntheticPlan all = plan();
  all.overheads = {1, 16, 256, 4096, 65536, 1 << 20};
  SampleSet samples = measure(two_ranks(), all);
  for (Measurement& m : samples.measurements) {
    const Experiment& e = m.experiment;
    const bool is_send = e.kind == ExperimentKind::kSendOverhead;
    if ((is_send || e.kind == ExperimentKind::kDelayedReceive) && e.bytes > 4096) {
      m.summary.median = 0.4e-6 + 0.1e-9 * static_cast<double>(e.bytes);
    } else if (is_send && e.bytes == 1) {
      m.summary.median *= 1.1;
    }
  }
  return samples;
}

// Requests of messages of any size take as long: noise between the last sizes makes no slope.
TEST(FlowOfTwoRanks, RequestsOfAllSizesTakeAsLong) {
  const Platform platform = estimate_platform(kept_by_large_messages(), "two");
  const ParameterGroup& group = group_for(platform, "flow", kSharedCache);
  ASSERT_EQ(group.values.at("S").value, 4096);
  const ParameterCurve& sends = group.curves.at("o_s");
  ASSERT_GE(sends.size(), 2U);
  EXPECT_GT(sends.back().bytes, 4096);
  EXPECT_EQ(sends.back().estimate.value, sends[sends.size() - 2].estimate.value);
}

/// A roundtrip of awaited messages of so many bytes.
Measurement handshake(Bytes bytes, Seconds time) {
  const std::vector<std::vector<double>> passes{{time, time}};
  return {.experiment = {.kind = ExperimentKind::kHandshake, .target = 1, .bytes = bytes},
          .summary = summarise(passes, 0.95)};
}

TEST(FlowOfTwoRanks, SeesWhatHandshakesTake) {
  SampleSet samples = measured(1);
  // Without them a message of 16 bytes takes 0.1 us to send and 0.2 us on its way; the receiver waits for it.
  samples.measurements.push_back(handshake(16, 2 * (0.3e-6 + 16e-10 + 1e-6)));
  samples.measurements.push_back(handshake(4096, 2 * (0.3e-6 + 4096e-10 + 1.5e-6)));
  const Platform platform = estimate_platform(samples, "two");
  const ParameterCurve& handshakes = group_for(platform, "flow", kSharedCache).curves.at("h");
  ASSERT_EQ(handshakes.size(), 2U);
  EXPECT_NEAR(handshakes[0].estimate.value, 1e-6, 1e-8);
  EXPECT_NEAR(handshakes[1].estimate.value, 1.5e-6, 1.5e-8);
}

TEST(FlowOfTwoRanks, NeedsNoHandshakesThatTakeNoTime) {
  SampleSet samples = measured(1);
  samples.measurements.push_back(handshake(16, 2 * (0.3e-6 + 16e-10)));
  EXPECT_EQ(group_for(estimate_platform(samples, "two"), "flow", kSharedCache).curves.count("h"), 0U);
}

}  // namespace
}  // namespace postage
