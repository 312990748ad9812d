#include "estimate/network/envelope.hpp"

#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/model/model.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace postage {
namespace {

constexpr int kHosts = 9;

/// A star whose hosts' links carry 200 MB/s each way; small messages spend most of their time on them.
ParameterTable star() {
  ParameterGroup group{.scope = {.channel = kInterNode}};
  for (const auto& [symbol, value] :
       {std::pair{"L", 1e-6}, {"G", 5e-9}, {"B_send", 200e6}, {"B_receive", 200e6}, {"x", 0.0}}) {
    group.values[symbol] = Estimate::exactly(value);
  }
  for (const char* symbol : {"o_s", "o_r"}) {
    group.curves[symbol] = {{0, Estimate::exactly(10e-9)}};
  }
  return {.model = "flow", .groups = {group}};
}

Platform hosts() {
  Platform platform{.name = "star", .implementation = "none", .channels = {kInterNode}};
  for (int host = 0; host < kHosts; ++host) {
    platform.nodes.push_back({"h", {{Core{}}}});
    platform.ranks.push_back({host, 0});
  }
  return platform;
}

/// What incasts and outcasts take on that star if it adds an envelope of so many bytes.
SampleSet fans_with(double envelope, double noise) {
  const Platform platform = hosts();
  ParameterTable table = star();
  table.groups.push_back({.scope = {.channel = kAllChannels}, .values = {{"e", Estimate::exactly(envelope)}}});
  const Model model = build_model(table, platform.channels);
  const ChannelMap channels(platform, Mapping::explicit_placements(platform.ranks));
  SampleSet samples = without_measurements(kHosts);
  samples.is_virtual = true;
  for (const Bytes bytes : {1, 64, 4096, 262144}) {
    for (const ExperimentKind kind : {ExperimentKind::kIncast, ExperimentKind::kOutcast}) {
      const bool leaves = kind == ExperimentKind::kOutcast;
      Experiment experiment{.kind = kind, .bytes = bytes, .channel = kInterNode};
      std::vector<StartedMessage> messages;
      experiment.members.push_back(0);
      for (int host = 1; host < kHosts; ++host) {
        experiment.members.push_back(host);
        messages.push_back({leaves ? 0 : host, leaves ? host : 0, bytes});
      }
      const Timeline played = play_messages(messages, kHosts, channels, *model.target<Flow>());
      const Seconds of_all = std::accumulate(played.finish.begin() + 1, played.finish.end(), 0.0);
      samples.measurements.push_back(repeated(experiment, leaves ? of_all / (kHosts - 1) : played.finish[0],
                                              {.noise = noise}, samples.measurements.size()));
    }
  }
  return samples;
}

double found_in(const SampleSet& samples) {
  const CampaignData campaign(samples);
  return fit_envelope(campaign, hosts(), {}, star());
}

TEST(Envelope, IsFoundFromSmallMessagesThatShare) {
  EXPECT_EQ(found_in(fans_with(16, 0)), 16);
  EXPECT_EQ(found_in(fans_with(48, 0)), 48);
}

TEST(Envelope, IsNoneWhereMessagesShareTheirOwnBytesAlone) {
  EXPECT_EQ(found_in(fans_with(0, 0)), 0);
  EXPECT_EQ(found_in(fans_with(0, 0.03)), 0) << "noise is none";
}

}  // namespace
}  // namespace postage
