// What messages cost in a known node that their receiver's processor fetches.
#include "unit/estimate/known_node.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace postage {
namespace {

using known_node::kLimit;
using known_node::KnownNode;
using known_node::links_of;
using known_node::samples_of;

bool take_turns(const SampleSet& samples) {
  const std::vector<ParameterGroup> groups = links_of(samples);
  const auto count = std::count_if(groups.begin(), groups.end(),
                                   [](const ParameterGroup& group) { return group.values.count("R") > 0; });
  const auto larger = std::count_if(groups.begin(), groups.end(),
                                    [](const ParameterGroup& group) { return group.from_bytes > kLimit; });
  EXPECT_TRUE(count == 0 || count == larger);
  return count > 0;
}

TEST(FlowOfFetchedMessages, KnowsThatAReceiverTakesInOneAtATime) {
  EXPECT_FALSE(take_turns(samples_of({})));
  EXPECT_TRUE(take_turns(samples_of({.take_turns = true})));
}

/// Of a curve's point at so many bytes; -1 where it has none.
double value_in(const ParameterGroup& group, const char* symbol, Bytes bytes) {
  const auto curve = group.curves.find(symbol);
  if (curve == group.curves.end()) {
    return -1;
  }
  const auto point = std::find_if(curve->second.begin(), curve->second.end(),
                                  [&](const ParameterPoint& one) { return one.bytes == bytes; });
  return point == curve->second.end() ? -1 : point->estimate.value;
}

TEST(FlowOfFetchedMessages, KnowsWhatTwoRanksThatFetchFromOneAnotherTakeLonger) {
  KnownNode node{.exchange = [](Bytes m) { return KnownNode::is_eager(m) ? 0 : 3e-6; }, .first_exchange = 1e-6};
  for (const bool take_turns : {false, true}) {
    node.take_turns = take_turns;
    const ParameterGroup large = links_of(samples_of(node)).back();
    EXPECT_NEAR(value_in(large, "y", 65536), take_turns ? 4e-6 : -1, 1e-9);
    EXPECT_EQ(value_in(large, "y", 64), -1);
    EXPECT_EQ(large.values.count("B_node"), take_turns ? 0U : 1U);
  }
}

TEST(FlowOfFetchedMessages, KnowsWhichShareOfTheirLatencyMessagesTakeInTurn) {
  const ParameterGroup group = links_of(samples_of({.take_turns = true, .share_in_turn = 0.6})).back();
  EXPECT_NEAR(group.values.at("R").value, 0.6, 0.01);
}

/// Of messages larger than S those are fetched that take no longer where they have to be a rendezvous. Where all take
/// longer, that one is another protocol.
TEST(FlowOfFetchedMessages, AreThoseThatAreARendezvousByThemselves) {
  for (const auto& [longer, fetched_from] : {std::pair<Bytes, Bytes>{0, 4097}, {8192, 8193}, {1 << 20, 4097}}) {
    for (const ParameterGroup& group : links_of(samples_of({.take_turns = true, .longer_as_rendezvous = longer}))) {
      EXPECT_EQ(group.values.count("R") > 0, group.from_bytes >= fetched_from) << group.from_bytes << ", " << longer;
    }
  }
}

TEST(FlowOfFetchedMessages, KnowsWhetherRanksTakeInAllThatHasArrived) {
  for (const bool drains : {false, true}) {
    const ParameterGroup group = links_of(samples_of({.take_turns = true, .drains = drains})).back();
    EXPECT_EQ(group.values.count("D"), drains ? 1U : 0U);
  }
}

TEST(FlowOfFetchedMessages, KnowsWhatMessagesTakeLongerWhoseReceiverDoesNotWait) {
  KnownNode node{.exchange = [](Bytes m) { return KnownNode::is_eager(m) ? 0 : 3e-6; }, .take_turns = true};
  node.unawaited = [](Bytes m) { return KnownNode::is_eager(m) ? 0 : 5e-6; };
  const ParameterGroup group = links_of(samples_of(node)).back();
  EXPECT_NEAR(value_in(group, "z", 65536), 5e-6, 1e-9);
  EXPECT_NEAR(value_in(group, "y", 65536), 3e-6, 1e-9);
  EXPECT_EQ(links_of(samples_of({.take_turns = true})).back().curves.count("z"), 0U);
}

/// Those of up to 64 bytes show t_0, which the others have, too.
TEST(FlowOfFetchedMessages, KnowsWhatEagerOnesTakeLongerWhoseReceiverDoesNotWait) {
  KnownNode node{.start = 0.1e-6};
  node.unawaited = [](Bytes m) { return m > 64 && KnownNode::is_eager(m) ? 0.2e-6 : 0; };
  const std::vector<ParameterGroup> groups = links_of(samples_of(node));
  EXPECT_NEAR(value_in(groups.front(), "z", 2048), 0.2e-6, 1e-10);
  EXPECT_NEAR(value_in(groups.front(), "z", 64), 0, 1e-10);
  EXPECT_EQ(groups.back().curves.count("z"), 0U);
  node.unawaited = [](Bytes) { return 0; };
  EXPECT_EQ(links_of(samples_of(node)).front().curves.count("z"), 0U);
}

/// Exchanges take longer by that, too, and by nothing else: y is what it is without, and nothing is shared.
TEST(FlowOfFetchedMessages, KnowsHowLongTheirSendersWaitAfterTheyHaveArrived) {
  KnownNode node{.acknowledged = 0.6e-6};
  for (const bool take_turns : {false, true}) {
    node.take_turns = take_turns;
    const ParameterGroup large = links_of(samples_of(node)).back();
    EXPECT_NEAR(value_in(large, "a", 16384), 0.6e-6, 1e-10);
    EXPECT_EQ(value_in(large, "a", 4096), -1);
    EXPECT_EQ(large.curves.count("y"), 0U);
    EXPECT_EQ(large.values.count("B_node"), 0U);
  }
  node.exchange = [](Bytes m) { return KnownNode::is_eager(m) ? 0 : 3e-6; };
  EXPECT_NEAR(value_in(links_of(samples_of(node)).back(), "y", 65536), 3e-6, 1e-9);
  EXPECT_EQ(links_of(samples_of({.take_turns = true})).back().curves.count("a"), 0U);
}

TEST(FlowOfFetchedMessages, SimulatedSendersAreKeptAsLongAsTheirMessagesAreUnderWay) {
  SampleSet samples = samples_of({.acknowledged = 0.6e-6});
  EXPECT_EQ(links_of(samples).back().curves.count("a"), 1U);
  samples.is_virtual = true;
  EXPECT_EQ(links_of(samples).back().curves.count("a"), 0U);
}

/// Beyond 262,144 bytes each takes twice as long.
TEST(FlowOfFetchedMessages, KnowsWhatBytesTakeLongerThatCachesDoNotHold) {
  KnownNode node{.take_turns = true};
  EXPECT_EQ(links_of(samples_of(node)).back().curves.count("b"), 0U);
  node.large = [](Bytes m) {
    return 2e-6 + 0.1e-9 * static_cast<double>(m) + 0.1e-9 * static_cast<double>(std::max<Bytes>(m - 262144, 0));
  };
  const std::vector<ParameterGroup> groups = links_of(samples_of(node));
  EXPECT_NEAR(value_in(groups.back(), "b", 1048576), 0.1e-9 * (1048576 - 262144), 1e-9);
  EXPECT_NEAR(value_in(groups.back(), "b", 262144), 0, 1e-9);
  EXPECT_EQ(groups.front().curves.count("b"), 0U);  // nobody fetches eager ones
}

/// What the channel's lines say of a message alone, which is larger than S.
Seconds large_by_lines(const std::vector<ParameterGroup>& groups, Bytes bytes) {
  const auto next =
      std::find_if(groups.begin(), groups.end(), [&](const ParameterGroup& group) { return group.from_bytes > bytes; });
  const auto& values = std::prev(next)->values;
  return values.at("L").value + values.at("G").value * static_cast<double>(bytes);
}

/// From 16,384 bytes on they take five times as long, which was measured 64 bytes below and above, too. Below, the
/// curve bends, so that lines go from point to point; none goes across the leap.
TEST(FlowOfFetchedMessages, NoLineCrossesAThreshold) {
  const KnownNode node{.large = [](Bytes m) {
    const Seconds bent = 2e-6 + 3e-9 * std::sqrt(static_cast<double>(m) * 1e3);
    return m < 16384 ? bent : 5 * bent;
  }};
  SampleSet samples = samples_of(node);
  for (const Bytes bytes : {16320, 16448}) {
    const Experiment near{.kind = ExperimentKind::kRoundtrip, .target = 1, .bytes = bytes, .reply_bytes = bytes};
    samples.measurements.push_back(repeated(near, node.time_of(near), {}, samples.measurements.size()));
  }
  const std::vector<ParameterGroup> groups = links_of(samples);
  for (const Bytes bytes : {8192, 12000, 16320, 16350, 16384, 16400, 16447, 16448, 20000, 32768}) {
    const Seconds time = bytes == 16350 ? node.large(16320) : node.large(bytes);
    EXPECT_NEAR(large_by_lines(groups, bytes) / time, 1, 0.05) << bytes;
  }
}

TEST(FlowOfFetchedMessages, KnowsWhatWritingOverFetchedMemoryTakesLonger) {
  const KnownNode node{.overwriting = [](Bytes m) { return 0.4e-9 * static_cast<double>(m); }};
  const ParameterGroup group = links_of(samples_of(node)).front();
  EXPECT_NEAR(value_in(group, "u", 65536), 0.4e-9 * 65536, 1e-9);
  EXPECT_EQ(value_in(group, "u", 1024), -1);  // of eager messages the sender makes a copy
  EXPECT_EQ(links_of(samples_of({})).front().curves.count("u"), 0U);
}

TEST(FlowOfFetchedMessages, TakesNoSimulatedMessagesForWorkOfProcessors) {
  SampleSet samples = samples_of({.take_turns = true});
  samples.is_virtual = true;
  EXPECT_FALSE(take_turns(samples));
}

/// What trains say, R = 0.6, is of messages whose receives follow one another; r is of those that are awaited all at
/// once. A message of 65,536 bytes takes 8.55 us alone; a further one 0.4 times that.
TEST(FlowOfFetchedMessages, KnowsWhatFurtherOnesTake) {
  KnownNode node{.take_turns = true, .share_in_turn = 0.6};
  node.further = [&](Bytes m) { return 0.4 * node.one_way(m); };
  EXPECT_EQ(value_in(links_of(samples_of(node)).back(), "r", 65536), -1);
  const ParameterGroup large = links_of(samples_of_four(node)).back();
  EXPECT_NEAR(value_in(large, "r", 65536), 0.4 * 8.5536e-6, 1e-9);
  EXPECT_NEAR(value_in(large, "r", 16384), 0.4 * node.one_way(16384), 1e-9);
  EXPECT_EQ(large.values.count("B_receive"), 0U);
}

/// Further ones of 64 bytes take 0.4 us, which trains show as 0.1526 us; and no more than a message alone, 0.4508 us,
/// less what sending takes of it.
TEST(FlowOfFetchedMessages, KnowsWhatFurtherEagerOnesTakeTheirReceiver) {
  KnownNode node{.take_turns = true};
  const auto overhead = [&](const SampleSet& samples) { return value_in(links_of(samples).front(), "o_r", 64); };
  EXPECT_NEAR(overhead(samples_of(node)), 0.15256e-6, 1e-10);
  node.further = [](Bytes m) { return KnownNode::is_eager(m) ? 0.25e-6 : 8e-6; };
  EXPECT_NEAR(overhead(samples_of_four(node)), 0.25e-6, 1e-10);
  node.further = [](Bytes m) { return KnownNode::is_eager(m) ? 1e-6 : 8e-6; };
  const double alone = node.one_way(64);
  EXPECT_NEAR(overhead(samples_of_four(node)), 1e-6 * alone / (1e-6 + node.send(64)), 1e-9);
}

/// Messages of 8,192 bytes leave their sender 3 us apart, larger ones at a rate.
TEST(FlowOfFetchedMessages, KnowsHowFarApartTheyLeaveTheirSender) {
  KnownNode node{.take_turns = true};
  node.release = [](Bytes m) { return 0.2e-9 * static_cast<double>(m); };
  EXPECT_EQ(links_of(samples_of_four(node)).back().values.count("g"), 0U);
  node.release = [](Bytes m) { return m < 65536 ? 12e-6 : 0.05e-9 * static_cast<double>(m); };
  EXPECT_NEAR(links_of(samples_of_four(node)).back().values.at("g").value, 12e-6, 1e-9);
}

}  // namespace
}  // namespace postage
