// Whole platforms from synthetic campaigns: what predicts the rest, and what campaigns are too narrow for.
#include "unit/estimate/known_platform.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

void expect_numbers(const ParameterTable& table, const std::vector<std::string>& channels) {
  for (const ParameterGroup& group : table.groups) {
    for (const auto& [symbol, estimate] : estimates_of(group)) {
      EXPECT_TRUE(std::isfinite(estimate.value)) << table.model << " " << symbol;
      EXPECT_FALSE(std::isnan(estimate.lower) || std::isnan(estimate.upper)) << table.model << " " << symbol;
    }
  }
  for (const Bound bound : {Bound::kLower, Bound::kUpper}) {
    if (has_intervals(table)) {
      EXPECT_NO_THROW(static_cast<void>(build_model(table, channels, bound))) << table.model;
    }
  }
}

TEST(Combining, IsThePerByteTimeOfReductions) {
  const KnownCluster cluster = known_cluster(3);
  std::vector<Experiment> experiments = all_experiments(3, kSizes, kOneToTwoSizes);
  for (int rank = 0; rank < 3; ++rank) {
    experiments.push_back({.kind = ExperimentKind::kReduction, .source = rank, .bytes = 1024});
    experiments.push_back({.kind = ExperimentKind::kReduction, .source = rank, .bytes = 65536});
  }
  const SampleSet samples = measured(
      3, experiments,
      [&](const Experiment& e) {
        const double per_byte = e.bytes == 1024 ? 1e-10 : 3e-10;
        return e.kind == ExperimentKind::kReduction ? per_byte * static_cast<double>(e.bytes) : cluster.time_of(e);
      },
      {});
  const Platform platform = estimate_platform(samples, "known");
  EXPECT_GE(platform.models.size(), 9U);
  for (const ParameterTable& table : platform.models) {
    EXPECT_NEAR(combine_cost(build_model(table, platform.channels), 1000), 2e-7, 1e-15) << table.model;
    const Model slowest = build_model(table, platform.channels, Bound::kUpper);
    EXPECT_NEAR(combine_cost(slowest, 1000), 3e-7, 1e-15) << "caches make sizes differ";
  }
}

TEST(HeldOut, PointsArePredictedByTheRest) {
  const KnownCluster cluster = known_cluster(3);
  const Platform platform = estimate_platform(measure(cluster), "known", {.folds = 3});
  for (const char* model : {"hockney", "loggp", "lmo"}) {
    const FitQuality& fit = table_of(platform, model).fit;
    EXPECT_EQ(fit.points, 3U * 7U);
    EXPECT_EQ(fit.held_out_points, 3U * (std::string(model) == "lmo" ? 3U : 5U)) << "all but the first and last size";
    EXPECT_LT(fit.held_out_largest_relative_residual, 1e-6) << model;
  }
  EXPECT_EQ(table_of(estimate_platform(measure(cluster), "known", {.folds = 0}), "loggp").fit.held_out_points, 0U);
}

// One size that nothing else tells of is far off where it is left out, though a line of its own meets it.
TEST(HeldOut, ShowsWhatTheFitHides) {
  const KnownCluster cluster = known_cluster(2);
  const SampleSet odd =
      measured(2, all_experiments(2, kSizes, {}),
               [&](const Experiment& e) { return cluster.time_of(e) * (e.bytes == 4096 ? 1.5 : 1); }, {});
  const FitQuality fit = table_of(estimate_platform(odd, "known"), "plogp").fit;
  EXPECT_GT(fit.held_out_largest_relative_residual, 0.25);
  EXPECT_GT(fit.held_out_largest_relative_residual, fit.largest_relative_residual);
}

// Campaigns of a size or two, and of as many repetitions as give no interval: what they are too few for is left out,
// and the rest is a platform like any other.
TEST(NarrowCampaigns, GiveNumbersOrNone) {
  const KnownCluster cluster = known_cluster(3);
  for (const std::vector<Bytes>& sizes :
       std::vector<std::vector<Bytes>>{{0}, {1}, {8}, {0, 8}, {1, 64}, {0, 1, 65536}}) {
    for (const int repetitions : {1, 2, 5, 24}) {
      for (const double noise : {0.0, 0.3}) {
        SCOPED_TRACE(fmt::format("{} sizes from {}, {} repetitions", sizes.size(), sizes.front(), repetitions));
        const SampleSet samples =
            measured(3, all_experiments(3, sizes, sizes), [&](const Experiment& e) { return cluster.time_of(e); },
                     {.noise = noise, .repetitions = repetitions});
        std::vector<std::string> left_out;
        const Platform platform = estimate_platform(samples, "narrow", {}, &left_out);
        EXPECT_EQ(platform_from_json(to_json(platform), "narrow").models.size(), platform.models.size());
        EXPECT_FALSE(platform.models.empty());
        for (const ParameterTable& table : platform.models) {
          expect_numbers(table, platform.channels);
        }
      }
    }
  }
}

