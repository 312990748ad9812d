#include "tuning/measure/times.hpp"

#include "tuning/measure/library_settings.hpp"
#include "tuning/measure/round_ratios.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/launch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace postage {
namespace {

PairedTimes noisy_pairs(double factor, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(1, 0.05);
  PairedTimes pairs;
  for (std::size_t i = 0; i < count; ++i) {
    pairs.standard.push_back(noise(random));
    pairs.tuned.push_back(factor * noise(random));
  }
  return pairs;
}

TEST(Gain, IsFoundInNoise) {
  const Gain gain = gain_of(noisy_pairs(0.8, 60, 1));
  EXPECT_NEAR(gain.share, 0.2, 0.04);
  EXPECT_LT(gain.interval.lower, gain.share);
  EXPECT_GT(gain.interval.lower, 0.1);
  EXPECT_LT(gain.sign_test, 1e-3);
  EXPECT_EQ(gain.pairs, 60U);
}

TEST(Gain, OfNothingIsRarelySure) {
  int sure = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Gain gain = gain_of(noisy_pairs(1, 40, seed));
    sure += gain.interval.lower > 0.02 && gain.sign_test < 0.05 ? 1 : 0;
  }
  EXPECT_LE(sure, 2);
}

TEST(Gain, SignTestCountsPairs) {
  EXPECT_NEAR(gain_of({{1, 1, 1}, {2, 2, 2}}).sign_test, 0.125, 1e-12);
  EXPECT_EQ(gain_of({{1, 1}, {1, 1}}).sign_test, 1);
  EXPECT_EQ(gain_of({}).pairs, 0U);
}

TEST(RoundRatios, AreOfRoundsThatBothHave) {
  EXPECT_EQ(ratios_of({{1, 3, 5}, {2, 4}}), (RoundRatios{0.5, 0.75}));
  EXPECT_TRUE(ratios_of({{1}, {}}).empty()) << "the library fails by default, as SMPI's alltoall does at some sizes";
  EXPECT_TRUE(ratios_of({{}, {1}}).empty());
}

TEST(BestRatio, IsNotBetterThanWhatItWasChosenFrom) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(1, 0.1);
  double sum = 0;
  constexpr int kPoints = 200;
  for (int point = 0; point < kPoints; ++point) {
    std::vector<RoundRatios> choices(20, RoundRatios(12));
    for (RoundRatios& ratios : choices) {
      std::ranges::generate(ratios, [&] { return noise(random); });
    }
    sum += best_ratio(choices);
  }
  EXPECT_NEAR(sum / kPoints, 1, 0.01) << "none is faster than the default; the best of 20 medians is 0.94";
}

TEST(BestRatio, IsOfTheFastestChoice) {
  EXPECT_DOUBLE_EQ(best_ratio({}), 1);
  EXPECT_DOUBLE_EQ(best_ratio({{1.2}, {1.5}}), 1) << "the default";
  EXPECT_DOUBLE_EQ(best_ratio({{0.9}, {0.8}}), 0.8) << "of one round, as in a simulation that repeats";
  // The first half chooses 0.6, which takes 0.9 in the second; that one chooses 0.8, which takes 0.7 in the first.
  EXPECT_DOUBLE_EQ(best_ratio({{0.6, 0.9, 0.6, 0.9}, {0.7, 0.8, 0.7, 0.8}}), (0.9 + 0.7) / 2);
}

TEST(MeasuredTimes, AreReadAgain) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "state.json";
  const TuningPoint point{Collective::kBcast, 4, 64};
  {
    MeasuredTimes times(file, "a job");
    times.set(point, "", {2, 2});
    times.set(point, "chain", {1, 1});
    times.set(point, "linear", {3, 3}, {4, 4});
    times.set_forced_default(point, "linear");
    times.keep();
  }
  MeasuredTimes again(file, "a job");
  EXPECT_FALSE(again.is_default_forced(point));
  EXPECT_FALSE(again.has(point, "chain")) << "not before it is asked for, as in the run that measured it";
  again.keep();
  for (const char* choice : {"", "chain", "linear", "ring"}) {
    again.recall(point, choice);
  }
  EXPECT_TRUE(again.is_default_forced(point));
  EXPECT_TRUE(again.has(point, "chain"));
  EXPECT_FALSE(again.has(point, "ring"));
  EXPECT_EQ(again.pairs(point, "chain").standard, (std::vector<double>{2, 2}));
  EXPECT_EQ(again.pairs(point, "linear").standard, (std::vector<double>{4, 4}));
  EXPECT_EQ(again.points_of(Collective::kBcast, 4), std::vector<TuningPoint>{point});
  EXPECT_THROW(MeasuredTimes(file, "another job"), Error);
}

TEST(LibrarySettings, AreVariablesOfTheLibrary) {
  const auto chain =
      settings_for(TuningTarget::kOpenMpi, {4, 1, 4}, Collective::kBcast,
                   {.algorithm = "chain", .library_name = "chain", .segment = 4096, .parameters = {{"chains", 2}}});
  EXPECT_EQ(chain, (std::vector<LibrarySetting>{{"coll_tuned_bcast_algorithm", "2"},
                                                {"coll_tuned_bcast_algorithm_segmentsize", "4096"},
                                                {"coll_tuned_bcast_algorithm_chain_fanout", "2"}}));
  const auto ring = settings_for(TuningTarget::kMpich, {4, 0, 2}, Collective::kBcast,
                                 {.algorithm = "pipeline", .library_name = "nb+tsp_ring", .segment = 4096});
  EXPECT_EQ(ring, (std::vector<LibrarySetting>{{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "nb"},
                                               {"MPIR_CVAR_IBCAST_INTRA_ALGORITHM", "tsp_ring"},
                                               {"MPIR_CVAR_IBCAST_RING_CHUNK_SIZE", "4096"}}));
  EXPECT_THROW(settings_for(TuningTarget::kUcc, {1, 3, 0}, Collective::kBcast, {.library_name = "knomial"}), Error);
}

}  // namespace
}  // namespace postage
