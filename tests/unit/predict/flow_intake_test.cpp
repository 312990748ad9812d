#include <postage/predict/flows/flows.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

/// Every message is a rendezvous of 10 us and 1 ns a byte.
FlowLink fetched_in_turn() {
  FlowLink link;
  link.send_overhead = CostCurve::constant(1e-6);
  link.latency = 10e-6;
  link.seconds_per_byte = 1e-9;
  link.rendezvous_above = 0;
  link.in_turn = 1;
  link.drains = true;
  return link;
}

/// When the last of two ranks is done that exchange 2,000 bytes in so many segments; they start within so long.
Seconds exchange(const FlowLink& link, Bytes segment, Seconds spread = 0) {
  Flow model;
  model.links.set_channel(0, {{0, link}});
  const Schedule ring = build_schedule(find_algorithm(Collective::kAllgather, "ring"),
                                       {.ranks = 2, .bytes = 2000, .segment_bytes = segment});
  return play_flows(ring, ChannelMap::single_channel(), model, {.spread = spread}).seconds();
}

/// By hand: a rank starts 0 us and the other some 0.1 us later. This one has the first segment, ready at 1 us, at 12
/// us, since what it is kept for, 9 us of the latency, it can begin at 2 us, and begins its second one; the first
/// rank's is ready and in by 0.1 us later, when the second one has begun: it takes that in, from 13 us to 23 us, and
/// only then sends its own, from 24 us to 35 us.
TEST(FlowIntake, TakesInWhatHadBegunBeforeARankGoesOn) {
  FlowLink link = fetched_in_turn();
  link.in_turn = 0.9;
  EXPECT_NEAR(exchange(link, 1000, 0.2e-6), 35e-6, 0.2e-6);
}

/// To the nanosecond in step, neither has begun a second one when the other has the first: both have them at 24 us. So
/// it is where ranks go on with what they waited for.
TEST(FlowIntake, IsOfNoMatterWhereRanksAreInStepOrGoOn) {
  EXPECT_NEAR(exchange(fetched_in_turn(), 1000), 24e-6, 1e-12);
  FlowLink link = fetched_in_turn();
  link.drains = false;
  EXPECT_NEAR(exchange(link, 1000, 0.2e-6), 24e-6, 0.2e-6);
}

/// Both fetch from 1 us to 13 us, each 5 us longer as they meet.
TEST(FlowIntake, MessagesTakeLongerThatRanksFetchFromOneAnother) {
  FlowLink link = fetched_in_turn();
  link.host.crossing = CostCurve::constant(5e-6);
  EXPECT_NEAR(exchange(link, 0), 18e-6, 1e-12);
}

/// Of three in a ring each fetches from one while another fetches from it: twice from 1 us on, for 17 us instead of 12.
TEST(FlowIntake, MessagesTakeLongerThatAreFetchedFromARankThatFetches) {
  FlowLink link = fetched_in_turn();
  Flow model;
  const Schedule ring = build_schedule(find_algorithm(Collective::kAllgather, "ring"), {.ranks = 3, .bytes = 2000});
  const auto seconds = [&] {
    model.links.set_channel(0, {{0, link}});
    return play_flows(ring, ChannelMap::single_channel(), model).seconds();
  };
  EXPECT_NEAR(seconds(), 26e-6, 1e-12);
  link.host.crossing = CostCurve::constant(5e-6);
  EXPECT_NEAR(seconds(), 36e-6, 1e-12);
}

/// When all of a linear collective's three ranks are done, of 1,000 bytes.
Seconds fan(Collective collective, const FlowLink& link) {
  Flow model;
  model.links.set_channel(0, {{0, link}});
  const Schedule schedule = build_schedule(find_algorithm(collective, "linear"), {.ranks = 3, .bytes = 1000});
  return play_flows(schedule, ChannelMap::single_channel(), model).seconds();
}

