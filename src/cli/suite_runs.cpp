#include "cli/suite_runs.hpp"

#include "cli/launching.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/statistics.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/predict/prediction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace postage {
namespace {

constexpr Seconds kSimulationLimit = 3600;
/// One point of SMPI's own collectives takes a second or so; one that hangs is left out.
constexpr Seconds kLibraryLimit = 25;

/// Ranks start as far apart as predictions take them to.
std::string spread() {
  return fmt::format("{}s", kStartSpread);
}

const VirtualMachine* find_machine(const std::string& name) {
  const auto machines = virtual_machines();
  const auto found =
      std::find_if(machines.begin(), machines.end(), [&](const VirtualMachine& m) { return m.name == name; });
  return found == machines.end() ? nullptr : &*found;
}

/// The run on as few nodes as calibrating needs.
SuiteRun for_calibration(SuiteRun run) {
  const VirtualMachine* machine = find_machine(run.platform);
  run.nodes = machine == nullptr ? run.nodes : machine->calibration_nodes;
  run.placement = Placement::kBlock;
  return run;
}

LaunchOptions launch_of(const SuiteRun& run, const VirtualClusterFiles& files) {
  LaunchOptions launch;
  launch.virtual_name = files.platform.string();
  launch.hostfile = files.hostfile.string();
  launch.ranks = run.nodes * run.per_node;
  launch.smpi_arguments = files.smpi_arguments;
  launch.measuring.budget = "60min";
  return launch;
}

std::string list_of(const std::vector<Bytes>& sizes) {
  std::string text;
  for (const Bytes bytes : sizes) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", bytes);
  }
  return text.empty() ? "none" : text;
}

/// From 1 to 4M, each about a fifth more than the one before.
std::string dense_sizes() {
  std::vector<Bytes> sizes;
  for (Bytes size = 1; size <= (Bytes{4} << 20); size += std::max<Bytes>(size / 5, 1)) {
    sizes.push_back(size);
  }
  sizes.push_back(Bytes{4} << 20);
  return list_of(sizes);
}

/// What all models need, at more sizes where flows need them; SMPI's own model has jumps at many, elsewhere lines are
/// few.
std::vector<std::string> calibration_of(const SuiteRun& run) {
  const VirtualMachine* machine = find_machine(run.platform);
  const bool jumps = machine != nullptr && machine->protocol == VirtualProtocol::kDefault;
  std::vector<std::string> words = experiments_for(estimated_models(), {.quick = false, .is_virtual = true});
  const auto set = [&](const char* option, const std::string& sizes) {
    const auto found = std::find(words.begin(), words.end(), option);
    if (found == words.end()) {
      words.insert(words.end(), {option, sizes});
    } else {
      *(found + 1) = sizes;
    }
  };
  set("--sizes", jumps ? dense_sizes() : "1:4M:x2");
  set("--overhead-sizes", "1:4M:x4");
  set("--train-sizes", "1,1K,16K");
  set("--concurrent-sizes", "1,4K,64K,1M");
  set("--fan-sizes", "64K,1M");
  set("--butterfly-sizes", "64K,1M");
  set("--control-sizes", "none");
  return words;
}

std::vector<std::string> refinements_for(const UnresolvedSizes& sizes) {
  const std::string groups = list_of(sizes.groups);
  return {"--sizes",
          list_of(sizes.roundtrips),
          "--overhead-sizes",
          list_of(sizes.overheads),
          "--concurrent-sizes",
          groups,
          "--fan-sizes",
          groups,
          "--butterfly-sizes",
          groups,
          "--train-sizes",
          "none",
          "--control-sizes",
          "none"};
}

bool has_noise(const SuiteRun& run) {
  const VirtualMachine* machine = find_machine(run.platform);
  return machine != nullptr && machine->noise > 0;
}

/// How often to look between sizes for jumps: where times vary by themselves there is none to be found.
int refinements_of(const SuiteRun& run) {
  constexpr int kMost = 4;
  return has_noise(run) ? 0 : kMost;
}

std::vector<std::vector<double>> parse_times(const std::string& text, std::size_t count) {
  std::istringstream lines(text);
  std::vector<std::vector<double>> times;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<double>& list = times.emplace_back();
    for (double seconds = 0; words >> seconds;) {
      list.push_back(seconds);
    }
  }
  if (times.size() != count) {
    throw Error(fmt::format("postage-batch timed {} of {} points", times.size(), count));
  }
  return times;
}

