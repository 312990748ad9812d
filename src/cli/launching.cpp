#include "cli/launching.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/virtual_cluster.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace postage {
namespace {

/// Starting a simulation or a job takes time beside the measuring itself.
constexpr Seconds kStartUp = 120;

LaunchTarget target_of(const LaunchOptions& options, const std::filesystem::path& folder) {
  LaunchTarget target{.mpi = options.mpi,
                      .channel = options.channel,
                      .launcher = options.launcher,
                      .hostfile = options.hostfile,
                      .ranks = options.ranks,
                      .smpi_arguments = options.smpi_arguments,
                      .lab = options.lab,
                      .time_limit = kStartUp + 4 * parse_seconds(options.budget)};
  if (options.channel && !options.virtual_name.empty()) {
    throw UsageError("--channel measures this machine, --virtual a simulated one: give one of them");
  }
  if (options.virtual_name.empty()) {
    if (!options.smpi_arguments.empty()) {
      throw UsageError("--smpi-arg is for simulations: add --virtual PLATFORM.xml");
    }
    return target;
  }
  if (options.virtual_name.ends_with(".xml") || options.virtual_name.ends_with(".so")) {
    if (!std::filesystem::exists(options.virtual_name)) {
      throw UsageError(fmt::format("SimGrid platform {} does not exist", options.virtual_name));
    }
    target.virtual_platform = options.virtual_name;
    return target;
  }
  const VirtualCluster cluster = find_virtual_cluster(options.virtual_name);
  const VirtualClusterFiles files = write_virtual_cluster(cluster, folder);
  target.virtual_platform = files.platform;
  target.hostfile = files.hostfile;
  target.ranks = options.ranks > 0 ? options.ranks : static_cast<int>(cluster.size());
  if (target.ranks > static_cast<int>(cluster.size())) {
    throw UsageError(fmt::format("virtual cluster {} has {} hosts, too few for {} ranks", cluster.name, cluster.size(),
                                 target.ranks));
  }
  target.smpi_arguments.insert(target.smpi_arguments.begin(), files.smpi_arguments.begin(), files.smpi_arguments.end());
  return target;
}

std::vector<std::string> settings_of(const LaunchOptions& options) {
  std::vector<std::string> words{"--precision",  fmt::format("{}", options.precision),
                                 "--confidence", fmt::format("{}", options.confidence),
                                 "--budget",     options.budget,
                                 "--warm-up",    std::to_string(options.warm_up),
                                 "--least",      std::to_string(options.least),
                                 "--most",       std::to_string(options.most)};
  if (options.keep_values) {
    words.emplace_back("--keep-values");
  }
  return words;
}

}  // namespace

void add_launch_options(CLI::App& command, LaunchOptions& options) {
  command.add_option("--mpi", options.mpi, "openmpi, mpich or custom; by default the first that is found");
  command.add_flag("--channel", options.channel, "Measure the channel inside this node instead of an MPI");
  command.add_option("--launcher", options.launcher, "Starts the ranks instead of mpirun, like \"srun -n 8\"");
  command.add_option("--hostfile", options.hostfile, "Hosts to run on, as the launcher reads them");
  command.add_option("-n,--ranks", options.ranks, "Number of ranks; by default one for each core, at least 2")
      ->check(CLI::Range(1, 1 << 20));
  command.add_option("--virtual", options.virtual_name,
                     "Simulate instead: mixed16, flat16, or a SimGrid platform file with --hostfile and -n");
  command.add_option("--lab", options.lab, "Run on the hosts of the lab of this name (see postage lab --help)");
  command.add_option("--smpi-arg", options.smpi_arguments, "A further option of smpirun; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--precision", options.precision, "Half width of the median's interval over the median")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--confidence", options.confidence, "Confidence of the intervals")
      ->capture_default_str()
      ->check(CLI::Range(0.5, 0.9999));
  command.add_option("--budget", options.budget, "Time to measure for, like 30s")->capture_default_str();
  command.add_option("--warm-up", options.warm_up, "Repetitions before each experiment that do not count")
      ->capture_default_str()
      ->check(CLI::Range(0, 100000));
  command.add_option("--least", options.least, "Fewest repetitions")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000000));
  command.add_option("--most", options.most, "Most repetitions")->capture_default_str()->check(CLI::Range(2, 1000000));
  command.add_flag("--keep-values", options.keep_values, "Keep every single time in the samples file");
}

SampleSet measure_with(const LaunchOptions& options, const std::vector<std::string>& experiments) {
  const TemporaryFolder folder;
  const std::filesystem::path samples = folder.path() / "samples.json";
  std::vector<std::string> arguments = settings_of(options);
  arguments.insert(arguments.end(), {"-o", samples.string()});
  arguments.insert(arguments.end(), experiments.begin(), experiments.end());
  const LaunchTarget target = target_of(options, folder.path());
  const std::vector<std::string> command = launch_command(target, arguments);
  if (isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "measuring with {}, for about {} at most ...\n", command.front(), options.budget);
  }
  static_cast<void>(run_command(command, target.time_limit));
  if (!std::filesystem::exists(samples)) {
    throw Error(fmt::format("{} ended without an error, but wrote no samples", command.front()));
  }
  return samples_from_json(read_json(samples), samples);
}

}  // namespace postage
