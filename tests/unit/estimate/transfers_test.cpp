// log_nP and its family and tau-Lop from samples whose every time follows from known parameters.
#include "unit/estimate/transfers.hpp"

#include <postage/estimate/estimate.hpp>
#include <postage/model/cell_plogp.hpp>
#include <postage/model/log_np.hpp>
#include <postage/model/tau_lop.hpp>
#include <postage/model/two_log.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace postage {
namespace {

TEST(TwoLogEstimate, EveryCurveAndStrideIsRecovered) {
  const SyntheticMachine machine{.model = "2log23p", .parameters = kLevels};
  const Platform platform = estimate(machine, strided_plan());
  const std::vector<Compared> all = compare_levels(machine, platform);
  EXPECT_GT(all.size(), 80U);
  expect_close(all, 1e-9);
  EXPECT_LT(fitted_table(platform, "2log23p").fit.largest_relative_residual, 1e-9);
}

TEST(TwoLogEstimate, HandPackingIsKeptBesideDatatypes) {
  const Platform platform = estimate({.model = "2log23p", .parameters = kLevels}, strided_plan());
  for (const char* channel : {kSharedCache, kInterNode}) {
    const ParameterGroup& group = group_for(platform, "2log23p", channel);
    const ParameterPoint& by_datatypes = group.surfaces.at("l_mw").back().curve.back();
    const ParameterPoint& by_hand = group.surfaces.at("l_hand").back().curve.back();
    EXPECT_EQ(by_hand.bytes, by_datatypes.bytes);
    EXPECT_NEAR(by_hand.estimate.value / by_datatypes.estimate.value, 1.5, kOnePercent);
  }
}

// Sizes and strides that nothing was fitted to.
TEST(TwoLogEstimate, StridedMessagesArePredicted) {
  const SyntheticMachine machine{.model = "2log23p", .parameters = kLevels};
  const Platform platform = estimate(machine, strided_plan());
  const Model found = build_model(fitted_table(platform, "2log23p"), platform.channels);
  for (ChannelId channel = 0; channel < 2; ++channel) {
    for (const Bytes bytes : {1500, 3000, 12000}) {
      for (const Bytes stride : {0, 8, 32, 100, 512}) {
        const TransferQuestion question{.channel = channel, .bytes = bytes, .stride = stride};
        EXPECT_NEAR(cost(found, question).total() / cost(machine.truth(), question).total(), 1, kOnePercent)
            << bytes << " at strides of " << stride;
        EXPECT_NEAR(cost(found, question).sender_busy / cost(machine.truth(), question).sender_busy, 1, kOnePercent);
      }
    }
  }
}

TEST(MLogNPEstimate, ItsTransfersAreTheLevels) {
  const char* const text =
      "[shared-cache] o_0=0:1us;16K:4us;1M:200us,l_0=0/8:0;16K/8:3us;0/512:0;16K/512:7us,"
      "o_1=0:1us;16K:4us;1M:200us,l_1=0/8:0;16K/8:3us;0/512:0;16K/512:7us "
      "[inter-node] o_0=0:1us;16K:6us;1M:380us,l_0=0/8:0;16K/8:4us;0/512:0;16K/512:9us,o_1=0:20us;16K:150us;1M:9ms,"
      "o_2=0:2us;16K:9us;1M:560us,l_2=0/8:0;16K/8:4us;0/512:0;16K/512:9us";
  const SyntheticMachine machine{.model = "mlognp", .parameters = text};
  const Platform platform = estimate(machine, strided_plan());
  const auto truth = *machine.truth().target<MLogNP>();
  std::vector<Compared> all;
  for (ChannelId channel = 0; channel < 2; ++channel) {
    const ImplicitTransfers& level = truth.links.at({.channel = channel});
    const ParameterGroup& group = group_for(platform, "mlognp", machine.channels()[channel]);
    EXPECT_EQ(group.curves.size(), level.transfers.size());
    for (std::size_t i = 0; i < level.transfers.size(); ++i) {
      compare(level.transfers[i].overhead, group.curves.at("o_" + std::to_string(i)), all);
    }
    const std::string last = std::to_string(level.transfers.size() - 1);
    compare(*level.transfers.front().latency, group.surfaces.at("l_0"), all);
    compare(*level.transfers.back().latency, group.surfaces.at("l_" + last), all);
  }
  expect_close(all, 1e-9);
  // The model without channels has what holds between nodes.
  EXPECT_EQ(group_for(platform, "lognp", kAllChannels).curves, group_for(platform, "mlognp", kInterNode).curves);
  EXPECT_EQ(group_for(platform, "log3p", kAllChannels).curves, group_for(platform, "2log23p", kInterNode).curves);
}

TEST(LogNPFamily, NeedsToTellProcessorsFromTheNetwork) {
  SyntheticPlan plan = strided_plan();
  plan.overheads.clear();
  const Platform platform = estimate({.model = "2log23p", .parameters = kLevels}, plan);
  for (const ParameterTable& table : platform.models) {
    EXPECT_NE(table.model, "2log23p");
    EXPECT_NE(table.model, "lognp");
    EXPECT_NE(table.model, "log3p");
    EXPECT_NE(table.model, "mlognp");
  }
}

TEST(LogNPFamily, WithinOneNodeThereIsNoNetwork) {
  const char* const text = "[shared-cache] o_mw=0:1us;16K:9us;1M:500us";
  const Platform platform =
      estimate({.model = "2log23p", .parameters = text, .nodes = 1}, {.roundtrips = powers_of_two()});
  const Model log_3p = build_model(fitted_table(platform, "log3p"), platform.channels);
  EXPECT_NEAR(cost(log_3p, {.bytes = 16384}).total() / 9e-6, 1, kOnePercent);
  EXPECT_EQ(cost(log_3p, {.bytes = 16384}).wire, 0);
}

TEST(TauLopEstimate, ANonlinearSurfaceIsRecovered) {
  const SyntheticMachine machine{.model = "taulop", .parameters = kNonlinear};
  const Platform platform = estimate(machine, shared_plan());
  const std::vector<Compared> all = compare_transfers(machine, platform);
  EXPECT_GT(all.size(), 100U);
  expect_close(all, 1e-8);
  const ParameterGroup& network = group_for(platform, "taulop", kInterNode);
  EXPECT_EQ(network.values.at("n@shared-cache").value, 2);
  for (const ParameterGroup* group : {&network, &group_for(platform, "taulop", kSharedCache)}) {
    std::vector<double> taus;
    for (const ParameterRow& row : group->surfaces.at("L")) {
      taus.push_back(row.at);
    }
    EXPECT_EQ(taus, (std::vector<double>{1, 2, 4, 8}));
    EXPECT_FALSE(group->values.contains("S"));
  }
}

// What the smallest message takes is overhead, whatever of it is a transfer: only the sum can be told.
TEST(TauLopEstimate, OverheadAndTheSmallestTransferAreOneSum) {
  const SyntheticMachine machine{
      .model = "taulop",
      .parameters = "[shared-cache] o=1us,L=0/1:0.3us;64K/1:10us;1M/1:170us;0/4:0.4us;64K/4:25us;1M/4:500us,n=2",
      .nodes = 1};
  const Platform platform = estimate(machine, shared_plan());
  const ParameterGroup& group = group_for(platform, "taulop", kSharedCache);
  EXPECT_NEAR(group.curves.at("o").front().estimate.value, 1.6e-6, 1e-9);
  const Model found = build_model(fitted_table(platform, "taulop"), platform.channels);
  for (const double tau : {1, 2, 4, 8}) {
    for (const Bytes bytes : {1, 64, 32768, 1 << 20}) {
      const TransferQuestion question{
          .bytes = bytes, .concurrency = tau, .sending_concurrency = tau, .receiving_concurrency = tau};
      EXPECT_NEAR(cost(found, question).total() / cost(machine.truth(), question).total(), 1, 1e-8) << tau;
    }
  }
}

// Eager and rendezvous: the handshake moves no data, so it is overhead, and L goes on.
TEST(TauLopEstimate, ARendezvousIsAStepOfTheOverhead) {
  const SyntheticMachine machine{
      .model = "taulop",
      .parameters =
          "[shared-cache] o=1us,L=1/1:0;64K/1:10us;1M/1:170us;1/4:0.1us;64K/4:25us;1M/4:500us,n=2 "
          "[shared-cache from 16K] o=9us,L=1/1:0;64K/1:10us;1M/1:170us;1/4:0.1us;64K/4:25us;1M/4:500us,n=2",
      .nodes = 1};
  const Platform platform = estimate(machine, shared_plan());
  const Model found = build_model(fitted_table(platform, "taulop"), platform.channels);
  const Model truth = machine.truth();
  for (const double tau : {1, 3, 4}) {
    for (const Bytes bytes : {1, 300, 10000, 16383, 16384, 20000, 700000}) {
      const TransferQuestion question{
          .bytes = bytes, .concurrency = tau, .sending_concurrency = tau, .receiving_concurrency = tau};
      EXPECT_NEAR(cost(found, question).total() / cost(truth, question).total(), 1, kOnePercent) << bytes;
    }
  }
  const ParameterCurve& overhead = group_for(platform, "taulop", kSharedCache).curves.at("o");
  EXPECT_NEAR(overhead.front().estimate.value / 1e-6, 1, kOnePercent);
  EXPECT_NEAR(overhead.back().estimate.value / 9e-6, 1, kOnePercent);
}

TEST(TauLopEstimate, SegmentsShowWhereTransfersOverlap) {
  const SyntheticMachine machine{
      .model = "taulop",
      .parameters =
          "[shared-cache] o=1us,L=1/1:0;8K/1:4us;1/2:0;8K/2:5us;1/4:0;8K/4:9us;1/8:0;8K/8:18us;1/16:0;"
          "8K/16:36us,n=2,S=8K",
      .nodes = 1};
  const Platform platform = estimate(machine, {.roundtrips = powers_of_two(), .concurrent = kEveryEighth});
  const ParameterGroup& group = group_for(platform, "taulop", kSharedCache);
  ASSERT_TRUE(group.values.contains("S"));
  EXPECT_EQ(group.values.at("S").value, 8192);
  const Model found = build_model(fitted_table(platform, "taulop"), platform.channels);
  const Model truth = machine.truth();
  for (const double tau : {1, 2, 4}) {
    for (const Bytes bytes : {100, 8192, 12000, 65536, 1 << 20}) {
      const TransferQuestion question{
          .bytes = bytes, .concurrency = tau, .sending_concurrency = tau, .receiving_concurrency = tau};
      EXPECT_NEAR(cost(found, question).total() / cost(truth, question).total(), 1, kOnePercent)
          << bytes << ", tau = " << tau;
    }
  }
}

// A channel that takes twice as long for two is the same in whole messages and in segments.
TEST(TauLopEstimate, ASerialChannelShowsNoSegments) {
  const SyntheticMachine machine{
      .model = "taulop", .parameters = "[shared-cache] o=1us,L=1/1:0;1M/1:400us;1/2:0;1M/2:800us,n=2", .nodes = 1};
  const Platform platform = estimate(machine, shared_plan());
  EXPECT_FALSE(group_for(platform, "taulop", kSharedCache).values.contains("S"));
}

TEST(TauLopEstimate, AFastNetworkDoesNotPassTheMemory) {
  const SyntheticMachine machine{.model = "taulop",
                                 .parameters =
                                     "[shared-cache] o=1us,L=1/1:0;1M/1:400us;1/2:0;1M/2:800us;1/8:0;1M/8:3200us,n=2 "
                                     "[inter-node] o=3us,L=1/1:0;1M/1:100us;1/2:0;1M/2:150us;1/8:0;1M/8:600us,n=1"};
  const Platform platform = estimate(machine, shared_plan());
  EXPECT_FALSE(group_for(platform, "taulop", kInterNode).values.contains("n@shared-cache"));
  expect_close(compare_transfers(machine, platform), 1e-8);
}

}  // namespace
}  // namespace postage
