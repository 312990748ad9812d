// log_nP and its family, tau-Lop and the extended PLogP from samples whose every time follows from known parameters.
#include "support/exhaustive.hpp"
#include "unit/estimate/synthetic.hpp"

#include <postage/estimate/estimate.hpp>
#include <postage/model/cell_plogp.hpp>
#include <postage/model/log_np.hpp>
#include <postage/model/tau_lop.hpp>
#include <postage/model/two_log.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace postage {
namespace {

constexpr double kOnePercent = 0.01;

const std::vector<Bytes> kEveryEighth{1, 8, 64, 512, 4096, 32768, 262144};

const char* const kLevels =
    "[shared-cache] o_mw=0:1us;16K:9us;1M:500us,l_mw=0/8:0;16K/8:5us;0/64:0;16K/64:9us;0/512:0;16K/512:14us "
    "[inter-node] o_mw=0:3us;16K:19us;1M:900us,l_mw=0/8:0;16K/8:8us;0/64:0;16K/64:13us;0/512:0;16K/512:33us,"
    "o_net=0:20us;16K:150us;1M:9ms";

SyntheticPlan strided_plan() {
  return {.roundtrips = powers_of_two(), .overheads = {1, 1024, 4096, 16384, 1 << 20}, .strided = {1024, 4096, 16384}};
}

/// Nothing here is a multiple of anything: between perfectly parallel and serial, and different at each tau.
const char* const kNonlinear =
    "[shared-cache] o=1us,L=1/1:0;32K/1:5us;1M/1:300us;1/2:0.1us;32K/2:6us;1M/2:420us;"
    "1/4:0.4us;32K/4:11us;1M/4:700us;1/8:1us;32K/8:31us;1M/8:2ms,n=2 "
    "[inter-node] o=12us,L=1/1:0;32K/1:30us;1M/1:1100us;1/2:1us;32K/2:34us;1M/2:1900us;"
    "1/4:2us;32K/4:80us;1M/4:5ms;1/8:5us;32K/8:260us;1M/8:12ms,n=1,n@shared-cache=2";

SyntheticPlan shared_plan() {
  return {.roundtrips = powers_of_two(), .concurrent = {1, 8, 64, 512, 4096, 32768, 262144, 1 << 20}};
}

Platform estimate(const SyntheticMachine& machine, const SyntheticPlan& plan) {
  return estimate_platform(measure(machine, plan), machine.model);
}

const ParameterTable& table_of(const Platform& platform, const std::string& model) {
  for (const ParameterTable& table : platform.models) {
    if (table.model == model) {
      return table;
    }
  }
  throw std::runtime_error("no " + model);
}

/// Truth and what was estimated, side by side.
struct Compared {
  double truth = 0;
  Estimate found;
};

void compare(const CostCurve& truth, const ParameterCurve& found, std::vector<Compared>& all) {
  for (const ParameterPoint& point : found) {
    all.push_back({truth.at(static_cast<double>(point.bytes)), point.estimate});
  }
}

void compare(const CostSurface& truth, const ParameterSurface& found, std::vector<Compared>& all) {
  for (const ParameterRow& row : found) {
    for (const ParameterPoint& point : row.curve) {
      all.push_back({truth.at(static_cast<double>(point.bytes), row.at), point.estimate});
    }
  }
}

void expect_close(const std::vector<Compared>& all, double least) {
  for (const Compared& one : all) {
    EXPECT_NEAR(one.found.value, one.truth, kOnePercent * std::max(one.truth, least));
  }
}

std::vector<Compared> compare_levels(const SyntheticMachine& machine, const Platform& platform) {
  const auto truth = *machine.truth().target<TwoLog>();
  std::vector<Compared> all;
  for (ChannelId channel = 0; channel < 2; ++channel) {
    const MiddlewareLevel& level = truth.links.at({.channel = channel});
    const ParameterGroup& group = group_for(platform, "2log23p", machine.channels()[channel]);
    compare(level.overhead, group.curves.at("o_mw"), all);
    compare(*level.latency, group.surfaces.at("l_mw"), all);
    if (channel == 1) {
      compare(level.network, group.curves.at("o_net"), all);
    } else {
      EXPECT_FALSE(group.curves.contains("o_net")) << "nothing within a node";
    }
  }
  return all;
}

TEST(TwoLogEstimate, EveryCurveAndStrideIsRecovered) {
  const SyntheticMachine machine{.model = "2log23p", .parameters = kLevels};
  const Platform platform = estimate(machine, strided_plan());
  const std::vector<Compared> all = compare_levels(machine, platform);
  EXPECT_GT(all.size(), 80U);
  expect_close(all, 1e-9);
  EXPECT_LT(table_of(platform, "2log23p").fit.largest_relative_residual, 1e-9);
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
  const Model found = build_model(table_of(platform, "2log23p"), platform.channels);
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
  const Model log_3p = build_model(table_of(platform, "log3p"), platform.channels);
  EXPECT_NEAR(cost(log_3p, {.bytes = 16384}).total() / 9e-6, 1, kOnePercent);
  EXPECT_EQ(cost(log_3p, {.bytes = 16384}).wire, 0);
}

std::vector<Compared> compare_transfers(const SyntheticMachine& machine, const Platform& platform) {
  const auto truth = *machine.truth().target<TauLop>();
  std::vector<Compared> all;
  for (ChannelId channel = 0; channel < machine.channels().size(); ++channel) {
    const TauLopLink& link = truth.links.at({.channel = channel});
    const ParameterGroup& group = group_for(platform, "taulop", machine.channels()[channel]);
    EXPECT_EQ(group.values.at("n").value, link.transfers);
    compare(link.overhead, group.curves.at("o"), all);
    compare(link.transfer, group.surfaces.at("L"), all);
  }
  return all;
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
  const Model found = build_model(table_of(platform, "taulop"), platform.channels);
  for (const double tau : {1, 2, 4, 8}) {
    for (const Bytes bytes : {1, 64, 32768, 1 << 20}) {
      const TransferQuestion question{
          .bytes = bytes, .concurrency = tau, .sending_concurrency = tau, .receiving_concurrency = tau};
      EXPECT_NEAR(cost(found, question).total() / cost(machine.truth(), question).total(), 1, 1e-9) << tau;
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
  const Model found = build_model(table_of(platform, "taulop"), platform.channels);
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
  const Model found = build_model(table_of(platform, "taulop"), platform.channels);
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

const char* const kCell =
    "[shared-cache] L=1:1us;1M:100us,g=1:0.5us;1M:70us,C=1/2:0;1M/2:0;1/4:0.1us;1M/4:20us;1/8:0.7us;1M/8:90us,"
    "g_ack=0.5us "
    "[inter-node] L=1:20us;1M:9ms,g=1:4us;1M:8ms,C=1/2:0;1M/2:0;1/4:1us;1M/4:1ms;1/8:2us;1M/8:5ms;1/16:5us;"
    "1M/16:19ms,g_ack=4us";

SyntheticPlan fan_plan() {
  return {.roundtrips = powers_of_two(), .overheads = {1, 1024}, .fans = kEveryEighth};
}

std::vector<Compared> compare_cell(const SyntheticMachine& machine, const Platform& platform) {
  const auto truth = *machine.truth().target<CellPLogP>();
  std::vector<Compared> all;
  for (ChannelId channel = 0; channel < machine.channels().size(); ++channel) {
    const CellPLogPLink& link = truth.links.at({.channel = channel});
    const ParameterGroup& group = group_for(platform, "plogp-cell", machine.channels()[channel]);
    compare(link.latency, group.curves.at("L"), all);
    compare(link.gap, group.curves.at("g"), all);
    compare(link.contention, group.surfaces.at("C"), all);
    all.push_back({link.gap_of_ack, group.values.at("g_ack")});
  }
  return all;
}

TEST(CellEstimate, IsRecoveredWhicheverWayARootServes) {
  for (const bool in_order : {false, true}) {
    const SyntheticMachine machine{.model = "plogp-cell", .parameters = kCell, .serves_in_order = in_order};
    const std::vector<Compared> all = compare_cell(machine, estimate(machine, fan_plan()));
    EXPECT_GT(all.size(), 80U);
    expect_close(all, 1e-8);
  }
}

TEST(CellEstimate, TwoRanksTellTheGapByTrains) {
  const SyntheticMachine machine{.model = "plogp-cell",
                                 .parameters = "[shared-cache] L=1:1us;1M:100us,g=1:0.5us;1M:70us",
                                 .nodes = 1,
                                 .ranks_per_node = 2};
  SyntheticPlan plan = fan_plan();
  plan.overheads = {1, 1024, 65536};
  const ParameterGroup group = group_for(estimate(machine, plan), "plogp-cell", kSharedCache);
  const auto truth = *machine.truth().target<CellPLogP>();
  std::vector<Compared> all;
  compare(truth.links.at({}).gap, group.curves.at("g"), all);
  EXPECT_EQ(all.size(), 3U);
  expect_close(all, 1e-9);
}

// Fewer than six different times have no interval, as in campaigns that were stopped.
TEST(FewRepetitions, AreLeftOut) {
  const SyntheticMachine machine{.model = "taulop", .parameters = kNonlinear};
  SampleSet samples = measure(machine, shared_plan());
  for (Measurement& m : samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kRoundtrip ? e.bytes == 2048 : e.members.size() == 16) {
      const std::vector<std::vector<double>> once{{m.summary.median, 1.1 * m.summary.median}};
      m.summary = summarise(once, samples.settings.confidence);
    }
  }
  const Platform platform = estimate_platform(samples, "stopped");
  EXPECT_EQ(group_for(platform, "taulop", kInterNode).surfaces.at("L").back().at, 4) << "16 members are 8 each way";
  const std::vector<Compared> all = compare_transfers(machine, platform);
  expect_close(all, 1e-8);
  for (const Compared& one : all) {
    EXPECT_TRUE(std::isfinite(one.found.lower) && std::isfinite(one.found.upper));
  }
}

/// Share of the truths that lie in the intervals of what was estimated, over seeds.
template <typename Compare>
double coverage(SyntheticMachine machine, const SyntheticPlan& plan, const Compare& compare_all) {
  machine.noise = 0.01;
  std::size_t inside = 0;
  std::size_t count = 0;
  for (machine.seed = 1; machine.seed <= (test::is_exhaustive() ? 12U : 4U); ++machine.seed) {
    for (const Compared& one : compare_all(machine, estimate(machine, plan))) {
      const double rounding = 1e-9 * one.truth;
      inside += one.found.lower <= one.truth + rounding && one.truth - rounding <= one.found.upper ? 1 : 0;
      EXPECT_LE(one.found.lower, one.found.value);
      EXPECT_LE(one.found.value, one.found.upper);
      ++count;
    }
  }
  return static_cast<double>(inside) / static_cast<double>(count);
}

TEST(Noise, TruthsLieWithinTheIntervals) {
  EXPECT_GE(coverage({.model = "2log23p", .parameters = kLevels}, strided_plan(), compare_levels), 0.95);
  EXPECT_GE(coverage({.model = "taulop", .parameters = kNonlinear}, shared_plan(), compare_transfers), 0.95);
  EXPECT_GE(coverage({.model = "plogp-cell", .parameters = kCell}, fan_plan(), compare_cell), 0.95);
}

// Intervals that hold everything would say nothing.
TEST(Noise, IntervalsAreNarrowWhereTimesAre) {
  const SyntheticMachine machine{.model = "taulop", .parameters = kNonlinear, .noise = 0.01};
  const Platform platform = estimate(machine, shared_plan());
  for (const char* channel : {kSharedCache, kInterNode}) {
    const ParameterSurface& transfer = group_for(platform, "taulop", channel).surfaces.at("L");
    for (const ParameterRow& row : transfer) {
      const Estimate& largest = row.curve.back().estimate;
      EXPECT_LT((largest.upper - largest.lower) / largest.value, 0.1) << channel << ", tau = " << row.at;
    }
  }
}

}  // namespace
}  // namespace postage