/// Two are ready at once, since calls that block take nothing to start. The first is fetched by 11 us. The other
/// takes another 11 us; by R = 1/2 6 us; or as long as
/// is known, also if that is less than its bytes alone take.
TEST(FlowIntake, AFurtherMessageTakesWhatIsKnownOfIt) {
  FlowLink link = fetched_in_turn();
  EXPECT_NEAR(fan(Collective::kGather, link), 22e-6, 1e-12);
  link.in_turn = 0.5;
  EXPECT_NEAR(fan(Collective::kGather, link), 17e-6, 1e-12);
  link.further = CostCurve({{0, 3e-6}, {2000, 5e-6}});
  EXPECT_NEAR(fan(Collective::kGather, link), 15e-6, 1e-12);
  link.further = CostCurve::constant(0.25e-6);
  EXPECT_NEAR(fan(Collective::kGather, link), 11.25e-6, 1e-12);
}

/// The root has started the two sends at 1 and at 2 us; the second can be fetched 4 us after the first.
TEST(FlowIntake, MessagesAreReleasedOneAfterTheOther) {
  FlowLink link = fetched_in_turn();
  EXPECT_NEAR(fan(Collective::kScatter, link), 13e-6, 1e-12);
  link.release = 4e-6;
  EXPECT_NEAR(fan(Collective::kScatter, link), 16e-6, 1e-12);
}

/// A root and its receiver start together: 4 us and 11 us; calls that block take nothing to start. The next one in the
/// chain has waited long, and has it 11 us later.
TEST(FlowIntake, MessagesTakeLongerWhoseReceiversDoNotWaitYet) {
  FlowLink link = fetched_in_turn();
  link.host.unawaited = CostCurve::constant(4e-6);
  Flow model;
  model.links.set_channel(0, {{0, link}});
  const Schedule chain = build_schedule(find_algorithm(Collective::kBcast, "pipeline"), {.ranks = 3, .bytes = 1000});
  const std::vector<Seconds> finish = play_flows(chain, ChannelMap::single_channel(), model).finish;
  EXPECT_NEAR(finish[0], 15e-6, 1e-12);
  EXPECT_NEAR(finish[2], 26e-6, 1e-12);
}

/// The same of eager ones, of 12 us each: 4 us more at the root, and none in the chain's next rank.
TEST(FlowIntake, EagerMessagesTakeLongerWhoseReceiversDoNotWaitYet) {
  FlowLink link = fetched_in_turn();
  link.rendezvous_above = 1'000'000;
  const auto finish = [&] {
    Flow model;
    model.links.set_channel(0, {{0, link}});
    const Schedule chain = build_schedule(find_algorithm(Collective::kBcast, "pipeline"), {.ranks = 3, .bytes = 1000});
    return play_flows(chain, ChannelMap::single_channel(), model).finish;
  };
  const std::vector<Seconds> before = finish();
  EXPECT_NEAR(before[2], 24e-6, 1e-12);
  link.host.unawaited = CostCurve::constant(4e-6);
  EXPECT_NEAR(finish()[1], before[1] + 4e-6, 1e-12);
  EXPECT_NEAR(finish()[2], before[2] + 4e-6, 1e-12);
}

/// Of a chain of two ranks and two segments.
std::vector<Seconds> chain(const FlowLink& link, Calls calls) {
  Flow model;
  model.links.set_channel(0, {{0, link}});
  Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, "pipeline"),
                                     {.ranks = 2, .bytes = 2000, .segment_bytes = 1000});
  schedule.calls = calls;
  return play_flows(schedule, ChannelMap::single_channel(), model).finish;
}

