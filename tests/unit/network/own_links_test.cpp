#include "estimate/network/own_links.hpp"

#include "estimate/data/host_times.hpp"
#include "estimate/flow/host_rates.hpp"
#include "estimate/network/bandwidths.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/model/model.hpp>
#include <postage/predict/flows/flows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace postage {
namespace {

constexpr int kTorusHosts = 9;
constexpr double kLink = 500e6;
constexpr double kOnePercent = 0.01;
constexpr Bytes kFromHost = 1 << 20;

/// A message alone is as fast as a link of the network, whatever hosts' own carry, which is in `own`.
ParameterTable flow_with(const OwnRates& own) {
  ParameterGroup link{.scope = {.channel = kInterNode}};
  for (const auto& [symbol, value] :
       {std::pair{"L", 1e-6}, {"G", 1 / kLink}, {"B_send", kLink}, {"B_receive", kLink}, {"x", 0.0}}) {
    link.values[symbol] = Estimate::exactly(value);
  }
  for (const char* symbol : {"o_s", "o_r"}) {
    link.curves[symbol] = {{0, Estimate::exactly(10e-9)}};
  }
  ParameterTable table{.model = "flow", .groups = {link}};
  for (std::size_t host = 0; host < own.size(); ++host) {
    ParameterGroup& processor = table.groups.emplace_back(
        ParameterGroup{.scope = {.processor = static_cast<int>(host)}, .values = {}, .curves = link.curves});
    processor.values = {{"B_send", Estimate::exactly(own[host])}, {"B_receive", Estimate::exactly(own[host])}};
  }
  return table;
}

NetworkStructure torus() {
  return {.torus = TorusNetwork{{3, 3}, {Estimate::exactly(kLink), Estimate::exactly(kLink)}}};
}

Platform hosts(const NetworkStructure& network) {
  const SampleSet samples = without_measurements(kTorusHosts);
  return {.name = "torus",
          .implementation = "none",
          .channels = {kInterNode},
          .nodes = samples.nodes,
          .ranks = samples.ranks,
          .network = network};
}

/// What each host's outcast takes on that torus.
SampleSet outcasts_with(const ParameterTable& table) {
  const Platform platform = hosts(torus());
  const Model model = build_model(table, platform.channels);
  const ChannelMap channels(platform, Mapping::explicit_placements(platform.ranks));
  SampleSet samples = without_measurements(kTorusHosts);
  samples.is_virtual = true;
  for (int root = 0; root < kTorusHosts; ++root) {
    Experiment experiment{.kind = ExperimentKind::kHostOutcast, .bytes = kFromHost, .channel = kInterNode};
    experiment.members.push_back(root);
    std::vector<StartedMessage> messages;
    for (int other = 0; other < kTorusHosts; ++other) {
      if (other != root) {
        experiment.members.push_back(other);
        messages.push_back({root, other, kFromHost});
      }
    }
    const Timeline played = play_messages(messages, kTorusHosts, channels, *model.target<Flow>());
    const Seconds of_others = std::accumulate(played.finish.begin(), played.finish.end(), 0.0) -
                              played.finish[static_cast<std::size_t>(root)];
    samples.measurements.push_back(
        repeated(experiment, of_others / (kTorusHosts - 1), {}, samples.measurements.size()));
  }
  return samples;
}

const OwnRates kOwn{250e6, 1e9, 1e9, 250e6, 1e9, 1e9, 1e9, 250e6, 1e9};

TEST(OwnLinks, AreFoundBehindSlowerLinksOfTheNetwork) {
  const SampleSet samples = outcasts_with(flow_with(kOwn));
  const CampaignData campaign(samples);
  const OwnRates found = fit_own_rates(campaign, hosts({}), torus(), flow_with(OwnRates(kTorusHosts, kLink)));
  ASSERT_EQ(found.size(), kOwn.size());
  for (std::size_t host = 0; host < found.size(); ++host) {
    EXPECT_NEAR(found[host] / kOwn[host], 1, kOnePercent) << host;
  }
}

/// Near hosts' messages take 1 us, others 3 us, and share by that.
ParameterTable by_latencies(ParameterTable table) {
  for (int second = 0; second < kTorusHosts; ++second) {
    for (int first = 0; first < second; ++first) {
      ParameterGroup& pair = table.groups.emplace_back(table.groups.front());
      pair.scope = {.first = first, .second = second};
      pair.values["L"] = Estimate::exactly(first / 3 == second / 3 ? 1e-6 : 3e-6);
    }
  }
  add_to_platform_group(table, "q", Estimate::exactly(1));
  return table;
}

// Those of near hosts end sooner, so that their mean end is that of faster links and equal shares.
TEST(OwnLinks, SeemToCarryMoreWhereMessagesShareByTheirLatencies) {
  constexpr double kOwnLink = kLink / 2;
  constexpr double kMissed = 1e-6;
  const ParameterTable table = flow_with(OwnRates(kTorusHosts, kOwnLink));
  const SampleSet samples = outcasts_with(by_latencies(table));
  const CampaignData campaign(samples);
  EXPECT_GT(fit_own_rates(campaign, hosts({}), torus(), table).front(), 1.05 * kOwnLink);
  EXPECT_GT(misses_of_outcasts(campaign, hosts({}), torus(), table), 0.02);
  EXPECT_LT(misses_of_outcasts(campaign, hosts({}), torus(), by_latencies(table)), kMissed);
}

/// Sending keeps these longer than their links.
constexpr std::array kSlowSenders{3, 5};

ParameterTable with_slow_senders(ParameterTable table) {
  for (ParameterGroup& group : table.groups) {
    if (std::find(kSlowSenders.begin(), kSlowSenders.end(), group.scope.processor) != kSlowSenders.end()) {
      group.curves["o_s"].push_back({kFromHost, Estimate::exactly(1.2 * kFromHost / kLink)});
    }
  }
  return table;
}

// What such hosts send at once does not show what their links carry: they are taken for those of others.
TEST(OwnLinks, OfHostsWhoseProcessorsAreSlowerAreLikeThoseOfOthers) {
  const SampleSet samples = outcasts_with(with_slow_senders(flow_with(OwnRates(kTorusHosts, 2 * kLink))));
  const CampaignData campaign(samples);
  OwnRates taken(kTorusHosts, kLink);
  for (const int host : kSlowSenders) {
    taken[static_cast<std::size_t>(host)] = 3 * kLink;
  }
  const OwnRates found = fit_own_rates(campaign, hosts({}), torus(), with_slow_senders(flow_with(taken)));
  ASSERT_EQ(found.size(), kOwn.size());
  for (std::size_t host = 0; host < found.size(); ++host) {
    EXPECT_NEAR(found[host] / (2 * kLink), 1, kOnePercent) << host;
  }
}

TEST(OwnLinks, OfEachHostAreInProportionToWhatItSends) {
  ParameterTable table = flow_with(OwnRates(kTorusHosts, kLink));
  table.groups[1].values["B_receive"] = Estimate::exactly(200e6);
  table.groups[2].values["B_receive"] = Estimate::exactly(200e6);
  set_own_rates(table, hosts({}), kOwn);
  const ParameterGroup& first = *processor_group(table, 0);
  const ParameterGroup& second = *processor_group(table, 1);
  EXPECT_EQ(first.values.at("B_send").value, 250e6);
  EXPECT_EQ(first.values.at("B_receive").value, 200e6) << "which incasts say";
  EXPECT_EQ(second.values.at("B_send").value, 1e9);
  EXPECT_EQ(second.values.at("B_receive").value, 800e6);
}

TEST(OwnLinks, OfRanksOfOneKindNeedNotBeAlike) {
  ParameterTable table = flow_with(OwnRates(2, kLink));
  table.kind_of_rank = {0, 1, 0, 1, 0, 1, 0, 1, 0};
  set_own_rates(table, hosts({}), kOwn);
  const Model model = build_model(table, {{kInterNode}});
  const Flow& flow = *model.target<Flow>();
  for (std::size_t host = 0; host < kOwn.size(); ++host) {
    EXPECT_NEAR(1 / flow.processors[host]->limits.sender, kOwn[host], 1) << host;
  }
}

TEST(OwnLinks, OfHostsWithALimitForAllTheirRanksCanCarryLess) {
  constexpr double kTrue = 250e6;
  constexpr double kTooMuch = 400e6;
  SampleSet samples = outcasts_with(flow_with(OwnRates(kTorusHosts, kTrue)));
  for (Measurement& m : samples.measurements) {
    m.experiment.kind = ExperimentKind::kOutcast;
  }
  ParameterTable table = flow_with(OwnRates(kTorusHosts, kTooMuch));
  for (ParameterGroup& group : table.groups) {
    if (group.scope.is_processor()) {
      group.values = {{"B_node", Estimate::exactly(kTooMuch)}};
    }
  }
  const CampaignData campaign(samples);
  const Platform platform = hosts({});
  const Model model = build_model(table, platform.channels);
  const NetworkJudge judge(campaign, platform, *model.target<Flow>());
  const FittedNetwork found = fit_bandwidths({}, judge);
  EXPECT_NEAR(found.competing.more_sent, kTrue / kTooMuch, kOnePercent);
  EXPECT_FALSE(fit_penalties(found, judge, judge).has_value());
}

TEST(OwnLinks, ThatDifferByLittleAreOfOneClass) {
  EXPECT_EQ(in_classes({100, 0, 51, 102, 50, 101}), (std::vector<double>{101, 0, 50.5, 101, 50.5, 101}));
}

}  // namespace
}  // namespace postage
