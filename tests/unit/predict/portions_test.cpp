#include <postage/model/model.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

/// On one channel: each rank sends and receives 1 GB/s, and rendezvous begin above 64 KiB.
Model flow_of_one_channel() {
  return build_model(parse_parameters("flow", "L=5us,o=1us,G=1ns,B_send=1GB/s,B_receive=1GB/s,S=64K"), {});
}

Schedule linear(Collective collective, Rank ranks, Bytes bytes) {
  return build_schedule(find_algorithm(collective, "linear"), {.ranks = ranks, .bytes = bytes});
}

Evaluator chosen(const Schedule& schedule) {
  return choose_evaluator(schedule, ChannelMap::single_channel(), flow_of_one_channel());
}

TEST(Portions, AreTakenWhereFlowsTakeTooLong) {
  EXPECT_EQ(chosen(linear(Collective::kBcast, 16, 1 << 10)), Evaluator::kFlows);
  EXPECT_EQ(chosen(linear(Collective::kBcast, 1'000, 1 << 10)), Evaluator::kPortions);
  EXPECT_EQ(chosen(linear(Collective::kBcast, 50'000, 1 << 10)), Evaluator::kRounds);
  EXPECT_EQ(parse_evaluator("portions"), Evaluator::kPortions);
}

/// A round for each source, and yet all send at once: there are as many flows as sources.
TEST(Portions, AreTakenWhereManyRanksSendInRoundsOfTheirOwn) {
  EXPECT_EQ(chosen(linear(Collective::kReduce, 16, 1 << 10)), Evaluator::kFlows);
  EXPECT_EQ(chosen(linear(Collective::kReduce, 1'000, 1 << 10)), Evaluator::kPortions);
  const auto acknowledged = find_algorithm(Collective::kScatter, "linear-sync");
  EXPECT_EQ(chosen(build_schedule(acknowledged, {.ranks = 1'000, .bytes = 1 << 10})), Evaluator::kPortions);
}

/// The root sends all that it has at 1 GB/s, however it is evaluated: 1,000 messages of 1 MiB, after one overhead and
/// one latency; those of a rendezvous do not wait for one another.
TEST(Portions, AndRoundsLetALinearBroadcastTakeWhatItsRootSends) {
  for (const Bytes bytes : {Bytes{1} << 15, Bytes{1} << 20}) {
    const Schedule schedule = linear(Collective::kBcast, 1'001, bytes);
    const Seconds sent = 1'000 * static_cast<double>(bytes) * 1e-9;
    for (const Evaluator evaluator : {Evaluator::kPortions, Evaluator::kRounds}) {
      const Seconds seconds = evaluate(evaluator, schedule, ChannelMap::single_channel(), flow_of_one_channel());
      EXPECT_GE(seconds, sent) << name_of(evaluator);
      EXPECT_LE(seconds, 1.01 * sent + 10e-6) << name_of(evaluator);
    }
  }
}

/// 1,000 messages of 32 KiB leave one root. Where each of its receivers can take 1 GB/s, the root needs 1 us for each,
/// and none waits for another; 5 us where each is a rendezvous. The last one then takes L + G m.
TEST(Portions, AndRoundsLetARootStartItsMessagesOneAfterAnother) {
  const Schedule schedule = linear(Collective::kBcast, 1'001, 32'768);
  for (const auto& [text, overhead] : {std::pair("L=5us,o=1us,G=1ns,B_receive=1GB/s,S=64K", 1e-6),
                                       std::pair("L=5us,o=5us,G=1ns,B_receive=1GB/s,S=16K", 5e-6)}) {
    const Model model = build_model(parse_parameters("flow", text), {});
    for (const Evaluator evaluator : {Evaluator::kPortions, Evaluator::kRounds}) {
      const Seconds seconds = evaluate(evaluator, schedule, ChannelMap::single_channel(), model);
      EXPECT_NEAR(seconds, 1'000 * overhead + 37.768e-6, 6e-6) << text << " " << name_of(evaluator);
    }
  }
}

/// Within a node a message alone takes G m, though messages of one rank together move only half a byte per ns; two take
/// as long as four alone. Between nodes what a rank sends limits one, too.
TEST(Portions, AndFlowsDoNotSlowAMessageThatSharesNothing) {
  const Model model = build_model(parse_parameters("flow", "L=5us,o=0us,G=1ns,B_send=500MB/s"), {});
  const NodeTopology three{std::vector<Core>(3)};
  const Platform node{.channels = {kSharedCache}, .nodes = {{"a", three}}, .ranks = {{0, 0}, {0, 1}, {0, 2}}};
  const Platform network{.channels = {kInterNode}, .nodes = {{"a", three}, {"b", three}}, .ranks = {{0, 0}, {1, 0}}};
  const ChannelMap within(node, Mapping::block(1, 3));
  const ChannelMap between(network, Mapping::block(2, 1));
  for (const Evaluator evaluator : {Evaluator::kFlows, Evaluator::kPortions}) {
    const auto seconds = [&](Rank ranks, const ChannelMap& channels) {
      return evaluate(evaluator, linear(Collective::kBcast, ranks, 1'000'000), channels, model);
    };
    EXPECT_NEAR(seconds(2, within), 1.005e-3, 1e-6) << name_of(evaluator);
    EXPECT_NEAR(seconds(3, within), 4.005e-3, 1e-6) << name_of(evaluator);
    EXPECT_NEAR(seconds(2, between), 2.005e-3, 1e-6) << name_of(evaluator);
  }
}

}  // namespace
}  // namespace postage
