#include <postage/predict/flows/flows.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

FlowLink link_with(Seconds send_overhead, Seconds receive_overhead, Seconds latency) {
  FlowLink link;
  link.send_overhead = CostCurve::constant(send_overhead);
  link.receive_overhead = CostCurve::constant(receive_overhead);
  link.latency = latency;
  link.seconds_per_byte = 1e-9;
  return link;
}

/// A get by hand: 3 us until it is sent, 100 us and 1000 us on the way, nothing more for its receiver; then 1 us to
/// answer, and 10 us and 2 us for a message without data.
TEST(FlowGets, KeepTheSenderUntilTheAnswerHasCome) {
  Flow model;
  model.links.set_channel(0, {{0, link_with(1e-6, 2e-6, 10e-6)}, {1000, link_with(3e-6, 5e-6, 100e-6)}});
  const Schedule get =
      build_schedule(find_algorithm(Collective::kBcast, "binomial-opt"), {.ranks = 2, .bytes = 1'000'000});
  const std::vector<Seconds> finish = play_flows(get, ChannelMap::single_channel(), model).finish;
  EXPECT_NEAR(finish[1], 1104e-6, 1e-12);
  EXPECT_NEAR(finish[0], 1116e-6, 1e-12);
}

/// The same with h: 7 us for a message that would leave at once by itself, none where it is larger than S anyway.
TEST(FlowGets, TellOneAnotherBefore) {
  const Schedule get =
      build_schedule(find_algorithm(Collective::kBcast, "binomial-opt"), {.ranks = 2, .bytes = 1'000'000});
  for (const bool is_larger : {false, true}) {
    FlowLink data = link_with(3e-6, 5e-6, 100e-6);
    data.host.handshake = CostCurve::constant(7e-6);
    data.rendezvous_above = is_larger ? 999'999 : 1'000'000;
    Flow model;
    model.links.set_channel(0, {{0, link_with(1e-6, 2e-6, 10e-6)}, {1000, data}});
    const std::vector<Seconds> finish = play_flows(get, ChannelMap::single_channel(), model).finish;
    EXPECT_NEAR(finish[1], is_larger ? 1104e-6 : 1111e-6, 1e-12);
    EXPECT_NEAR(finish[0], is_larger ? 1116e-6 : 1123e-6, 1e-12);
  }
}

/// Of four ranks in a tree one passes on what it has received: d for a message that would leave at once by itself, else
/// w.
TEST(FlowGets, TakeLongerOutOfACacheThatWroteThem) {
  const Schedule tree =
      build_schedule(find_algorithm(Collective::kBcast, "binomial-opt"), {.ranks = 4, .bytes = 1'000'000});
  const auto last = [&](bool is_larger, const CostCurve& w, const CostCurve& d) {
    FlowLink data = link_with(3e-6, 5e-6, 100e-6);
    data.host.rewritten = w;
    data.host.rewritten_get = d;
    data.rendezvous_above = is_larger ? 999'999 : 1'000'000;
    Flow model;
    model.links.set_channel(0, {{0, link_with(1e-6, 2e-6, 10e-6)}, {1000, data}});
    return play_flows(tree, ChannelMap::single_channel(), model).finish[3];
  };
  for (const bool is_larger : {false, true}) {
    const Seconds longer = last(is_larger, CostCurve::constant(20e-6), CostCurve::constant(50e-6));
    EXPECT_NEAR(longer - last(is_larger, {}, {}), is_larger ? 20e-6 : 50e-6, 1e-12);
  }
  EXPECT_NEAR(last(false, CostCurve::constant(20e-6), {}) - last(false, {}, {}), 20e-6, 1e-12);
}

}  // namespace
}  // namespace postage
