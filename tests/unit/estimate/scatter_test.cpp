#include "estimate/flow/scope_fit.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace postage {
namespace {

constexpr int kScatteringRanks = 16;

/// Messages that take only their latency.
SampleSet scattering(double noise, int repetitions) {
  constexpr std::size_t kCount = kScatteringRanks;
  const KnownCluster cluster{.fixed = std::vector<Seconds>(kCount),
                             .per_byte = std::vector<double>(kCount),
                             .latency = {kCount, std::vector<Seconds>(kCount, 10e-6)},
                             .wire = {kCount, std::vector<double>(kCount, 1e-14)}};
  SampleSet samples =
      measured(kScatteringRanks, all_experiments(kScatteringRanks, {1, 16, 256, 1024}, {}),
               [&](const Experiment& e) { return cluster.time_of(e); }, {.noise = noise, .repetitions = repetitions});
  samples.is_virtual = true;
  return samples;
}

double scatter_of(const SampleSet& samples) {
  const CampaignData campaign(samples);
  return ScopeFit(campaign, campaign.scopes.front()).scatter_in({});
}

/// The median over pairs of what six repetitions show is 7 % less than the truth. A roundtrip is two messages.
TEST(Scatter, IsThatOfAllRepetitions) {
  constexpr double kNoise = 0.03;
  EXPECT_NEAR(scatter_of(scattering(kNoise, 6)), std::sqrt(2.0) * kNoise, 0.04 * std::sqrt(2.0) * kNoise);
}

TEST(Scatter, OfFewPairsIsNone) {
  SampleSet samples = scattering(0, 6);
  for (Measurement& m : samples.measurements) {
    const bool is_disturbed = m.experiment.source == 0 && m.experiment.target == 1;
    m.summary.standard_deviation = is_disturbed ? 0.2 * m.summary.median : m.summary.standard_deviation;
  }
  EXPECT_EQ(scatter_of(samples), 0);
}

}  // namespace
}  // namespace postage
