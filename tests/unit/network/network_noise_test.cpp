#include "estimate/network/bandwidths.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/base/statistics.hpp>
#include <postage/model/model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace postage {
namespace {

constexpr int kNoisyHosts = 12;
constexpr Bytes kNoisyMessage = 256 << 10;
constexpr double kNoisyBandwidth = 1e9;
constexpr Seconds kLatency = 2e-6;
constexpr double kScatter = 0.08;

/// A star whose messages vary, and whose acknowledgements are believed to take so much.
ParameterTable noisy_star(double reverse_share = 0) {
  ParameterGroup group{.scope = {.channel = kInterNode}};
  for (const auto& [symbol, value] : {std::pair{"L", kLatency},
                                      {"G", 1 / kNoisyBandwidth},
                                      {"B_send", kNoisyBandwidth},
                                      {"B_receive", kNoisyBandwidth},
                                      {"x", reverse_share},
                                      {"v", kScatter}}) {
    group.values[symbol] = Estimate::exactly(value);
  }
  for (const char* symbol : {"o_s", "o_r"}) {
    group.curves[symbol] = {{0, Estimate::exactly(10e-9)}};
  }
  return {.model = "flow", .groups = {group}};
}

Platform noisy_hosts() {
  Platform platform{.name = "star", .implementation = "none", .channels = {kInterNode}};
  for (int host = 0; host < kNoisyHosts; ++host) {
    platform.nodes.push_back({"h", {{Core{}}}});
    platform.ranks.push_back({host, 0});
  }
  return platform;
}

/// Medians over repetitions of messages that start together, each as slow as chance has it.
class NoisyCampaign {
 public:
  /// `reverse_share`: what acknowledgements take of links, each of which carries one message either way.
  explicit NoisyCampaign(double reverse_share = 0) : samples_(without_measurements(kNoisyHosts)) {
    samples_.is_virtual = true;
    add_fan(ExperimentKind::kOutcast);
    add_fan(ExperimentKind::kIncast);
    for (int step = 1; step < kNoisyHosts; ++step) {
      add_permutation(step, reverse_share);
    }
  }

  [[nodiscard]] const SampleSet& samples() const { return samples_; }

 private:
  static constexpr Seconds kAlone = static_cast<double>(kNoisyMessage) / kNoisyBandwidth;

  double factor() {
    const double share = static_cast<double>(random_() >> 11U) * 0x1p-53;
    return 1 + kScatter * (-std::log1p(-share) - 0.839);
  }

  std::vector<double> factors(int count) {
    std::vector<double> list;
    for (int i = 0; i < count; ++i) {
      list.push_back(factor());
    }
    return list;
  }

  /// Messages that share a link evenly have moved as much when one ends, or have ended before.
  void add_fan(ExperimentKind kind) {
    Experiment experiment{.kind = kind, .bytes = kNoisyMessage, .channel = kInterNode};
    for (int host = 0; host < kNoisyHosts; ++host) {
      experiment.members.push_back(host);
    }
    add(experiment, [&] {
      const std::vector<double> all = factors(kNoisyHosts - 1);
      std::vector<double> ends;
      for (const double own : all) {
        ends.push_back(0);
        for (const double other : all) {
          ends.back() += kAlone * std::min(own, other);
        }
      }
      return kLatency + (kind == ExperimentKind::kOutcast ? mean(ends) : *std::max_element(ends.begin(), ends.end()));
    });
  }

  void add_permutation(int step, double reverse_share) {
    Experiment experiment{.kind = ExperimentKind::kPermutation, .bytes = kNoisyMessage, .channel = kInterNode};
    for (int host = 0; host < kNoisyHosts; ++host) {
      experiment.members.push_back((host + step) % kNoisyHosts);
    }
    add(experiment, [&] { return kLatency + (1 + reverse_share) * kAlone * mean(factors(kNoisyHosts)); });
  }

  template <typename Time>
  void add(const Experiment& experiment, const Time& time) {
    constexpr int kRepetitions = 31;
    std::vector<double> times;
    for (int i = 0; i < kRepetitions; ++i) {
      times.push_back(time());
    }
    samples_.measurements.push_back(repeated(experiment, median(times), {}, samples_.measurements.size()));
  }

  SampleSet samples_;
  std::mt19937_64 random_{7};
};

/// Without noise the mean message of an outcast would end 4 % later, and the last of an incast 1 % sooner: links of
/// hosts would carry more than they do, or messages have penalties.
TEST(NetworkUnderNoise, NeitherFreesHostsLinksNorPenalisesMessages) {
  const NoisyCampaign noisy;
  const CampaignData campaign(noisy.samples());
  const Platform platform = noisy_hosts();
  const Model model = build_model(noisy_star(), platform.channels);
  const NetworkJudge judge(campaign, platform, *model.target<Flow>());
  ASSERT_EQ(judge.experiments(), 13U);
  EXPECT_LT(std::sqrt(judge.misses({}, {}) / static_cast<double>(judge.experiments())), 0.01);
  EXPECT_FALSE(fit_penalties(fit_bandwidths({}, judge), judge, judge).has_value());
}

/// What two hosts' messages scatter by was taken for acknowledgements.
TEST(NetworkUnderNoise, KeepsAcknowledgementsOnlyWhereAllMessagesShowThem) {
  const Platform platform = noisy_hosts();
  for (const auto& [taken, believed] : {std::pair{0.0, 0.02}, {0.0, 0.05}, {0.05, 0.05}}) {
    const NoisyCampaign noisy(taken);
    const CampaignData campaign(noisy.samples());
    const Model model = build_model(noisy_star(believed), platform.channels);
    const FittedNetwork fitted = fit_bandwidths({}, NetworkJudge(campaign, platform, *model.target<Flow>()));
    EXPECT_NEAR(fitted.competing.reverse_share.value_or(believed), taken, 1e-9) << believed;
  }
}

}  // namespace
}  // namespace postage
