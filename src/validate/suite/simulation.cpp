#include "validate/suite/simulation.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/launch.hpp>
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

/// What is simulated where.
struct SimulatedBatch {
  const VirtualClusterFiles& files;
  int ranks;
  const std::vector<BatchPoint>& points;
};

std::vector<std::vector<double>> run_batch(const SimulatedBatch& batch, const std::vector<std::string>& words,
                                           const std::vector<std::string>& smpi_arguments, Seconds limit) {
  const TemporaryFolder folder;
  const std::filesystem::path points = folder.path() / "points";
  const std::filesystem::path times = folder.path() / "times";
  write_file(points, format_batch(batch.points));
  LaunchTarget target{.hostfile = batch.files.hostfile,
                      .ranks = batch.ranks,
                      .virtual_platform = batch.files.platform,
                      .smpi_arguments = batch.files.smpi_arguments,
                      .program = "postage-batch"};
  // The program keeps nothing in variables that ranks would have to have for themselves.
  target.smpi_arguments.emplace_back("--cfg=smpi/privatization:no");
  target.smpi_arguments.insert(target.smpi_arguments.end(), smpi_arguments.begin(), smpi_arguments.end());
  std::vector<std::string> arguments{points.string(), times.string()};
  arguments.insert(arguments.end(), words.begin(), words.end());
  static_cast<void>(run_command(launch_command(target, arguments), limit));
  if (!std::filesystem::exists(times)) {
    // smpirun's status is 0 also after a deadlock.
    throw Error("the simulated ranks deadlock");
  }
  return parse_times(read_file(times), batch.points.size());
}

std::vector<std::vector<double>> run_batch(const SuiteRun& run, const std::vector<std::string>& words,
                                           const std::vector<std::string>& smpi_arguments, Seconds limit) {
  const TemporaryFolder folder;
  const VirtualClusterFiles files = files_of(run, folder.path());
  return run_batch({files, run.nodes * run.per_node, run.points}, words, smpi_arguments, limit);
}

}  // namespace

std::optional<VirtualMachine> machine_of(const SuiteRun& run) {
  const auto machines = virtual_machines();
  const auto found =
      std::find_if(machines.begin(), machines.end(), [&](const VirtualMachine& m) { return m.name == run.platform; });
  return found == machines.end() ? std::nullopt : std::optional(*found);
}

bool has_noise(const SuiteRun& run) {
  const std::optional<VirtualMachine> machine = machine_of(run);
  return machine && machine->noise > 0;
}

VirtualClusterFiles files_of(const SuiteRun& run, const std::filesystem::path& folder) {
  const std::optional<VirtualMachine> machine = machine_of(run);
  return machine ? write_virtual_machine(*machine, run.nodes, run.placement, folder)
                 : write_virtual_cluster(find_virtual_cluster(run.platform), folder);
}

double simulation_cost(const SuiteRun& run) {
  // Where messages scatter, or meet on what they share, times depend on chance, and many are run more than twice.
  constexpr double kRepeated = 4;
  const bool repeats = run.per_node > 1 || has_noise(run);
  return static_cast<double>(run.points.size()) * run.nodes * run.per_node * (repeats ? kRepeated : 1);
}

std::vector<std::vector<double>> simulate(const SuiteRun& run) {
  return run_batch(run, {std::to_string(run.repetitions), spread()}, {}, kSimulationLimit);
}

std::vector<std::vector<double>> simulate_points(const VirtualClusterFiles& files, int ranks,
                                                 const std::vector<BatchPoint>& points, int repetitions) {
  return run_batch({files, ranks, points}, {std::to_string(repetitions), spread()}, {}, kSimulationLimit);
}

std::vector<std::vector<double>> simulate_library(const SuiteRun& run, const std::string& collective,
                                                  const std::string& algorithm) {
  return run_batch(run, {"1", spread(), "library"}, {fmt::format("--cfg=smpi/{}:{}", collective, algorithm)},
                   kLibraryLimit * static_cast<double>(run.points.size()));
}

}  // namespace postage