/// The root is done 3 us after the last segment has arrived, and sends it that much later where it waits for the first.
TEST(FlowIntake, SendersGoOnWhenTheyHearOfTheArrival) {
  FlowLink link = fetched_in_turn();
  for (const Calls calls : {Calls::kOverlapping, Calls::kBlocking}) {
    const Seconds later = calls == Calls::kBlocking ? 3e-6 : 0;
    link.host.acknowledged = {};
    const std::vector<Seconds> before = chain(link, calls);
    EXPECT_NEAR(before[0], before[1], 1e-12);
    link.host.acknowledged = CostCurve({{0, 1e-6}, {1000, 3e-6}});
    EXPECT_NEAR(chain(link, calls)[0], before[0] + later + 3e-6, 1e-12);
    EXPECT_NEAR(chain(link, calls)[1], before[1] + later, 1e-12);
  }
}

/// Rank 1 has sent two segments by 2 us. The root fetches the first one from 1 us to 12 us and combines it until 17 us.
/// The second one it fetches then, until 28 us, or before it combines the first: either way it is done at 33 us.
TEST(FlowIntake, NothingIsFetchedByARankThatCombines) {
  FlowLink link = fetched_in_turn();
  Flow model;
  model.combine_per_byte = 5e-9;
  const Schedule pipeline = build_schedule(find_algorithm(Collective::kReduce, "pipeline"),
                                           {.ranks = 2, .bytes = 2000, .segment_bytes = 1000});
  for (const bool drains : {false, true}) {
    link.drains = drains;
    model.links.set_channel(0, {{0, link}});
    EXPECT_NEAR(play_flows(pipeline, ChannelMap::single_channel(), model).finish[0], 33e-6, 1e-12);
  }
}

/// The root fetches 1,000 bytes and copies as many: 2,000, of which caches hold less, and which b and c say take 2 us
/// and 3 us more, of the half that each moves 1 us and 1.5 us.
TEST(FlowIntake, MessagesAndCopiesTakeLongerThatCachesDoNotHold) {
  FlowLink link = fetched_in_turn();
  CostCurve copy({{0, 0}, {1000, 1e-6}, {2000, 2e-6}});
  const auto gathered = [&] {
    Flow model;
    model.links.set_channel(0, {{0, link}});
    model.host.copy = copy;
    const Schedule gather = build_schedule(find_algorithm(Collective::kGather, "linear"), {.ranks = 2, .bytes = 1000});
    return play_flows(gather, ChannelMap::single_channel(), model).finish[0];
  };
  const Seconds held = gathered();
  link.host.spilled = CostCurve({{0, 0}, {1000, 0}, {2000, 2e-6}});
  EXPECT_NEAR(gathered(), held + 1e-6, 1e-12);
  copy = CostCurve({{0, 0}, {1000, 1e-6}, {2000, 5e-6}});
  EXPECT_NEAR(gathered(), held + 1e-6 + 1.5e-6, 1e-12);
}

/// Both ranks copy their blocks, 2,000 bytes in 2 us, while their first segments are under way; 1,000 of them the other
/// rank fetched out of the copy when it ran before: 6 us more. So first segments are fetched from 9 us to 20 us, and
/// second ones, in step, from 21 us to 32 us; w says 4 us for what was written, and is less than what writing took.
TEST(FlowIntake, CopyingTakesLongerOverWhatOthersFetched) {
  FlowLink link = fetched_in_turn();
  link.host.rewritten = CostCurve({{0, 0}, {1'000'000, 4e-3}});
  const auto seconds = [&] {
    Flow model;
    model.links.set_channel(0, {{0, link}});
    model.host.copy = CostCurve({{0, 0}, {1'000'000, 1e-3}});
    const Schedule ring = build_schedule(find_algorithm(Collective::kAllgather, "ring"),
                                         {.ranks = 2, .bytes = 2000, .segment_bytes = 1000});
    return play_flows(ring, ChannelMap::single_channel(), model).seconds();
  };
  EXPECT_NEAR(seconds(), 30e-6, 1e-12);  // fetched from 3 to 14 us, and after 1 and 4 us to 30 us
  link.host.overwriting = CostCurve({{0, 0}, {1'000'000, 6e-3}});
  EXPECT_NEAR(seconds(), 32e-6, 1e-12);
}

}  // namespace
}  // namespace postage
