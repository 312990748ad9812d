#include <postage/predict/flows/flows.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

/// Three ranks in a row pass on three segments of 4,000 bytes: 1 us to send one, 10 us of latency, 1 ns a byte, which
/// messages to one rank have together.
Seconds pipeline_of_three(bool in_order, Bytes rendezvous_above = 1 << 20) {
  FlowLink link;
  link.send_overhead = CostCurve::constant(1e-6);
  link.latency = 10e-6;
  link.seconds_per_byte = 1e-9;
  link.limits.pair = 1e-9;
  link.in_order = in_order;
  link.rendezvous_above = rendezvous_above;
  Flow model;
  model.links.set_channel(0, {{0, link}});
  const Schedule row = build_schedule(find_algorithm(Collective::kBcast, "pipeline"),
                                      {.ranks = 3, .bytes = 12000, .segment_bytes = 4000});
  return play_flows(row, ChannelMap::single_channel(), model).seconds();
}

/// By hand: the segments move from 11, 15 and 19 us on, for 4 us each. Passed on 1 us after each has arrived, they move
/// from 26, 30 and 34 us on.
TEST(FlowOrder, MessagesToOneRankMoveOneAfterAnother) {
  EXPECT_NEAR(pipeline_of_three(true), 38e-6, 1e-12);
}

/// By hand: they begin to move at 11, 12 and 13 us, and share: they have arrived at 20.5, 22.5 and 23 us. The middle
/// rank's begin at 31.5, 33.5 and 34.5 us, and have arrived at 39, 43 and 43.5 us.
TEST(FlowOrder, MessagesShareOtherwise) {
  EXPECT_NEAR(pipeline_of_three(false), 43.5e-6, 1e-12);
}

/// A rank that waits for each of its sends has no two under way.
TEST(FlowOrder, IsOfNoMatterToSendersThatWait) {
  EXPECT_NEAR(pipeline_of_three(true, 0), pipeline_of_three(false, 0), 1e-12);
}

}  // namespace
}  // namespace postage