std::vector<std::vector<double>> run_batch(const SuiteRun& run, const std::vector<std::string>& words,
                                           const std::vector<std::string>& smpi_arguments, Seconds limit) {
  const TemporaryFolder folder;
  const VirtualClusterFiles files = files_of(run, folder.path());
  const std::filesystem::path points = folder.path() / "points";
  const std::filesystem::path times = folder.path() / "times";
  write_file(points, format_batch(run.points));
  LaunchTarget target{.hostfile = files.hostfile,
                      .ranks = run.nodes * run.per_node,
                      .virtual_platform = files.platform,
                      .smpi_arguments = files.smpi_arguments,
                      .program = "postage-batch"};
  // The program keeps nothing in variables that ranks would have to have for themselves.
  target.smpi_arguments.emplace_back("--cfg=smpi/privatization:no");
  target.smpi_arguments.insert(target.smpi_arguments.end(), smpi_arguments.begin(), smpi_arguments.end());
  std::vector<std::string> arguments{points.string(), times.string()};
  arguments.insert(arguments.end(), words.begin(), words.end());
  static_cast<void>(run_command(launch_command(target, arguments), limit));
  if (!std::filesystem::exists(times)) {
    // smpirun calls a run that cannot go on a success.
    throw Error("ranks wait for one another for ever");
  }
  return parse_times(read_file(times), run.points.size());
}

}  // namespace

VirtualClusterFiles files_of(const SuiteRun& run, const std::filesystem::path& folder) {
  const VirtualMachine* machine = find_machine(run.platform);
  return machine == nullptr ? write_virtual_cluster(find_virtual_cluster(run.platform), folder)
                            : write_virtual_machine(*machine, run.nodes, run.placement, folder);
}

NamedModels models_of(const Platform& platform) {
  NamedModels models;
  for (const ParameterTable& table : platform.models) {
    models.emplace_back(table.model, build_model(table, platform.channels));
  }
  return models;
}

void predict_point(const Schedule& schedule, const ChannelMap& map, const NamedModels& models, AccuracyPoint& point) {
  for (const auto& [name, model] : models) {
    point.predicted[name] = evaluate(choose_evaluator(schedule, map, model, Effort::kThorough), schedule, map, model);
  }
}

double simulation_cost(const SuiteRun& run) {
  // Where messages scatter, or meet on what they share, times depend on chance, and many are run more than twice.
  constexpr double kRepeated = 4;
  const bool repeats = run.per_node > 1 || has_noise(run);
  return static_cast<double>(run.points.size()) * run.nodes * run.per_node * (repeats ? kRepeated : 1);
}

Platform calibrate(const SuiteRun& run) {
  const SuiteRun small = for_calibration(run);
  const TemporaryFolder folder;
  const LaunchOptions launch = launch_of(small, files_of(small, folder.path()));
  SampleSet samples = measure_with(launch, calibration_of(run));
  for (int i = 0; i < refinements_of(run); ++i) {
    const UnresolvedSizes sizes = unresolved_sizes(samples);
    if (sizes.is_empty()) {
      break;
    }
    SampleSet more = measure_with(launch, refinements_for(sizes));
    samples = merge_samples({std::move(samples), std::move(more)});
  }
  return estimate_platform(samples, run.platform);
}

std::vector<std::vector<double>> simulate(const SuiteRun& run) {
  return run_batch(run, {std::to_string(run.repetitions), spread()}, {}, kSimulationLimit);
}

std::vector<std::vector<double>> simulate_library(const SuiteRun& run, const std::string& collective,
                                                  const std::string& algorithm) {
  return run_batch(run, {"1", spread(), "library"}, {fmt::format("--cfg=smpi/{}:{}", collective, algorithm)},
                   kLibraryLimit * static_cast<double>(run.points.size()));
}

std::vector<AccuracyPoint> predict_run(const SuiteRun& run, const Platform& platform,
                                       const std::vector<std::vector<double>>& times) {
  const ChannelMap map(platform, run.placement == Placement::kBlock ? Mapping::block(run.nodes, run.per_node)
                                                                    : Mapping::cyclic(run.nodes, run.per_node));
  const NamedModels models = models_of(platform);
  std::vector<AccuracyPoint> points;
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const BatchPoint& asked = run.points[i];
    AccuracyPoint point{.platform = run.platform,
                        .placement = std::string(name_of(run.placement)),
                        .collective = std::string(name_of(asked.run.collective)),
                        .algorithm = asked.run.algorithm,
                        .ranks = asked.ranks,
                        .root = asked.run.root,
                        .bytes = asked.run.bytes,
                        .segment = asked.run.segment_bytes,
                        .measured = median(times[i]),
                        .scatter = (*std::max_element(times[i].begin(), times[i].end()) -
                                    *std::min_element(times[i].begin(), times[i].end())) /
                                   median(times[i])};
    predict_point(schedule_of(asked.run, asked.ranks), map, models, point);
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace postage
