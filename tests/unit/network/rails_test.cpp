// Hosts with two links each, whose fans of some sizes use one of them only.
#include "estimate/network/find_network.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/model/model.hpp>
#include <postage/predict/flows/flows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace postage {
namespace {

constexpr int kRailHosts = 6;
constexpr int kOfHost = 4;
constexpr double kRail = 100e6;
constexpr double kMostMissed = 0.02;
constexpr Bytes kRailsLargeFrom = 128 << 10;
constexpr Bytes kBetweenTwoHosts = 64 << 10;
constexpr Bytes kAmongAllHosts = 256 << 10;

/// What hosts' links carry of messages below 128 KiB, and of others.
ParameterTable rails_with(double small, double large) {
  ParameterTable table{.model = "flow", .groups = {}};
  for (const auto& [from, carried] : {std::pair<Bytes, double>{0, small}, {kRailsLargeFrom, large}}) {
    ParameterGroup& group = table.groups.emplace_back(
        ParameterGroup{.scope = {.channel = kInterNode}, .from_bytes = from, .values = {}, .curves = {}});
    for (const auto& [symbol, value] : {std::pair{"L", 1e-6},
                                        {"G", 1 / kRail},
                                        {"B_node", carried},

                                        {"x", 0.0}}) {
      group.values[symbol] = Estimate::exactly(value);
    }
    for (const char* symbol : {"o_s", "o_r"}) {
      group.curves[symbol] = {{0, Estimate::exactly(10e-9)}};
    }
  }
  return table;
}

Platform hosts_with(ParameterTable table, const NetworkStructure& network) {
  Platform platform{.name = "rails", .implementation = "none", .channels = {kSharedCache, kInterNode}};
  platform.nodes = without_measurements(kRailHosts).nodes;
  for (int rank = 0; rank < kRailHosts * kOfHost; ++rank) {
    platform.ranks.push_back({.node = rank / kOfHost, .core = 0});
  }
  ParameterGroup inside = table.groups.front();
  inside.scope.channel = kSharedCache;
  inside.values = {{"L", Estimate::exactly(1e-7)}, {"G", Estimate::exactly(1e-10)}};
  table.groups.push_back(inside);
  platform.models = {std::move(table)};
  platform.network = network;
  return platform;
}

/// Plays what hosts with two links do.
class TwoRails {
 public:
  TwoRails()
      : platform_(hosts_with(rails_with(kRail, kRail), {.rails = 2})),
        model_(build_model(platform_.models.front(), platform_.channels)),
        channels_(platform_, Mapping::explicit_placements(platform_.ranks)) {
    samples_ = without_measurements(kRailHosts);
    samples_.is_virtual = true;
    samples_.ranks = platform_.ranks;
  }

  void add_fan(ExperimentKind kind, Rank root, const std::vector<Rank>& others, Bytes bytes) {
    Experiment experiment{.kind = kind, .bytes = bytes, .members = {root}, .channel = kInterNode};
    std::vector<StartedMessage> messages;
    for (const Rank other : others) {
      experiment.members.push_back(other);
      messages.push_back(kind == ExperimentKind::kOutcast ? StartedMessage{root, other, bytes}
                                                          : StartedMessage{other, root, bytes});
    }
    const Timeline played =
        play_messages(messages, static_cast<Rank>(platform_.ranks.size()), channels_, *model_.target<Flow>());
    const auto finish = [&](Rank rank) { return played.finish[static_cast<std::size_t>(rank)]; };
    const Seconds sum = std::accumulate(others.begin(), others.end(), Seconds{0},
                                        [&](Seconds known, Rank other) { return known + finish(other); });
    const Seconds time = kind == ExperimentKind::kIncast ? finish(root) : sum / static_cast<double>(others.size());
    samples_.measurements.push_back(repeated(experiment, time, {}, samples_.measurements.size()));
  }

  [[nodiscard]] const SampleSet& samples() const { return samples_; }

 private:
  Platform platform_;
  Model model_;
  ChannelMap channels_;
  SampleSet samples_;
};

std::vector<Rank> ranks_from(Rank first, Rank end) {
  std::vector<Rank> ranks(static_cast<std::size_t>(end - first));
  std::iota(ranks.begin(), ranks.end(), first);
  return ranks;
}

// Fans of small messages are between two hosts, all on one link: they say that a host carries what one link does. Those
// of large messages are between all, and say that it carries what two do. No factor makes both right.
TEST(FindNetwork, SeesRailsThoughSmallMessagesWereSentOnOne) {
  TwoRails truth;
  for (const ExperimentKind kind : {ExperimentKind::kOutcast, ExperimentKind::kIncast}) {
    truth.add_fan(kind, 0, ranks_from(kOfHost, 2 * kOfHost), kBetweenTwoHosts);
    truth.add_fan(kind, 0, ranks_from(kOfHost, kRailHosts * kOfHost), kAmongAllHosts);
    for (const Rank host : {2, 3, 4}) {
      truth.add_fan(kind, 0, {kOfHost, host * kOfHost}, kAmongAllHosts);
    }
  }
  Platform platform = hosts_with(rails_with(kRail, 2 * kRail), {});
  find_network(CampaignData(truth.samples()), platform);
  EXPECT_EQ(platform.network->rails, 2);
  for (const ParameterGroup& group : platform.models.front().groups) {
    if (group.scope.channel == kInterNode) {
      EXPECT_NEAR(group.values.at("B_node").value / kRail, 1, kMostMissed) << group.from_bytes;
    }
  }
}

}  // namespace
}  // namespace postage
