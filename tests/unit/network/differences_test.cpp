// A backbone that all messages share, and switches whose links to others differ.
#include "estimate/network/bandwidths.hpp"
#include "estimate/network/structure_cost.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/model/model.hpp>
#include <postage/predict/flows/flows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace postage {
namespace {

constexpr int kJoinedHosts = 9;
constexpr int kBelowASwitch = 3;
constexpr double kJoinedHost = 1e9;
constexpr double kCloseToRate = 0.03;
constexpr Bytes kJoinedBytes = 1 << 20;

Flow flow_of_joined_hosts() {
  ParameterGroup link{.scope = {.channel = kInterNode}};
  link.values = {{"L", Estimate::exactly(2e-6)},
                 {"G", Estimate::exactly(1 / kJoinedHost)},
                 {"B_send", Estimate::exactly(kJoinedHost)},
                 {"B_receive", Estimate::exactly(kJoinedHost)},
                 {"x", Estimate::exactly(0)}};
  for (const char* symbol : {"o_s", "o_r"}) {
    link.curves[symbol] = {{0, Estimate::exactly(10e-9)}};
  }
  return *build_model({.model = "flow", .groups = {link}}, {{kInterNode}}).target<Flow>();
}

NetworkStructure three_switches() {
  NetworkStructure tree;
  tree.levels = {{.junction = GroupJunction::kSwitch}};
  for (int group = 0; group < 3; ++group) {
    const int first = group * kBelowASwitch;
    tree.groups.push_back({.name = "switch", .hosts = {first, first + 1, first + 2}});
  }
  return tree;
}

/// Plays permutations of few and of all hosts.
class JoinedHosts {
 public:
  explicit JoinedHosts(NetworkStructure network) : samples_(without_measurements(kJoinedHosts)) {
    samples_.is_virtual = true;
    platform_ = {.name = "joined",
                 .implementation = "none",
                 .channels = {kInterNode},
                 .nodes = samples_.nodes,
                 .ranks = samples_.ranks,
                 .network = std::move(network)};
    for (int step = 1; step < kJoinedHosts; ++step) {
      add_shift(0, kJoinedHosts, step);
    }
    for (int first = 0; first < kJoinedHosts; first += kBelowASwitch) {
      for (const int step : {1, kBelowASwitch}) {
        add_shift(first, 2 * kBelowASwitch, step);
      }
    }
    platform_.network.reset();
  }

  [[nodiscard]] const SampleSet& samples() const { return samples_; }
  [[nodiscard]] const Platform& hosts() const { return platform_; }
  [[nodiscard]] const Flow& model() const { return model_; }

 private:
  /// Each of `count` hosts from the first one on sends `step` hosts further.
  void add_shift(int first, int count, int step) {
    const auto host = [&](int index) { return (first + index % count) % kJoinedHosts; };
    std::vector<StartedMessage> messages;
    std::vector<std::pair<int, int>> by_source;
    for (int i = 0; i < count; ++i) {
      messages.push_back({host(i), host(i + step), kJoinedBytes});
      by_source.emplace_back(host(i), host(i + step));
    }
    std::sort(by_source.begin(), by_source.end());
    Experiment experiment{.kind = ExperimentKind::kPermutation, .bytes = kJoinedBytes, .channel = kInterNode};
    for (const auto& [source, target] : by_source) {
      experiment.members.push_back(target);
    }
    const Timeline played =
        play_messages(messages, kJoinedHosts, {platform_, Mapping::explicit_placements(platform_.ranks)}, model_);
    Seconds sum = 0;
    for (const StartedMessage& message : messages) {
      sum += played.finish[static_cast<std::size_t>(message.target)];
    }
    samples_.measurements.push_back(repeated(experiment, sum / count, {}, samples_.measurements.size()));
  }

  Flow model_ = flow_of_joined_hosts();
  SampleSet samples_;
  Platform platform_;
};

TEST(Differences, ABackboneIsToldFromRailsAndFromSlowHosts) {
  const JoinedHosts measured({.backbone = Estimate::exactly(2.4 * kJoinedHost)});
  const CampaignData campaign(measured.samples());
  const NetworkJudge judge(campaign, measured.hosts(), measured.model());
  const HostDistances no_distances(kJoinedHosts, std::vector<double>(kJoinedHosts * kJoinedHosts, -1), 0);
  const FittedNetwork found =
      best_network({{.rails = 2}, {.backbone = kUnlimited}}, judge, nullptr, {campaign, judge, no_distances});
  EXPECT_EQ(found.network.rails, 1);
  ASSERT_TRUE(found.network.backbone);
  EXPECT_NEAR(found.network.backbone->value / (2.4 * kJoinedHost), 1, kCloseToRate);
}

TEST(Differences, LinksOfSwitchesMayAllDiffer) {
  NetworkStructure truth = three_switches();
  constexpr std::array kRates{0.6e9, 1.1e9, 2e9};
  for (std::size_t i = 0; i < kRates.size(); ++i) {
    truth.groups[i].up = truth.groups[i].down = Estimate::exactly(kRates[i]);
  }
  const JoinedHosts measured(truth);
  const CampaignData campaign(measured.samples());
  const NetworkJudge judge(campaign, measured.hosts(), measured.model());
  const FittedNetwork alike = fit_bandwidths(three_switches(), judge);
  const FittedNetwork found = fit_differences(alike, judge);
  EXPECT_FALSE(found.network.backbone);
  EXPECT_LT(found.cost, alike.cost - kStrongEvidence);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(found.network.groups[i].up) << i;
    EXPECT_EQ(found.network.groups[i].up, found.network.groups[i].down);
    EXPECT_NEAR(found.network.groups[i].up->value / kRates[i], 1, kCloseToRate) << i;
  }
  // The two others together carry less than the third, for which nothing ever waits.
  ASSERT_TRUE(found.network.groups[2].up);
  EXPECT_FALSE(std::isfinite(found.network.groups[2].up->upper));
  EXPECT_LE(found.network.groups[2].up->value, kRates[2]);
}

TEST(Differences, LinksThatAreAlikeStaySo) {
  NetworkStructure truth = three_switches();
  truth.levels.front().bandwidth = Estimate::exactly(1.1e9);
  const JoinedHosts measured(truth);
  const CampaignData campaign(measured.samples());
  const NetworkJudge judge(campaign, measured.hosts(), measured.model());
  const FittedNetwork found = fit_differences(fit_bandwidths(three_switches(), judge), judge);
  EXPECT_FALSE(found.network.groups.front().up);
  EXPECT_FALSE(found.network.backbone);
}

}  // namespace
}  // namespace postage
