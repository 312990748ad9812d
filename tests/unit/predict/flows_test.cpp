#include <postage/predict/flows/flows.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace postage {
namespace {

FlowLink link_of(double bytes_per_second) {
  FlowLink link;
  link.send_overhead = CostCurve::constant(1e-6);
  link.receive_overhead = CostCurve::constant(2e-6);
  link.latency = 10.016e-6;  // 16 bytes of envelope
  link.seconds_per_byte = 1 / bytes_per_second;
  return link;
}

Flow model_of(const FlowLink& link) {
  Flow model;
  model.links.set_channel(0, {{0, link}});
  return model;
}

std::vector<Seconds> finish_of(const Schedule& schedule, const FlowLink& link) {
  std::vector<Seconds> finish = play_flows(schedule, ChannelMap::single_channel(), model_of(link)).finish;
  std::sort(finish.begin(), finish.end());
  return finish;
}

Schedule linear_bcast(Rank ranks, Bytes bytes) {
  return build_schedule(find_algorithm(Collective::kBcast, "linear"), {.ranks = ranks, .bytes = bytes});
}

/// What SimGrid 3.32 gave for a root that sends a megabyte to each of four others over its card, all eager.
TEST(Flows, ShareTheSendersCardAsSimGridHasThem) {
  FlowLink link = link_of(1e9);
  link.latency += 10e-6;  // of the second card
  link.limits.sender = 1e-9;
  const std::vector<Seconds> finish = finish_of(linear_bcast(5, 1'000'000), link);
  EXPECT_NEAR(finish[0], 4e-6, 1e-12);  // the root: four overheads
  const std::vector<double> seen{4019e-6, 4022e-6, 4023e-6, 4023e-6};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_NEAR(finish[i + 1], seen[i], 1e-6) << i;
  }
}

TEST(Flows, DoNotHinderOneAnotherWithoutLimits) {
  const std::vector<Seconds> finish = finish_of(linear_bcast(5, 1'000'000), link_of(1e9));
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_NEAR(finish[i], (static_cast<double>(i) + 10.016 + 1000 + 2) * 1e-6, 1e-12);
  }
}

/// The message leaves when both are ready, keeps its sender to the end, and costs its receiver nothing more.
TEST(Flows, OfARendezvousKeepTheSender) {
  FlowLink link = link_of(1e9);
  link.rendezvous_above = 1000;
  const std::vector<Seconds> finish = finish_of(linear_bcast(2, 1'000'000), link);
  EXPECT_NEAR(finish[0], (10.016 + 1000) * 1e-6, 1e-12);  // a blocking call
  EXPECT_NEAR(finish[1], finish[0], 1e-12);
}

/// Rank 2 passes the message on while the root sends to rank 1; else the root's card sends both at once.
TEST(Flows, OfBlockingCallsFollowOneAnother) {
  FlowLink link = link_of(1e9);
  link.rendezvous_above = 1000;
  link.limits.sender = 1e-9;
  Schedule tree = build_schedule(find_algorithm(Collective::kBcast, "binomial"), {.ranks = 4, .bytes = 1'000'000});
  EXPECT_NEAR(finish_of(tree, link).back(), (2 * 10.016 + 3000) * 1e-6, 3e-6);
  tree.calls = Calls::kBlocking;
  EXPECT_NEAR(finish_of(tree, link).back(), 2 * (10.016 + 1000) * 1e-6, 1e-12);
}

/// Both directions at once: acknowledgements of one take 5 % of the other's way.
TEST(Flows, GiveAcknowledgementsTheirShareOfTheWayBack) {
  FlowLink link = link_of(1e9);
  link.limits.sender = 1e-9;
  link.limits.receiver = 1e-9;
  link.reverse_share = 0.05;
  const Schedule exchange =
      build_schedule(find_algorithm(Collective::kAllgather, "recursive-doubling"), {.ranks = 2, .bytes = 1'000'000});
  EXPECT_NEAR(finish_of(exchange, link)[1], (1 + 10.016 + 1050 + 2) * 1e-6, 1e-9);
}

