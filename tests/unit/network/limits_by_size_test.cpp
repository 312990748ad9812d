#include "estimate/network/limits_by_size.hpp"

#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/model/model.hpp>
#include <postage/predict/flows/flows.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

constexpr int kFanHosts = 6;
constexpr double kFanLink = 1e9;
constexpr Bytes kLargeFrom = 64 << 10;
constexpr Bytes kSmallFan = 1 << 10;
constexpr Bytes kLargeFan = 256 << 10;

/// Sending keeps a host for 2 us and receiving for 10 ns, so that 1 KiB take half as long on its link. Messages below
/// 64 KiB have a limit of their own of what a host receives, and none of what it sends, if not all are known.
ParameterTable fans_of(bool all_known) {
  ParameterGroup large{.scope = {.channel = kInterNode}, .from_bytes = kLargeFrom};
  for (const auto& [symbol, value] :
       {std::pair{"L", 1e-6}, {"G", 1 / kFanLink}, {"B_send", kFanLink}, {"B_receive", kFanLink}, {"x", 0.0}}) {
    large.values[symbol] = Estimate::exactly(value);
  }
  large.curves["o_s"] = {{0, Estimate::exactly(2e-6)}};
  large.curves["o_r"] = {{0, Estimate::exactly(10e-9)}};
  ParameterGroup small = large;
  small.from_bytes = 0;
  small.values["B_receive"] = Estimate::exactly(0.8 * kFanLink);
  if (!all_known) {
    small.values.erase("B_send");
  }
  return {.model = "flow", .groups = {small, large}};
}

Platform fan_hosts(const SampleSet& samples) {
  return {.name = "fans",
          .implementation = "none",
          .channels = {kInterNode},
          .nodes = samples.nodes,
          .ranks = samples.ranks};
}

/// Outcasts and incasts of both sizes.
SampleSet fans() {
  SampleSet samples = without_measurements(kFanHosts);
  samples.is_virtual = true;
  const Platform platform = fan_hosts(samples);
  const Model model = build_model(fans_of(true), platform.channels);
  const ChannelMap channels(platform, Mapping::explicit_placements(platform.ranks));
  for (const ExperimentKind kind : {ExperimentKind::kOutcast, ExperimentKind::kIncast}) {
    for (const Bytes bytes : {kSmallFan, kLargeFan}) {
      Experiment experiment{.kind = kind, .bytes = bytes, .channel = kInterNode};
      experiment.members = {0};
      std::vector<StartedMessage> messages;
      for (int other = 1; other < kFanHosts; ++other) {
        experiment.members.push_back(other);
        messages.push_back(kind == ExperimentKind::kOutcast ? StartedMessage{0, other, bytes}
                                                            : StartedMessage{other, 0, bytes});
      }
      const Timeline played = play_messages(messages, kFanHosts, channels, *model.target<Flow>());
      Seconds time = kind == ExperimentKind::kIncast ? played.finish[0] : 0;
      for (std::size_t other = 1; kind == ExperimentKind::kOutcast && other < kFanHosts; ++other) {
        time += played.finish[other] / (kFanHosts - 1);
      }
      samples.measurements.push_back(repeated(experiment, time, {}, samples.measurements.size()));
    }
  }
  return samples;
}

// What fans of messages that keep their processors longer than links do not show, larger ones do.
TEST(LimitsBySize, AreThoseOfLargerMessagesWhereFansShowNone) {
  const SampleSet samples = fans();
  ParameterTable table = fans_of(false);
  fit_limits_by_size(CampaignData(samples), fan_hosts(samples), {}, table);
  for (const ParameterGroup& group : table.groups) {
    ASSERT_TRUE(group.values.contains("B_send")) << group.from_bytes;
    EXPECT_NEAR(group.values.at("B_send").value / kFanLink, 1, 1e-9) << group.from_bytes;
  }
}

// Where penalties slow fans down, whatever links carry of their sizes, what small messages take alone says how long
// they occupy links.
TEST(LimitsBySize, UnderPenaltiesAreInProportionToWhatMessagesTakeAlone) {
  const SampleSet samples = fans();
  ParameterTable table = fans_of(true);
  for (ParameterGroup& group : table.groups) {
    for (const char* symbol : {"B_send", "B_receive"}) {
      group.values[symbol] = Estimate::exactly(8 * kFanLink);  // no fan reaches it
    }
  }
  table.groups.front().values["G"] = Estimate::exactly(2 / kFanLink);
  const FittedNetwork found{.network = {}, .competing = {.penalties = {.sending = 0.9, .receiving = 0.9}}};
  fit_limits_by_size(CampaignData(samples), fan_hosts(samples), found, table);
  const ParameterGroup& small = table.groups.front();
  ASSERT_TRUE(small.values.contains("k"));
  EXPECT_NEAR(small.values.at("k").value, 2, 1e-9);
  EXPECT_NEAR(small.values.at("B_send").value / kFanLink, 4, 1e-9);
}

}  // namespace
}  // namespace postage
