#include <postage/base/error.hpp>
#include <postage/tuning/watch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace postage {
namespace {

constexpr double kTolerance = 0.1;
constexpr int kBaselineRuns = 9;

/// How a machine's times scatter.
struct Noise {
  double each = 0.03;     ///< standard deviation of each median's logarithm
  double run = 0.015;     ///< of all medians of a run together
  double bad_run = 0.03;  ///< share of runs that another job disturbs
  double bad = 1.3;       ///< how much slower these are
};

/// By how much an experiment takes longer than on the machine that was well.
using Fault = std::function<double(const Experiment&)>;

double healthy(const Experiment& /*experiment*/) {
  return 1;
}

constexpr Bytes kMessages[] = {0,        8,        64,       512,       1 << 10,   2 << 10, 4 << 10, 8 << 10,
                               16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 1 << 20, 4 << 20};
constexpr Bytes kBlocks[] = {8, 64, 512, 16 << 10, 64 << 10, 256 << 10};

void add(SampleSet& samples, const Experiment& experiment, Seconds seconds) {
  samples.measurements.push_back(
      {.experiment = experiment, .summary = {.count = 20, .median = seconds, .median_interval = {seconds, seconds}}});
}

/// Two hosts of two ranks each.
SampleSet run_of(std::mt19937_64& random, const Noise& noise, const Fault& fault) {
  SampleSet samples{.implementation = "test"};
  for (const char* name : {"a", "b"}) {
    samples.nodes.push_back({.name = name, .topology = {.cores = {{.pu = 0}, {.pu = 1}}}});
  }
  samples.ranks = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  std::normal_distribution<double> normal;
  const bool is_bad = std::uniform_real_distribution<double>()(random) < noise.bad_run;
  const double run = std::exp(noise.run * normal(random)) * (is_bad ? noise.bad : 1);
  const auto time = [&](const Experiment& experiment, double seconds) {
    add(samples, experiment, seconds * run * fault(experiment) * std::exp(noise.each * normal(random)));
  };
  for (const Bytes bytes : kMessages) {
    time({.source = 0, .target = 1, .bytes = bytes}, 1e-6 + 1e-10 * static_cast<double>(bytes));
    time({.source = 0, .target = 2, .bytes = bytes}, 2e-5 + 1e-9 * static_cast<double>(bytes));
  }
  for (const char* name : {"bcast", "reduce", "allreduce", "allgather", "alltoall"}) {
    for (const Bytes bytes : kBlocks) {
      time(
          {.kind = ExperimentKind::kCollective, .bytes = bytes, .collective = name, .algorithm = "library", .ranks = 4},
          5e-5 + 3e-9 * static_cast<double>(bytes));
    }
  }
  return samples;
}

Baseline baseline_of(std::mt19937_64& random, const Noise& noise) {
  Baseline baseline;
  for (int run = 0; run < kBaselineRuns; ++run) {
    baseline.runs.push_back(run_of(random, noise, healthy));
  }
  return baseline;
}

/// What the command does: one run, and two more where it is suspicious.
std::vector<LayerState> watch_once(std::mt19937_64& random, const Watch& watch, const Noise& noise,
                                   const Fault& fault) {
  std::vector<SampleSet> runs{run_of(random, noise, fault)};
  std::vector<LayerState> layers = watch.compare(runs);
  if (is_suspicious(layers, kTolerance)) {
    runs.push_back(run_of(random, noise, fault));
    runs.push_back(run_of(random, noise, fault));
    layers = watch.compare(runs);
  }
  return layers;
}

bool names(const std::vector<LayerState>& layers, Layer layer, const std::string& where) {
  return std::any_of(layers.begin(), layers.end(), [&](const LayerState& state) {
    return state.slower && state.layer == layer && state.where == where;
  });
}

std::size_t slower(const std::vector<LayerState>& layers) {
  return static_cast<std::size_t>(
      std::count_if(layers.begin(), layers.end(), [](const LayerState& state) { return state.slower; }));
}

constexpr Noise kExact{.each = 0, .run = 0, .bad_run = 0};

struct FaultCase {
  Layer layer;
  const char* where;
  Fault fault;
};

bool is_between_nodes(const Experiment& e) {
  return e.kind == ExperimentKind::kRoundtrip && e.target == 2;
}

const std::vector<FaultCase>& fault_cases() {
  static const std::vector<FaultCase> cases{
      {Layer::kLatency, "inter-node",
       [](const Experiment& e) { return is_between_nodes(e) && e.bytes <= 512 ? 1.2 : 1; }},
      {Layer::kRate, "inter-node",
       [](const Experiment& e) { return is_between_nodes(e) && e.bytes >= 256 << 10 ? 1.2 : 1; }},
      {Layer::kProtocol, "inter-node",
       [](const Experiment& e) { return is_between_nodes(e) && e.bytes >= 8 << 10 && e.bytes <= 32 << 10 ? 1.2 : 1; }},
      {Layer::kAlgorithm, "allreduce, large",
       [](const Experiment& e) { return e.collective == "allreduce" && e.bytes >= 16 << 10 ? 1.2 : 1; }}};
  return cases;
}

TEST(Watch, NamesTheLayerThatChanged) {
  std::mt19937_64 random(1);
  const Watch watch(baseline_of(random, kExact), kTolerance);
  EXPECT_EQ(slower(watch_once(random, watch, kExact, healthy)), 0);
  for (const FaultCase& one : fault_cases()) {
    const std::vector<LayerState> layers = watch_once(random, watch, kExact, one.fault);
    EXPECT_TRUE(names(layers, one.layer, one.where)) << name_of(one.layer);
    EXPECT_EQ(slower(layers), 1) << name_of(one.layer);
    EXPECT_NEAR(layers.front().factor, 1.2, 1e-9);
  }
}

TEST(Watch, ASlowNetworkIsNotBlamedOnTheLibrary) {
  std::mt19937_64 random(1);
  const Watch watch(baseline_of(random, kExact), kTolerance);
  const std::vector<LayerState> layers = watch_once(random, watch, kExact, [](const Experiment& e) {
    return is_between_nodes(e) || e.kind == ExperimentKind::kCollective ? 1.5 : 1;
  });
  EXPECT_TRUE(names(layers, Layer::kLatency, "inter-node"));
  EXPECT_TRUE(names(layers, Layer::kRate, "inter-node"));
  EXPECT_EQ(slower(layers), 2);
}

TEST(Watch, OtherCoresComeFirst) {
  std::mt19937_64 random(1);
  const Watch watch(baseline_of(random, kExact), kTolerance);
  SampleSet now = run_of(random, kExact, healthy);
  std::swap(now.ranks[0], now.ranks[1]);
  const std::vector<LayerState> layers = watch.compare({&now, 1});
  EXPECT_EQ(layers.front().layer, Layer::kPlacement);
  EXPECT_EQ(layers.front().where, "2 of 4 ranks are on another core or host");
}

constexpr int kBaselines = 20;
constexpr int kRunsOfEach = 25;
constexpr int kRuns = kBaselines * kRunsOfEach;

/// How many of 500 checks, against 20 baselines, find what `is_found` says.
template <typename Found>
int count_found(std::uint64_t seed, const Noise& noise, const Fault& fault, const Found& is_found) {
  std::mt19937_64 random(seed);
  int found = 0;
  for (int i = 0; i < kBaselines; ++i) {
    const Watch watch(baseline_of(random, noise), kTolerance);
    for (int run = 0; run < kRunsOfEach; ++run) {
      found += is_found(watch_once(random, watch, noise, fault)) ? 1 : 0;
    }
  }
  return found;
}

TEST(Watch, ThreeRunsRarelyAlarmFalsely) {
  const auto any = [](const std::vector<LayerState>& layers) { return slower(layers) > 0; };
  EXPECT_LT(count_found(20261123, {}, healthy, any), kRuns / 100);
  // Twice as noisy: what is found then is less, but alarms stay rare.
  EXPECT_LT(count_found(20261124, {.each = 0.06, .run = 0.03}, healthy, any), kRuns / 50);
}

TEST(Watch, AFifthSlowerIsFound) {
  for (const FaultCase& one : fault_cases()) {
    EXPECT_GT(count_found(20261123, {}, one.fault,
                          [&](const std::vector<LayerState>& layers) { return names(layers, one.layer, one.where); }),
              kRuns - kRuns / 100)
        << name_of(one.layer);
  }
}

TEST(Watch, RefusesOtherNumbersOfRanks) {
  std::mt19937_64 random(1);
  const Watch watch(baseline_of(random, kExact), kTolerance);
  SampleSet now = run_of(random, kExact, healthy);
  now.ranks.pop_back();
  EXPECT_THROW(static_cast<void>(watch.compare({&now, 1})), Error);
}

TEST(Watch, RefusesABaselineWithoutRuns) {
  EXPECT_THROW(static_cast<void>(baseline_from_json(
                   Json{{"format", kBaselineFormat}, {"version", 1}, {"runs", Json::array()}}, "b.json")),
               Error);
}

}  // namespace
}  // namespace postage
