#include "measure/permutations.hpp"
#include "unit/measure/virtual_machine.hpp"

#include <postage/measure/campaign.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace postage {
namespace {

SampleSet measure_on(const VirtualMachine& machine, const CampaignPlan& plan, const MeasureSettings& settings = {}) {
  SampleSet samples;
  run_ranks(machine, [&](Transport& transport) {
    SampleSet own = run_campaign(transport, plan, settings);
    if (transport.rank() == 0) {
      samples = std::move(own);
    }
  });
  return samples;
}

std::vector<Measurement> of_kind(const SampleSet& samples, ExperimentKind kind) {
  std::vector<Measurement> found;
  std::copy_if(samples.measurements.begin(), samples.measurements.end(), std::back_inserter(found),
               [&](const Measurement& m) { return m.experiment.kind == kind; });
  return found;
}

/// The only measurement of the kind at that size.
Measurement only(const SampleSet& samples, ExperimentKind kind, Bytes bytes) {
  std::vector<Measurement> found = of_kind(samples, kind);
  std::erase_if(found, [&](const Measurement& m) { return m.experiment.bytes != bytes; });
  EXPECT_EQ(found.size(), 1U) << name_of(kind) << " of " << bytes;
  return found.empty() ? Measurement{} : found.front();
}

constexpr double kExact = 1e-15;  // seconds
const VirtualMachine kMachine;

TEST(Roundtrips, AreTimedThereAndBack) {
  const SampleSet samples = measure_on(kMachine, {.sizes = {{"--sizes", {0, 1000}}, {"--reply-sizes", {0, 500}}}});
  ASSERT_EQ(samples.measurements.size(), 3U) << "the empty roundtrip is one experiment";
  for (const Measurement& m : samples.measurements) {
    EXPECT_NEAR(m.summary.median, kMachine.roundtrip(m.experiment.bytes, m.experiment.reply_bytes), kExact);
    EXPECT_TRUE(m.precise);
    EXPECT_EQ(m.summary.count, 2U) << "a simulated time needs no more";
  }
}

TEST(Echoes, AreTimedThereAndBack) {
  const SampleSet samples = measure_on(kMachine, {.sizes = {{"--echo-sizes", {0, 1000}}}});
  ASSERT_EQ(samples.measurements.size(), 2U);
  for (const Measurement& m : samples.measurements) {
    EXPECT_EQ(m.experiment.kind, ExperimentKind::kEcho);
    EXPECT_NEAR(m.summary.median, kMachine.roundtrip(m.experiment.bytes, m.experiment.bytes), kExact);
  }
}

TEST(Handshakes, AreTimedThereAndBack) {
  const SampleSet samples =
      measure_on(kMachine, {.sizes = {{"--handshake-sizes", {0, 1000}}, {"--handshake-echo-sizes", {0, 1000}}}});
  ASSERT_EQ(of_kind(samples, ExperimentKind::kHandshakeEcho).size(), 2U);
  for (const Measurement& m : samples.measurements) {
    EXPECT_NEAR(m.summary.median, kMachine.roundtrip(m.experiment.bytes, m.experiment.bytes), kExact);
  }
}

/// A message takes 13 us, an empty one 12 us. One each way: the source hears of the target at 12 us, and the target has
/// its message at 25 us. Of eight, each answers the other's one before: at 16, 29, 42, .. 107 us.
TEST(PipelinedExchanges, SendTheNextMessageWhenOneIsIn) {
  const SampleSet samples = measure_on(kMachine, {.sizes = {{"--pipelined-sizes", {1000}}}});
  ASSERT_EQ(samples.measurements.size(), 2U);
  for (const Measurement& m : samples.measurements) {
    EXPECT_EQ(m.experiment.kind, ExperimentKind::kPipelinedExchange);
    EXPECT_NEAR(m.summary.median, m.experiment.messages == 1 ? 25e-6 : 107e-6, 1e-12);
  }
}

TEST(Rewriting, TakesNoMessagesIntoTheTime) {
  const SampleSet samples = measure_on(kMachine, {.sizes = {{"--rewriting-sizes", {1000}}}});
  EXPECT_NEAR(only(samples, ExperimentKind::kRewriting, 1000).summary.median, 0,
              kExact);  // clocks stand still meanwhile
}

TEST(Overheads, AreWhatMessagesKeepARank) {
  const SampleSet samples = measure_on(kMachine, {.sizes = {{"--overhead-sizes", {1, 1 << 20}}}});
  for (const Bytes bytes : {Bytes{1}, Bytes{1} << 20}) {
    EXPECT_NEAR(only(samples, ExperimentKind::kSendOverhead, bytes).summary.median, kMachine.overhead, kExact);
    EXPECT_NEAR(only(samples, ExperimentKind::kDelayedReceive, bytes).summary.median, kMachine.overhead, kExact);
  }
  EXPECT_EQ(only(samples, ExperimentKind::kSendOverhead, 1).experiment.messages, 8);
  EXPECT_EQ(only(samples, ExperimentKind::kSendOverhead, 1 << 20).experiment.messages, 1);
}

TEST(AnsweredTrains, EndWithTheAnswerToTheFirstMessage) {
  const SampleSet samples = measure_on(kMachine, {.sizes = {{"--answered-train-sizes", {2000}}}});
  const Seconds answered = only(samples, ExperimentKind::kAnsweredTrain, 2000).summary.median;
  EXPECT_NEAR(answered, std::max(kMachine.roundtrip(2000, 0), 8 * kMachine.overhead), kExact);
}

TEST(Trains, AreParametrisedRoundtrips) {
  const Bytes bytes = 2000;
  const SampleSet samples = measure_on(kMachine, {.sizes = {{"--train-sizes", {bytes}}, {"--delayed-sizes", {bytes}}}});
  const double single = kMachine.roundtrip(bytes, 0);
  EXPECT_NEAR(only(samples, ExperimentKind::kRoundtrip, bytes).summary.median, single, kExact);
  int checked = 0;
  for (const Measurement& m : of_kind(samples, ExperimentKind::kTrain)) {
    const double steps = m.experiment.messages - 1;
    const double saturated = kMachine.gap + static_cast<double>(bytes) * kMachine.per_byte;
    const double step = std::max(kMachine.overhead + m.experiment.delay, saturated);
    EXPECT_NEAR(m.summary.median, single + steps * step, kExact) << m.experiment.delay;
    checked += m.experiment.delay > 0 ? 1 : 2;
  }
  EXPECT_EQ(checked, 3) << "one with delays and one without";
}

TEST(Strided, CostPackingAtBothEnds) {
  const Bytes bytes = 1000;
  const SampleSet samples = measure_on(
      kMachine,
      {.sizes = {{"--sizes", {bytes}}, {"--strided-sizes", {bytes}}, {"--strides", {4, 16}}, {"--run", {4}}}});
  ASSERT_EQ(of_kind(samples, ExperimentKind::kStridedRoundtrip).size(), 4U);
  for (const Measurement& m : of_kind(samples, ExperimentKind::kStridedRoundtrip)) {
    const double operations = m.experiment.stride == 4 ? 0 : 250 + 125;
    EXPECT_NEAR(m.summary.median, kMachine.roundtrip(bytes, bytes) + 4 * operations * kMachine.operation, kExact)
        << m.experiment.stride << (m.experiment.by_hand ? " by hand" : "");
  }
}

TEST(OneToTwo, WaitsForBothReplies) {
  VirtualMachine machine;
  machine.ranks = 3;
  const SampleSet samples = measure_on(machine, {.sizes = {{"--one-to-two-sizes", {0, 1000}}}});
  ASSERT_EQ(of_kind(samples, ExperimentKind::kOneToTwo).size(), 12U) << "three ranks in six orders, two sizes";
  for (const Measurement& m : of_kind(samples, ExperimentKind::kOneToTwo)) {
    // The second message leaves a gap after the first; when its reply has come, the first one's has been received.
    const double after = machine.gap + static_cast<double>(m.experiment.bytes) * machine.per_byte;
    EXPECT_NEAR(m.summary.median, machine.roundtrip(m.experiment.bytes, 0) + after, kExact);
  }
}

/// Four ranks on each of two hosts.
VirtualMachine two_hosts() {
  VirtualMachine machine;
  machine.ranks = 8;
  machine.ranks_per_host = 4;
  return machine;
}

TEST(Groups, StartTogether) {
  const VirtualMachine machine = two_hosts();
  const Bytes bytes = 100;
  const SampleSet samples = measure_on(
      machine, {.sizes = {{"--concurrent-sizes", {bytes}}, {"--fan-sizes", {bytes}}, {"--butterfly-sizes", {bytes}}}});
  const double per_message = static_cast<double>(bytes) * machine.per_byte;
  const double one_way = 2 * machine.overhead + machine.latency + per_message;
  const double spacing = std::max(machine.overhead, machine.gap + per_message);
  std::map<ExperimentKind, std::set<std::size_t>> sizes;
  for (const Measurement& m : samples.measurements) {
    const auto members = m.experiment.members.size();
    const auto others = static_cast<double>(members - 1);
    sizes[m.experiment.kind].insert(members);
    EXPECT_EQ(m.experiment.method, "global-clock");
    double expected = one_way;
    if (m.experiment.kind == ExperimentKind::kConcurrentPairs || m.experiment.kind == ExperimentKind::kAnswer) {
      expected = machine.roundtrip(bytes, bytes);
    } else if (m.experiment.kind == ExperimentKind::kOutcast) {
      expected = one_way + (others - 1) / 2 * spacing;
    } else if (m.experiment.kind == ExperimentKind::kIncast) {
      expected = one_way + (others - 1) * machine.overhead;
    }
    EXPECT_NEAR(m.summary.median, expected, kExact) << describe(m.experiment);
  }
  EXPECT_EQ(sizes[ExperimentKind::kConcurrentPairs], (std::set<std::size_t>{4, 6, 8}));
  EXPECT_EQ(sizes[ExperimentKind::kRing], (std::set<std::size_t>{2, 3, 4, 6, 8}));
  EXPECT_EQ(sizes[ExperimentKind::kButterfly], (std::set<std::size_t>{2, 4, 6, 8}));
  EXPECT_EQ(sizes[ExperimentKind::kIncast], (std::set<std::size_t>{2, 4, 5}));
  EXPECT_EQ(sizes[ExperimentKind::kSynchronisedExchange], (std::set<std::size_t>{2}));
  EXPECT_EQ(sizes[ExperimentKind::kAnswer], (std::set<std::size_t>{2}));
}

TEST(OutcastsOfHosts, AreMadeByEachInTurn) {
  VirtualMachine machine;
  machine.ranks = 4;
  const Bytes bytes = 1000;
  const SampleSet samples = measure_on(machine, {.sizes = {{"--permutation-sizes", {bytes}}}});
  const double spacing = machine.gap + 1000 * machine.per_byte;
  const double one_way = 2 * machine.overhead + machine.latency + 1000 * machine.per_byte;
  std::set<RankGroup> groups;
  for (const Measurement& m : of_kind(samples, ExperimentKind::kHostOutcast)) {
    groups.insert(m.experiment.members);
    EXPECT_NEAR(m.summary.median, one_way + spacing, kExact) << "the mean over three";
  }
  EXPECT_EQ(groups, (std::set<RankGroup>{{0, 1, 2, 3}, {1, 0, 2, 3}, {2, 0, 1, 3}, {3, 0, 1, 2}}));
}

TEST(OutcastsOfHosts, AreMadeByFirstRanksWhereHostsHaveSeveral) {
  VirtualMachine machine;
  machine.ranks = 6;
  machine.ranks_per_host = 2;
  const SampleSet samples = measure_on(machine, {.sizes = {{"--permutation-sizes", {1000}}}});
  std::set<RankGroup> groups;
  for (const Measurement& m : of_kind(samples, ExperimentKind::kHostOutcast)) {
    groups.insert(m.experiment.members);
  }
  EXPECT_EQ(groups, (std::set<RankGroup>{{0, 2, 4}, {2, 0, 4}, {4, 0, 2}}));
}

TEST(OutcastsOfHosts, AreOfSomeByChanceWhereThereAreMany) {
  SampleSet many;
  const int hosts = 100;
  for (int rank = 0; rank < hosts; ++rank) {
    many.nodes.push_back({.name = "h", .topology = {.cores = {Core{}}}});
    many.ranks.push_back({.node = rank, .core = 0});
  }
  const RankPlacements placements{many.nodes, many.ranks};
  const std::vector<GroupList> lists = outcasts_of_hosts({placements, kInterNode});
  EXPECT_EQ(lists.size(), 64U);
  for (const GroupList& list : lists) {
    const std::set<Rank> different(list.front().begin(), list.front().end());
    EXPECT_EQ(different.size(), 33U) << "one sends to 32 others";
  }
}

TEST(Sweeps, AreLinear) {
  VirtualMachine machine;
  machine.ranks = 5;
  const Bytes bytes = 1000;
  const SampleSet samples = measure_on(machine, {.sizes = {{"--sweep-sizes", {bytes}}}});
  const double one_way = 2 * machine.overhead + machine.latency + 1000 * machine.per_byte;
  EXPECT_NEAR(only(samples, ExperimentKind::kScatter, bytes).summary.median,
              one_way + 3 * (machine.gap + 1000 * machine.per_byte), kExact);
  EXPECT_NEAR(only(samples, ExperimentKind::kGather, bytes).summary.median, one_way + 3 * machine.overhead, kExact);
}

TEST(Reductions, AreTimedOnceOnEachHost) {
  const SampleSet samples = measure_on(two_hosts(), {.sizes = {{"--reduction-sizes", {8000}}}});
  ASSERT_EQ(samples.measurements.size(), 2U);
  EXPECT_EQ(samples.measurements[1].experiment.source, 4);
  EXPECT_NEAR(samples.measurements[0].summary.median, 1000 * kMachine.operation, kExact);
}

TEST(Copies, AreTimedOnceOnEachHost) {
  const SampleSet samples = measure_on(two_hosts(), {.sizes = {{"--copy-sizes", {8000}}}});
  std::map<ExperimentKind, std::set<int>> sources;
  for (const Measurement& m : samples.measurements) {
    sources[m.experiment.kind].insert(m.experiment.source);
    EXPECT_EQ(m.experiment.bytes, m.experiment.kind == ExperimentKind::kCopy ? 8000 : 8);
    EXPECT_EQ(m.summary.median, 0) << "simulated processors take no time to copy, or to follow a program";
  }
  const std::set<int> first_of_hosts{0, 4};
  EXPECT_EQ(sources, (std::map<ExperimentKind, std::set<int>>{{ExperimentKind::kCopy, first_of_hosts},
                                                              {ExperimentKind::kProgram, first_of_hosts}}));
}

CampaignPlan one_broadcast() {
  return {.collectives = {{Collective::kBcast, "linear", 8}}};
}

TEST(Timing, MethodsSeeDifferentEnds) {
  VirtualMachine machine;
  machine.ranks = 4;
  const double spacing = machine.gap + 8 * machine.per_byte;
  const double slowest = 2 * machine.overhead + machine.latency + 8 * machine.per_byte + 2 * spacing;
  for (const TimingMethod timing : {TimingMethod::kRoot, TimingMethod::kMaximum, TimingMethod::kClocks}) {
    MeasureSettings settings;
    settings.timing = timing;
    const Measurement m = measure_on(machine, one_broadcast(), settings).measurements.at(0);
    EXPECT_EQ(m.experiment.method, timing == TimingMethod::kClocks ? "global-clock" : name_of(timing));
    EXPECT_NEAR(m.summary.median, timing == TimingMethod::kRoot ? 3 * machine.overhead : slowest, kExact)
        << name_of(timing);
  }
}

// Clocks that started days apart and drift by up to 50 millionths: on them a collective takes what it takes on one
// clock.
TEST(Timing, SynchronisesClocks) {
  VirtualMachine machine;
  machine.ranks = 4;
  const double truth = measure_on(machine, one_broadcast()).measurements.at(0).summary.median;
  machine.clock_offset = {0, 86400, -5, 1e-3};
  machine.clock_drift = {0, 5e-5, -2e-5, 1e-5};
  const SampleSet samples = measure_on(machine, one_broadcast());
  const Measurement& m = samples.measurements.at(0);
  EXPECT_EQ(m.experiment.method, "synchronised-clocks");
  EXPECT_EQ(m.late, 0U);
  EXPECT_GT(samples.clock_error, 0);
  // Half a roundtrip, and what a clock drifts while the others are asked for their time.
  const double drifted = 5e-5 * 1e-3;
  EXPECT_LT(samples.clock_error, machine.latency + 2 * machine.overhead + drifted);
  // Paths are symmetric here, so that only the drift is left.
  EXPECT_NEAR(m.summary.median, truth, drifted);
}

}  // namespace
}  // namespace postage
