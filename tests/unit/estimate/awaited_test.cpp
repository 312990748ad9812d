#include "estimate/flow/awaited.hpp"

#include "estimate/flow/protocols.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <gtest/gtest.h>

namespace postage {
namespace {

constexpr Bytes kFirstAwaited = 3072;
constexpr Bytes kLastSize = 12287;

Seconds receive_of(Bytes bytes) {
  return 9e-6 + 4e-10 * static_cast<double>(bytes);
}

TimesBySize receives() {
  TimesBySize times;
  for (const Bytes bytes : {1, 1024, 3071}) {
    times[bytes] = Estimate::exactly(receive_of(bytes));
  }
  return times;
}

/// One-way times on one line; those that are awaited are less by `missing`.
AwaitedCurve one_way_times(Seconds missing) {
  std::vector<CurvePoint> points;
  for (const Bytes bytes : {1, 1024, 3071, 3072, 8192}) {
    points.push_back({bytes, 25e-6 + 2e-9 * static_cast<double>(bytes) - (bytes < kFirstAwaited ? 0 : missing)});
  }
  return {points, receive_of(kFirstAwaited - 1)};
}

TEST(ReceivesWhenAwaited, GoOnWhereAMessageAloneTakesNoLess) {
  const TimesBySize awaited = receives_when_awaited(receives(), {one_way_times(0)}, kFirstAwaited, kLastSize);
  ASSERT_EQ(awaited.size(), 2U);
  EXPECT_NEAR(awaited.at(kFirstAwaited).value, receive_of(kFirstAwaited), 1e-10);
  EXPECT_NEAR(awaited.at(kLastSize).value, receive_of(kLastSize), 1e-10);
}

/// An overhead of 10.2 us at 3071 bytes: 5.1 us less are what is left when noise took half of it, 5.3 us are not.
TEST(ReceivesWhenAwaited, HaveGoneWhereItTakesLess) {
  const TimesBySize stay = receives_when_awaited(receives(), {one_way_times(5.0e-6)}, kFirstAwaited, kLastSize);
  EXPECT_NEAR(stay.at(kFirstAwaited).value, receive_of(kFirstAwaited), 1e-10);
  const TimesBySize gone = receives_when_awaited(receives(), {one_way_times(5.3e-6)}, kFirstAwaited, kLastSize);
  EXPECT_EQ(gone.at(kFirstAwaited).value, 0);
}

TEST(ReceivesWhenAwaited, AreNotKnownWithoutSmallerMessages) {
  EXPECT_TRUE(receives_when_awaited({}, {one_way_times(0)}, kFirstAwaited, kLastSize).empty());
  const AwaitedCurve large{{{4096, 30e-6}, {8192, 40e-6}}, 10e-6};
  EXPECT_EQ(receives_when_awaited(receives(), {large}, kFirstAwaited, kLastSize).at(kFirstAwaited).value, 0);
}

/// Each pair says it by its own times: of two hosts of which one is slower, and one pair that noise made faster.
TEST(ReceivesWhenAwaited, GoOnWhereMostPairsSaySo) {
  AwaitedCurve slow = one_way_times(0);
  for (CurvePoint& point : slow.points) {
    point.seconds *= 2;
  }
  const AwaitedCurve noisy = one_way_times(6e-6);
  EXPECT_GT(receives_when_awaited(receives(), {slow, noisy, one_way_times(0)}, kFirstAwaited, kLastSize)
                .at(kFirstAwaited)
                .value,
            0);
  EXPECT_EQ(receives_when_awaited(receives(), {slow, noisy, noisy}, kFirstAwaited, kLastSize).at(kFirstAwaited).value,
            0);
}

/// By the line through all overheads: between two that are 31 bytes apart noise of 1 % would be a slope of its own.
TEST(ReceivesWhenAwaited, FollowNoNoise) {
  TimesBySize noisy = receives();
  noisy[3040] = Estimate::exactly(receive_of(3040) * 1.01);
  EXPECT_NEAR(along_line(noisy, kFirstAwaited, kLastSize).at(kLastSize).value / receive_of(kLastSize), 1, 0.02);
}

// Late receives are measured of few pairs: the others' messages leave as late as those.
TEST(FlowProtocols, OfPairsWithoutLateReceivesAreTheirChannels) {
  SampleSet samples = without_measurements(2);
  samples.is_virtual = true;
  const CampaignData campaign(samples);
  const PairData pair{.first = 0, .second = 1, .channel = kInterNode};
  const ScopeData scope{.scope = {.first = 0, .second = 1}, .pairs = {&pair}, .lines = {}};
  const std::vector<CurvePoint> points{{1, 30e-6}, {8192, 40e-6}};
  const FlowProtocols channel{.rendezvous_above = 4095, .awaited_from = 2048};
  EXPECT_EQ(flow_protocols(campaign, scope, points, &channel).awaited_from, 2048);
  const FlowProtocols without{.rendezvous_above = 2047, .awaited_from = 2048};
  EXPECT_EQ(flow_protocols(campaign, scope, points, &without).awaited_from, std::nullopt) << "a rendezvous is anyway";
}

}  // namespace
}  // namespace postage
