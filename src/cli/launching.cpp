#include "cli/launching.hpp"

#include "cli/options/remark.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/measuring.hpp>
#include <postage/launch/random_platform.hpp>
#include <postage/launch/virtual_cluster.hpp>
#include <postage/measure/campaign.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace postage {
namespace {

/// How far a measuring program is, in a line on the terminal that changes.
class ProgressLine {
 public:
  ProgressLine() : is_shown_(isatty(STDERR_FILENO) != 0) {}
  ~ProgressLine() { erase(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void take(const CampaignProgress& progress) {
    if (is_shown_ && progress.share > 0) {
      show(progress);
    }
  }

  void erase() {
    if (width_ > 0) {
      print_remark("\r{:{}}\r", "", width_);
      std::fflush(stderr);
      width_ = 0;
    }
  }

 private:
  void show(const CampaignProgress& progress) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    const std::string text =
        progress.repeating
            ? fmt::format("measuring: repeating imprecise experiments, at most {:.0f} s more", progress.budget_left)
            : fmt::format("measuring: {:.0f} %, about {:.0f} s left", 100 * progress.share,
                          std::ceil(spent.count() * (1 / progress.share - 1)));
    print_remark("\r{:{}}", text, width_);
    std::fflush(stderr);
    width_ = std::max(width_, text.size());
  }

  bool is_shown_;
  std::size_t width_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A simulated cluster that needs no files of the user.
struct BuiltInCluster {
  std::string name;
  int capacity = 0;  ///< ranks
  VirtualClusterFiles files;
};

BuiltInCluster built_in_cluster(const std::string& name, const std::filesystem::path& folder) {
  if (const auto seed = seed_of(name)) {
    const RandomPlatform platform = random_platform(*seed);
    return {platform.name(), platform.ranks(), write_random_platform(platform, folder)};
  }
  const VirtualCluster cluster = find_virtual_cluster(name);
  return {cluster.name, static_cast<int>(cluster.capacity()), write_virtual_cluster(cluster, folder)};
}

}  // namespace

void add_launch_options(Command& command, LaunchOptions& options) {
  command.option("--mpi", options.mpi, "openmpi, mpich or custom; by default the first one found");
  command.flag("--shm", options.shm, "Measure shared memory inside this node instead of an MPI");
  command.option("--launcher", options.launcher, "Command that starts the ranks instead of mpirun, like \"srun -n 8\"");
  command.option("--hostfile", options.hostfile, "Host file, in the format of the launcher");
  command.option("-n,--ranks", options.ranks, "Number of ranks, at least 2; by default one per core").range(2, 1 << 20);
  command.option("--virtual", options.virtual_name,
                 "Measure a simulated cluster: mixed16, mixed16-ethernet, flat16, multicore4x8, multicore8x8, a random "
                 "one like seed:17, "
                 "or a SimGrid "
                 "platform file, with --hostfile and -n");
  command.option("--lab", options.lab, "Run on the hosts of this lab (see postage lab --help)");
  command.option("--smpi-arg", options.smpi_arguments, "Further option of smpirun; may be repeated").one_at_a_time();
  command.only_with({"--virtual"}, {"--smpi-arg"});
  command.not_with("--virtual", {"--mpi", "--launcher", "--lab", "--shm"});
  command.not_with("--shm", {"--mpi", "--launcher", "--hostfile", "--lab"});
  command.not_with("--lab", {"--launcher", "--hostfile"});
  command.not_with("--launcher", {"--ranks", "--hostfile"});
  add_setting_options(command, options.measuring);
}

std::vector<std::string> launch_option_names() {
  std::vector<std::string> names = setting_option_names();
  names.insert(names.end(),
               {"--mpi", "--shm", "--launcher", "--hostfile", "--ranks", "--virtual", "--lab", "--smpi-arg"});
  return names;
}

LaunchTarget launch_target(const LaunchOptions& options, const std::filesystem::path& folder) {
  LaunchTarget target{.mpi = options.mpi,
                      .shm = options.shm,
                      .launcher = options.launcher,
                      .hostfile = options.hostfile,
                      .ranks = options.ranks,
                      .smpi_arguments = options.smpi_arguments,
                      .lab = options.lab,
                      .time_limit = measuring_time_limit(parse_seconds(options.measuring.budget))};
  if (options.virtual_name.empty()) {
    return target;
  }
  if (options.virtual_name.ends_with(".xml") || options.virtual_name.ends_with(".so")) {
    if (!std::filesystem::exists(options.virtual_name)) {
      throw UsageError(fmt::format("SimGrid platform {} does not exist", options.virtual_name));
    }
    target.virtual_platform = options.virtual_name;
    return target;
  }
  if (!options.hostfile.empty()) {
    throw UsageError(
        fmt::format("--hostfile is of SimGrid platform files: leave it out with --virtual {}", options.virtual_name));
  }
  const auto [name, capacity, files] = built_in_cluster(options.virtual_name, folder);
  target.virtual_platform = files.platform;
  target.hostfile = files.hostfile;
  target.ranks = options.ranks > 0 ? options.ranks : capacity;
  if (target.ranks > capacity) {
    throw UsageError(
        fmt::format("virtual cluster {} has cores for {} ranks, not for {}", name, capacity, target.ranks));
  }
  target.smpi_arguments.insert(target.smpi_arguments.begin(), files.smpi_arguments.begin(), files.smpi_arguments.end());
  return target;
}

SampleSet measure_with(const LaunchOptions& options, const std::vector<std::string>& experiments) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = words_of(options.measuring);
  arguments.insert(arguments.end(), experiments.begin(), experiments.end());
  ProgressLine line;
  const MeasuringHooks hooks{
      .progress = [&](const CampaignProgress& progress) { line.take(progress); },
      .interrupted =
          [&] {
            line.erase();
            print_remark("postage: stopping after what is under way; interrupt again to stop at once\n");
          }};
  return run_measuring_program(launch_target(options, folder.path()), std::move(arguments), hooks);
}

}  // namespace postage