/// By how much longer a schedule takes whose links have these times for what was written.
Seconds longer_where_written(const Schedule& schedule, const CostCurve& written) {
  FlowLink link = link_of(1e9);
  const Seconds before = finish_of(schedule, link).back();
  link.host.rewritten = written;
  return finish_of(schedule, link).back() - before;
}

/// A chain's second message carries what its sender has just received; the first one's bytes nobody wrote.
TEST(Flows, TakeLongerOutOfACacheThatWroteThem) {
  const CostCurve written({{0, 0}, {1'000'000, 50e-6}});
  const Schedule chain =
      build_schedule(find_algorithm(Collective::kBcast, "pipeline"), {.ranks = 3, .bytes = 1'000'000});
  EXPECT_NEAR(longer_where_written(chain, written), 50e-6, 1e-12);
  FlowLink link = link_of(1e9);
  link.host.rewritten = written;
  const Schedule linear = linear_bcast(3, 1'000'000);
  EXPECT_EQ(finish_of(linear, link), finish_of(linear, link_of(1e9)));
}

/// Two ranks that exchange in segments send, but for the first, out of the copy of their own block that they have just
/// made.
TEST(Flows, TakeLongerOutOfACacheThatCopiedThem) {
  const Schedule exchange = build_schedule(find_algorithm(Collective::kAllgather, "ring"),
                                           {.ranks = 2, .bytes = 100'000, .segment_bytes = 25'000});
  EXPECT_NEAR(longer_where_written(exchange, CostCurve({{0, 0}, {100'000, 50e-6}})), 3 * 50e-6 / 4, 1e-12);
}

/// The root gets back, and writes, the half that it sends first when it runs again; it never writes what it keeps.
TEST(Flows, TakeLongerForWhatWasWrittenWhenItRanBefore) {
  const Schedule schedule =
      build_schedule(find_algorithm(Collective::kBcast, "scatter-ring-allgather"), {.ranks = 2, .bytes = 200'000});
  EXPECT_NEAR(longer_where_written(schedule, CostCurve({{0, 0}, {100'000, 50e-6}})), 2 * 50e-6, 1e-12);
}

Seconds with_copies(const Schedule& schedule, const FlowLink& link) {
  Flow model = model_of(link);
  model.host.copy = CostCurve({{0, 0}, {100'000, 10e-6}});
  model.combine_per_byte = 1e-9;
  return play_flows(schedule, ChannelMap::single_channel(), model).seconds();
}

/// A rank copies its own block while eager messages are under way, and before it takes in larger ones.
TEST(Flows, CopyWhatRanksKeep) {
  FlowLink link = link_of(1e9);
  const auto alltoall = [](Bytes bytes) {
    return build_schedule(find_algorithm(Collective::kAlltoall, "linear"), {.ranks = 2, .bytes = bytes});
  };
  const Seconds eager = finish_of(alltoall(100'000), link).back();
  EXPECT_NEAR(with_copies(alltoall(100'000), link), eager, 1e-12);
  link.rendezvous_above = 1000;
  const Seconds large = finish_of(alltoall(100'000), link).back();
  EXPECT_NEAR(with_copies(alltoall(100'000), link), large - 1e-6 + 10e-6, 1e-12);
}

/// The root of a gather copies while it waits; that of a scatter when it has sent.
TEST(Flows, CopyWhenTheirProgramsDo) {
  const FlowLink link = link_of(1e9);
  const Schedule scatter =
      build_schedule(find_algorithm(Collective::kScatter, "linear"), {.ranks = 2, .bytes = 100'000});
  Flow model = model_of(link);
  model.host.copy = CostCurve({{0, 0}, {100'000, 10e-6}});
  const std::vector<Seconds> finish = play_flows(scatter, ChannelMap::single_channel(), model).finish;
  EXPECT_NEAR(finish[0], 1e-6 + 10e-6, 1e-12);
  EXPECT_NEAR(finish[1], (1 + 10.016 + 100 + 2) * 1e-6, 1e-12);
}

/// What programs combine is charged once, with what they copy.
TEST(Flows, CombineWhatTheirProgramsDo) {
  const FlowLink link = link_of(1e9);
  const Schedule reduce =
      build_schedule(find_algorithm(Collective::kReduce, "linear"), {.ranks = 2, .bytes = 100'000, .element_bytes = 8});
  Flow model = model_of(link);
  model.combine_per_byte = 1e-9;
  const Seconds without = play_flows(reduce, ChannelMap::single_channel(), model).seconds();
  EXPECT_NEAR(with_copies(reduce, link), without, 1e-12);
}

/// t_0 holds what ranks start apart: on average one message takes it and no more.
TEST(Flows, StartAroundWhatBeginningTakes) {
  FlowLink link = link_of(1e9);
  Flow model = model_of(link);
  model.host.start = 0.4e-6;
  const Schedule bcast = linear_bcast(2, 1000);
  const Seconds together = play_flows(bcast, ChannelMap::single_channel(), model).seconds();
  EXPECT_NEAR(together, (0.4 + 1 + 10.016 + 1 + 2) * 1e-6, 1e-12);
  EXPECT_NEAR(flow_seconds(bcast, ChannelMap::single_channel(), model), together, 1e-12);
}

TEST(Flows, ChargeExchangesByTheirEagerMessages) {
  FlowLink link = link_of(1e9);
  const Schedule exchange =
      build_schedule(find_algorithm(Collective::kAllgather, "recursive-doubling"), {.ranks = 2, .bytes = 1000});
  Flow model = model_of(link);
  const Seconds before = play_flows(exchange, ChannelMap::single_channel(), model).seconds();
  model.host.exchange = CostCurve({{64, 1e-6}, {2000, 3e-6}});
  EXPECT_NEAR(play_flows(exchange, ChannelMap::single_channel(), model).seconds(),
              before + model.host.exchange.at(1000), 1e-12);
  link.rendezvous_above = 100;
  const Flow without = model_of(link);
  model.links = without.links;
  EXPECT_NEAR(play_flows(exchange, ChannelMap::single_channel(), model).seconds(),
              play_flows(exchange, ChannelMap::single_channel(), without).seconds() + 1e-6, 1e-12);
}

/// Of each of four ranks, one after the other.
Schedule two_exchanges() {
  return build_schedule(find_algorithm(Collective::kAllgather, "recursive-doubling"), {.ranks = 4, .bytes = 1000});
}

TEST(Flows, ChargeEachRoundForFollowingTheProgram) {
  const Schedule exchanges = two_exchanges();
  Flow model = model_of(link_of(1e9));
  const Seconds before = play_flows(exchanges, ChannelMap::single_channel(), model).seconds();
  model.host.executor = 2e-6;
  EXPECT_NEAR(play_flows(exchanges, ChannelMap::single_channel(), model).seconds(), before + 4e-6, 1e-12);
}

TEST(Flows, ChargeTheExchangeThatBeginsACollectiveOnce) {
  const Schedule exchanges = two_exchanges();
  Flow model = model_of(link_of(1e9));
  const Seconds before = play_flows(exchanges, ChannelMap::single_channel(), model).seconds();
  model.host.simultaneous_start = 2e-6;
  EXPECT_NEAR(play_flows(exchanges, ChannelMap::single_channel(), model).seconds(), before + 2e-6, 1e-12);
  const Schedule bcast = linear_bcast(2, 1000);
  const Seconds lone = play_flows(bcast, ChannelMap::single_channel(), model_of(link_of(1e9))).seconds();
  EXPECT_EQ(play_flows(bcast, ChannelMap::single_channel(), model).seconds(), lone);
}

TEST(Flows, ChargeEachRankItsFirstAnswer) {
  const auto longer = [](Collective collective, const char* algorithm, Rank ranks) {
    const Schedule schedule = build_schedule(find_algorithm(collective, algorithm), {.ranks = ranks, .bytes = 1000});
    Flow model = model_of(link_of(1e9));
    const Seconds before = play_flows(schedule, ChannelMap::single_channel(), model).seconds();
    model.host.first_response = 2e-6;
    return play_flows(schedule, ChannelMap::single_channel(), model).seconds() - before;
  };
  EXPECT_NEAR(longer(Collective::kBcast, "linear", 4), 0, 1e-12) << "nobody answers";
  EXPECT_NEAR(longer(Collective::kBcast, "pipeline", 4), 2 * 2e-6, 1e-12) << "two ranks pass it on";
  EXPECT_NEAR(longer(Collective::kAllgather, "recursive-doubling", 8), 2e-6, 1e-12)
      << "all at once, in the second round";
}

/// Four ranks send to one, whose processor takes in one message after the other.
TEST(Flows, TakeTurnsAtAProcessorThatMovesThem) {
  FlowLink link = link_of(1e9);
  link.rendezvous_above = 1000;
  const Schedule gather =
      build_schedule(find_algorithm(Collective::kGather, "linear"), {.ranks = 5, .bytes = 1'000'000});
  EXPECT_NEAR(finish_of(gather, link).back(), (10.016 + 1000) * 1e-6, 1e-12);
  link.in_turn = 1;
  EXPECT_NEAR(finish_of(gather, link).back(), 4 * (10.016 + 1000) * 1e-6, 1e-12);
  link.in_turn = 0.25;  // the processor works for a quarter of the latency of those that wait
  EXPECT_NEAR(finish_of(gather, link).back(), (10.016 + 3 * 2.504 + 4 * 1000) * 1e-6, 1e-12);
}

TEST(Flows, TakeTheMedianWhereStartsMatter) {
  FlowLink link = link_of(1e9);
  link.limits.sender = 1e-9;
  const Schedule schedule = linear_bcast(5, 1'000'000);
  const Seconds together = play_flows(schedule, ChannelMap::single_channel(), model_of(link)).seconds();
  const Seconds apart = flow_seconds(schedule, ChannelMap::single_channel(), model_of(link));
  EXPECT_NEAR(apart, together, 2 * kStartSpread);
}

/// An exclusive scan stores the first value that comes, and adds the next ones.
TEST(Flows, CountOperationsOfPrefixesOnce) {
  const FlowLink link = link_of(1e9);
  Flow model = model_of(link);
  const auto time_of = [&](Collective collective, Rank ranks) {
    const Schedule schedule =
        build_schedule(find_algorithm(collective, "linear"), {.ranks = ranks, .bytes = 8000, .element_bytes = 8});
    return play_flows(schedule, ChannelMap::single_channel(), model).seconds();
  };
  const Seconds scan = time_of(Collective::kScan, 3);
  const Seconds exscan = time_of(Collective::kExscan, 3);
  model.combine_per_byte = 1e-9;
  EXPECT_NEAR(time_of(Collective::kScan, 3) - scan, 2 * 8e-6, 1e-12);
  EXPECT_NEAR(time_of(Collective::kExscan, 3) - exscan, 8e-6, 1e-12);
}

/// The root is sent back what it has just scattered, into the place that its send still reads: the second message waits
/// for the first, and the two never share the card.
TEST(Flows, WaitForSendsWhosePlacesAreNeeded) {
  FlowLink link = link_of(1e9);
  link.rendezvous_above = 1000;
  link.limits.sender = 1e-9;
  const Schedule schedule =
      build_schedule(find_algorithm(Collective::kBcast, "scatter-rd-allgather"), {.ranks = 2, .bytes = 200'000});
  const Seconds one_message = 10.016e-6 + 100e-6;
  EXPECT_NEAR(finish_of(schedule, link).back(), 2 * one_message + 2e-6, 1e-9);
}

TEST(Flows, OfMessagesThatScatterTakeAsLongAsTheSlowest) {
  FlowLink link = link_of(1e9);
  const Schedule one = linear_bcast(2, 1'000'000);
  const Schedule many = linear_bcast(65, 1'000'000);
  const auto seconds = [&](const Schedule& schedule) {
    return flow_seconds(schedule, ChannelMap::single_channel(), model_of(link));
  };
  const Seconds one_alike = seconds(one);
  const Seconds many_alike = seconds(many);
  link.host.scatter = 0.1;
  EXPECT_NEAR(seconds(one) / one_alike, 1, 0.1);
  // The largest of 64 exponential variables is about ln 64 + 0.58.
  EXPECT_NEAR(seconds(many) / many_alike, 1 + 0.1 * (std::log(64) + 0.58 - std::numbers::ln2), 0.1);
  // Without chance it is the model's own time.
  EXPECT_NEAR(finish_of(one, link).back(), one_alike, 2 * kStartSpread);
}

}  // namespace
}  // namespace postage
