#include "cli/suite_real.hpp"

#include "cli/suite_points.hpp"
#include "cli/suite_runs.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/base/statistics.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/launch/lab.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/platform/topology.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace postage {
namespace {

constexpr const char* kLabName = "accuracy";
constexpr std::size_t kLabHosts = 4;
/// What one process can switch in time: 200 Mbit/s and 50 us to the switch.
constexpr double kLabRate = 25e6;
constexpr Seconds kLabLatency = 50e-6;

/// A lab for as long as it is needed.
class Lab {
 public:
  Lab() {
    LabPlan plan{.name = kLabName, .hosts = {}};
    plan.hosts.assign(kLabHosts, {kLabRate, kLabLatency});
    build_lab(plan);
  }
  ~Lab() {
    try {
      remove_lab(kLabName);
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "postage: %s\n", failure.what());
    }
  }
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;
};

LaunchOptions launch_of(const RealPlatform& platform) {
  LaunchOptions launch;
  launch.measuring.settings.keep_values = true;
  launch.ranks = static_cast<int>(discover_topology().cores.size());
  if (platform.name == "lab") {
    launch.measuring.budget = "2min";
    launch.lab = kLabName;
    launch.ranks = kLabHosts;
    launch.measuring.settings.passes = 6;  // of 20 s each: its messages are slow
    return launch;
  }
  // Passes as long as a machine stays in one state, seconds, with visits long enough to warm its caches up.
  launch.measuring.budget = "100s";
  launch.measuring.settings.passes = 40;
  launch.measuring.settings.least_repetitions = 4000;
  launch.measuring.settings.most_repetitions = 16000;
  if (platform.name == "shm") {
    launch.shm = true;
  } else {
    launch.mpi = platform.name;
  }
  return launch;
}

/// The difference between the medians of every other pass and of those between.
double repeated_error(const Measurement& m) {
  std::array<std::vector<double>, 2> halves;
  std::size_t visited = 0;
  for (const std::vector<double>& pass : m.passes) {
    if (!pass.empty()) {
      std::vector<double>& half = halves[visited++ % 2];
      half.insert(half.end(), pass.begin(), pass.end());
    }
  }
  return visited < 2 ? 0 : median(halves[1]) / median(halves[0]) - 1;
}

/// Too few repetitions have no interval: then they span what there is of them.
void add_noise(const Measurement& m, AccuracyPoint& point) {
  const Interval& interval = m.summary.median_interval;
  if (std::isfinite(interval.lower) && std::isfinite(interval.upper)) {
    point.scatter = (interval.upper - interval.lower) / point.measured;
    point.noise = MeasuredNoise{interval, repeated_error(m)};
  } else {
    point.scatter = (m.summary.maximum - m.summary.minimum) / point.measured;
  }
}

/// Visits that there are values of.
std::size_t visits_in(const SampleSet& samples) {
  std::size_t visits = 0;
  for (const Measurement& m : samples.measurements) {
    visits += static_cast<std::size_t>(
        std::count_if(m.passes.begin(), m.passes.end(), [](const auto& pass) { return !pass.empty(); }));
  }
  return visits;
}

std::string tell_unusual(const std::string& platform, const SampleSet& all, const SampleSet& kept) {
  const std::vector<bool> usual = undisturbed_passes(all);
  const auto unusual = std::count(usual.begin(), usual.end(), false);
  const std::size_t visits = visits_in(all);
  const std::size_t left_out = visits - visits_in(kept);
  return left_out == 0
             ? ""
             : fmt::format(
                   "{}: {:.0f} % of all visits: {} of {} passes, in which the machine was faster or "
                   "slower than in the others, and visits in the others in which its processors were",
                   platform, 100 * static_cast<double>(left_out) / static_cast<double>(visits), unusual, usual.size());
}

/// What models are fitted to and what they are held to are visited in turn, pass by pass: a machine that is slower for
/// a minute is so for both.
RealResult measure_and_predict(const RealPlatform& platform, const std::filesystem::path& keep) {
  const LaunchOptions launch = launch_of(platform);
  std::vector<std::string> words = experiments_for(estimated_models(), {});
  for (const BatchPoint& point : suite_points({launch.ranks}, SuiteScale::kFull, 0).points) {
    words.insert(words.end(), {"--collective", format_collective_run(point.run)});
  }
  const SampleSet all = measure_with(launch, words);
  if (all.interrupted) {
    throw Interrupted(fmt::format("validating was interrupted; nothing of {} is kept", platform.name));
  }
  if (!keep.empty()) {
    write_json(keep / (platform.name + "-samples.json"), to_json(all));
  }
  // The lab's hosts share processors in turn: there is no state that lasts.
  const SampleSet samples = platform.name == "lab" ? all : keep_undisturbed(all);
  const Platform estimated = estimate_platform(samples, platform.name);
  const auto ranks = static_cast<Rank>(samples.ranks.size());
  const ChannelMap map(estimated, Mapping::explicit_placements(samples.ranks));
  const NamedModels models = models_of(estimated);
  RealResult result{.left_out = platform.name == "lab" ? "" : tell_unusual(platform.name, all, samples)};
  for (const Measurement& m : samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind != ExperimentKind::kCollective) {
      continue;
    }
    AccuracyPoint point{.platform = platform.name,
                        .placement = "block",
                        .collective = e.collective,
                        .algorithm = e.algorithm,
                        .ranks = ranks,
                        .root = e.root,
                        .bytes = e.bytes,
                        .segment = e.segment_bytes,
                        .measured = m.summary.median};
    add_noise(m, point);
    const CollectiveRun run{parse_collective(e.collective), e.algorithm, e.bytes, e.segment_bytes, e.root};
    predict_point(schedule_of(run, ranks), map, models, point);
    result.points.push_back(std::move(point));
  }
  return result;
}

}  // namespace

std::vector<RealPlatform> real_platforms() {
  return {{"openmpi", "this machine's cores, Open MPI"},
          {"mpich", "this machine's cores, MPICH"},
          {"shm", "this machine's cores, postage's shared memory"},
          {"lab", "4 network namespaces joined by a switch, 200 Mbit/s and 100 us, Open MPI over TCP"}};
}

RealResult run_real(const RealPlatform& platform, const std::filesystem::path& keep) {
  if (platform.name != "lab") {
    if (discover_topology().cores.size() < 2) {
      throw Error("this machine has one core, and messages between ranks that share it measure the scheduler");
    }
    return measure_and_predict(platform, keep);
  }
  const Lab lab;
  return measure_and_predict(platform, keep);
}

}  // namespace postage
