#include "validate/suite/real_platforms.hpp"

#include "validate/suite/points.hpp"
#include "validate/suite/prediction.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/base/statistics.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/launch/lab.hpp>
#include <postage/launch/measuring.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/measure/held_out_draw.hpp>
#include <postage/measure/setting_options.hpp>
#include <postage/platform/topology.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/validate/held_out_accuracy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

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

/// How a platform is measured, and where.
struct RealRun {
  LaunchTarget target;
  SettingOptions settings;
};

RealRun run_of(const RealPlatform& platform) {
  RealRun run;
  MeasureSettings& settings = run.settings.settings;
  settings.keep_values = true;
  if (platform.name == "lab") {
    run.target.lab = kLabName;
    run.target.ranks = kLabHosts;
    run.settings.budget = "2min";
    settings.passes = 6;  // of 20 s each: its messages are slow
  } else {
    // Passes as long as a machine stays in one state, seconds, with sampling slots long enough to warm its caches up.
    run.settings.budget = "100s";
    settings.passes = 40;
    settings.least_repetitions = 4000;
    settings.most_repetitions = 16000;
    run.target.ranks = static_cast<int>(discover_topology().cores.size());
    run.target.shm = platform.name == "shm";
    run.target.mpi = run.target.shm ? "" : platform.name;
  }
  run.target.time_limit = measuring_time_limit(parse_seconds(run.settings.budget));
  return run;
}

/// The collectives that predictions are compared with.
std::vector<BatchPoint> real_points(Rank ranks) {
  return suite_points({ranks}, SuiteScale::kFull, 0).points;
}

/// What models are fitted to, the collectives that they are compared with, and those that give them their intervals.
SampleSet measure(const RealPlatform& platform) {
  const RealRun run = run_of(platform);
  std::vector<std::string> words = words_of(run.settings);
  const std::vector<std::string> fitted = experiments_for(estimated_models(), {});
  words.insert(words.end(), fitted.begin(), fitted.end());
  for (const BatchPoint& point : real_points(run.target.ranks)) {
    words.insert(words.end(), {"--collective", format_collective_run(point.run)});
  }
  words.insert(words.end(), {"--held-out", std::to_string(kUsualHeldOut)});
  return run_measuring_program(run.target, std::move(words));
}

/// The difference between the medians of every other pass and of those between.
double repeated_error(const Measurement& m) {
  std::array<std::vector<double>, 2> halves;
  std::size_t sampled = 0;
  for (const std::vector<double>& pass : m.passes) {
    if (!pass.empty()) {
      std::vector<double>& half = halves[sampled++ % 2];
      half.insert(half.end(), pass.begin(), pass.end());
    }
  }
  return sampled < 2 ? 0 : median(halves[1]) / median(halves[0]) - 1;
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

/// Sampling slots that there are values of.
std::size_t slots_in(const SampleSet& samples) {
  std::size_t slots = 0;
  for (const Measurement& m : samples.measurements) {
    slots += static_cast<std::size_t>(
        std::count_if(m.passes.begin(), m.passes.end(), [](const auto& pass) { return !pass.empty(); }));
  }
  return slots;
}

std::string tell_disturbed(const std::string& platform, const SampleSet& all, const SampleSet& kept) {
  const std::size_t slots = slots_in(all);
  const std::size_t left_out = slots - slots_in(kept);
  return left_out == 0 ? ""
                       : fmt::format(
                             "{}: {:.0f} % of all sampling slots, in which a small message took more than sqrt(2) "
                             "times more or less than in most",
                             platform, 100 * static_cast<double>(left_out) / static_cast<double>(slots));
}

AccuracyPoint measured_point(const std::string& platform, const Measurement& m, Rank ranks) {
  const Experiment& e = m.experiment;
  AccuracyPoint point{.platform = platform,
                      .placement = "block",
                      .collective = e.collective,
                      .algorithm = e.algorithm,
                      .ranks = ranks,
                      .root = e.root,
                      .bytes = e.bytes,
                      .segment = e.segment_bytes,
                      .measured = m.summary.median};
  add_noise(m, point);
  return point;
}

/// The measurements of these collectives, and the others.
std::pair<std::vector<Measurement>, SampleSet> apart(const SampleSet& samples, const std::vector<BatchPoint>& points) {
  std::set<std::string> compared;
  for (BatchPoint point : points) {
    point.run.ranks = point.ranks;
    compared.insert(format_collective_run(point.run));
  }
  std::pair<std::vector<Measurement>, SampleSet> both{{}, samples};
  both.second.measurements.clear();
  for (const Measurement& m : samples.measurements) {
    const bool is_compared = m.experiment.kind == ExperimentKind::kCollective &&
                             compared.contains(format_collective_run(collective_run_of(m.experiment)));
    (is_compared ? both.first : both.second.measurements).push_back(m);
  }
  return both;
}

/// What models are fitted to and what they are held to are sampled in turn, pass by pass: a machine that is slower for
/// a minute is so for both.
RealResult measure_and_predict(const RealPlatform& platform, const std::filesystem::path& keep) {
  const SampleSet all = measure(platform);
  if (!keep.empty()) {
    write_json(keep / (platform.name + "-samples.json"), to_json(all));
  }
  // The lab's hosts share processors in turn: there is no state that lasts.
  const SampleSet samples = platform.name == "lab" ? all : keep_undisturbed(all);
  const auto ranks = static_cast<Rank>(samples.ranks.size());
  const auto [compared, rest] = apart(samples, real_points(ranks));
  Platform estimated = estimate_platform(rest, platform.name);
  add_held_out(estimated, rest);
  const ChannelMap map(estimated, Mapping::explicit_placements(samples.ranks));
  const std::vector<PlatformModel> models =
      calibrated_models(estimated, map, choose_model(estimated.models, estimated.held_out));
  RealResult result{.left_out = platform.name == "lab" ? "" : tell_disturbed(platform.name, all, samples)};
  for (const Measurement& m : compared) {
    AccuracyPoint point = measured_point(platform.name, m, ranks);
    const Schedule schedule = schedule_of(collective_run_of(m.experiment), ranks);
    for (const PlatformModel& model : models) {
      add_prediction(schedule, model, point);
    }
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