TEST(NarrowCampaigns, SayWhichModelTheyAreTooFewFor) {
  const KnownCluster cluster = known_cluster(2);
  SampleSet samples =
      measured(2, all_experiments(2, {0, 1, 1024}, {}), [&](const Experiment& e) { return cluster.time_of(e); }, {});
  for (Measurement& m : samples.measurements) {
    if (m.experiment.kind == ExperimentKind::kSendOverhead) {
      m.summary.median = std::numeric_limits<double>::quiet_NaN();
    }
  }
  std::vector<std::string> left_out;
  const Platform platform = estimate_platform(samples, "damaged", {}, &left_out);
  EXPECT_NO_THROW(static_cast<void>(table_of(platform, "hockney")));
  EXPECT_THROW(static_cast<void>(table_of(platform, "loggp")), Error);
  EXPECT_TRUE(std::ranges::any_of(left_out, [](const std::string& sentence) {
    return sentence.starts_with("left out loggp, ") && sentence.ends_with("is no number");
  }));
}

// Each message has to wait for the gap after the one before it; their bytes hinder nobody.
TEST(Flow, TakesNoLimitFromTrainsThatWaitForSomethingElse) {
  const auto time_of = [](Seconds gap) {
    return [gap](const Experiment& e) {
      constexpr Seconds kOverhead = 0.1e-6;
      const Seconds bytes = 0.1e-9 * static_cast<double>(e.bytes);
      if (e.kind == ExperimentKind::kSendOverhead || e.kind == ExperimentKind::kDelayedReceive) {
        return kOverhead;
      }
      if (e.kind == ExperimentKind::kTrain) {
        return 4 * kOverhead + 1e-6 + bytes + (e.messages - 1) * std::max(gap, bytes);
      }
      return 4 * kOverhead + 1e-6 + bytes + 0.1e-9 * static_cast<double>(e.reply_bytes);
    };
  };
  const auto limit = [&](Seconds gap) {
    const SampleSet samples = measured(2, all_experiments(2, {0, 1, 64, 1024, 4096, 65536}, {}), time_of(gap), {});
    const ParameterGroup group = table_of(estimate_platform(samples, "gap"), "flow").groups.front();
    const auto found = group.values.find("B_pair");
    return found == group.values.end() ? 0 : found->second.value;
  };
  EXPECT_EQ(limit(50e-6), 0) << "10 GB/s are not 1.3 GB/s since small messages have something else to wait for";
  EXPECT_NEAR(limit(0.15e-6) / 10e9, 1, kOnePercent);
}

// Two ranks' fans are a message alone, however long that takes.
TEST(Flow, TakesNoLimitFromFansOfOneMessage) {
  const KnownCluster cluster = known_cluster(2);
  std::vector<Experiment> experiments = all_experiments(2, {0, 1, 1024, 65536}, {});
  for (const ExperimentKind kind : {ExperimentKind::kOutcast, ExperimentKind::kIncast}) {
    experiments.push_back({.kind = kind, .bytes = 65536, .members = {0, 1}, .channel = kInterNode});
  }
  const SampleSet samples = measured(
      2, experiments,
      [&](const Experiment& e) { return e.members.empty() ? cluster.time_of(e) : 3 * cluster.one_way(0, 1, e.bytes); },
      {});
  const ParameterTable flow = table_of(estimate_platform(samples, "fans"), "flow");
  for (const ParameterGroup& group : flow.groups) {
    EXPECT_EQ(group.values.count("B_send") + group.values.count("B_receive"), 0U);
  }
}

TEST(EstimateSettings, NamesAreChecked) {
  EXPECT_EQ(parse_overhead_method("trains"), OverheadMethod::kTrains);
  EXPECT_EQ(parse_gap_method("indirect"), GapMethod::kIndirect);
  EXPECT_THROW(static_cast<void>(parse_overhead_method("train")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_gap_method("")), UsageError);
}

}  // namespace
}  // namespace postage
