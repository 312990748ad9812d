#include <postage/base/error.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>
#include <postage/platform/topology.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

namespace postage {
namespace {

namespace fs = std::filesystem;

fs::path find_first_in_path(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (fs::path found = find_in_path(name); !found.empty()) {
      return found;
    }
  }
  return {};
}

fs::path find_measuring_program(const std::string& flavour) {
  return find_built("postage-measure-" + flavour);
}

const MpiFlavour& choose(const std::vector<MpiFlavour>& flavours, const std::string& name) {
  std::string usable;
  for (const MpiFlavour& flavour : flavours) {
    if (flavour.name == name || (name.empty() && flavour.name != "smpi" && flavour.usable())) {
      return flavour;
    }
    usable += (usable.empty() ? "" : ", ") + flavour.name;
  }
  if (name.empty()) {
    throw Error(
        "no MPI was found: install Open MPI or MPICH with its compiler wrapper, then run make build; 'postage "
        "doctor' shows what is there");
  }
  throw UsageError(unknown_name("MPI", name, usable));
}

void check_usable(const MpiFlavour& flavour, const std::string& program, bool needs_launcher) {
  if (flavour.program.empty()) {
    throw Error(fmt::format("{}-{} was not built; run make build, which needs that MPI with its compiler wrapper",
                            program, flavour.name));
  }
  if (needs_launcher && flavour.launcher.empty()) {
    throw Error(
        fmt::format("the launcher of {} is not on the PATH; install it, or name one with --launcher", flavour.name));
  }
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    words.push_back(word);
  }
  return words;
}

void append(std::vector<std::string>& command, std::initializer_list<std::string> words) {
  command.insert(command.end(), words);
}

/// Open MPI runs nothing as root unless told to.
void allow_root(std::vector<std::string>& command) {
  if (geteuid() == 0) {
    append(command, {"--allow-run-as-root"});
  }
}

int cores_here() {
  return static_cast<int>(discover_topology().cores.size());
}

std::vector<std::string> real_launcher(const MpiFlavour& flavour, const LaunchTarget& target) {
  const int cores = cores_here();
  const int ranks = target.ranks > 0 ? target.ranks : std::max(cores, 2);
  const bool one_host = target.hostfile.empty();
  const bool crowded = one_host && ranks > cores;
  std::vector<std::string> command{flavour.launcher.string(), "-n", std::to_string(ranks)};
  if (!target.rank_file.empty()) {
    append(command, {flavour.name == "mpich" ? "-f" : "--rankfile", target.rank_file.string()});
    flavour.name == "mpich" ? append(command, {"-bind-to", "none"}) : allow_root(command);
    return command;
  }
  if (flavour.name == "mpich") {
    append(command, {"-bind-to", crowded ? "none" : "core"});
    if (!one_host) {
      append(command, {"-f", target.hostfile.string()});
    }
    return command;
  }
  append(command, {"--bind-to", crowded ? "none" : "core"});
  allow_root(command);
  if (crowded) {
    append(command, {"--oversubscribe", "--mca", "mpi_yield_when_idle", "1"});
  }
  if (!one_host) {
    append(command, {"--hostfile", target.hostfile.string()});
  }
  return command;
}

/// Settings with which SMPI's times follow from the platform file alone and repeat bit for bit. The user's own come
/// later on the line and win.
std::vector<std::string> simulator(const MpiFlavour& flavour, const LaunchTarget& target) {
  if (target.hostfile.empty() || target.ranks < 1) {
    throw UsageError("--virtual with a platform file needs --hostfile FILE and -n RANKS");
  }
  for (const fs::path& file : {target.virtual_platform, target.hostfile}) {
    if (file.string().find_first_of(" \t\n") != std::string::npos) {
      throw UsageError(fmt::format(
          "smpirun takes no names with white space, like '{}': name a platform and a hostfile, and by TMPDIR a "
          "folder for temporary files, without it",
          file.string()));
    }
  }
  std::vector<std::string> command{
      flavour.launcher.string(),        "-np",       std::to_string(target.ranks), "-platform",
      target.virtual_platform.string(), "-hostfile", target.hostfile.string()};
  for (const char* setting :
       {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:1e18", "network/weight-S:0",
        "smpi/simulate-computation:no", "smpi/host-speed:1Gf", "smpi/wtime:0", "surf/precision:1e-12"}) {
    command.push_back(std::string("--cfg=") + setting);
  }
  append(command, {"--log=xbt_cfg.thres:warning", "--log=smpi_coll.thres:error"});
  command.insert(command.end(), target.smpi_arguments.begin(), target.smpi_arguments.end());
  return command;
}

std::vector<std::string> lab_launcher(const MpiFlavour& flavour, const LaunchTarget& target) {
  std::vector<std::string> command{
      fs::read_symlink("/proc/self/exe").string(), "lab", "run", "--name", target.lab, "--mpi", flavour.name};
  if (target.ranks > 0) {
    append(command, {"-n", std::to_string(target.ranks)});
  }
  if (!target.rank_file.empty()) {
    append(command, {"--rank-file", target.rank_file.string()});
  }
  if (target.per_host > 1) {
    append(command, {"--per-host", std::to_string(target.per_host)});
  }
  append(command, {"--"});
  return command;
}

/// The program starts its ranks itself.
std::vector<std::string> over_shared_memory(const LaunchTarget& target) {
  if (!target.mpi.empty() || !target.launcher.empty() || !target.hostfile.empty() || !target.lab.empty() ||
      !target.virtual_platform.empty()) {
    throw UsageError(
        "--shm joins processes of this node and starts them itself: leave out --mpi, --launcher, --hostfile, "
        "--virtual and --lab");
  }
  const fs::path program = find_measuring_program("shm");
  if (program.empty()) {
    throw Error("postage-measure-shm is not beside postage nor in libexec; run make build");
  }
  const int ranks = target.ranks > 0 ? target.ranks : std::max(cores_here(), 2);
  return {program.string(), "-n", std::to_string(ranks)};
}

}  // namespace

std::vector<MpiFlavour> find_flavours() {
  return {{"openmpi", find_measuring_program("openmpi"), find_first_in_path({"mpirun.openmpi"})},
          {"mpich", find_measuring_program("mpich"), find_first_in_path({"mpirun.mpich"})},
          {"custom", find_measuring_program("custom"), find_first_in_path({"mpiexec", "mpirun"})},
          {"smpi", find_measuring_program("smpi"), find_first_in_path({"smpirun"})}};
}

std::vector<std::string> launch_command(const LaunchTarget& target, const std::vector<std::string>& arguments) {
  if (target.shm) {
    std::vector<std::string> command = over_shared_memory(target);
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
  }
  const bool is_virtual = !target.virtual_platform.empty();
  const bool is_lab = !target.lab.empty();
  if (is_lab && (is_virtual || !target.launcher.empty() || !target.hostfile.empty())) {
    throw UsageError("--lab has its own hosts and launcher: leave out --virtual, --launcher and --hostfile");
  }
  const std::vector<MpiFlavour> flavours = find_flavours();
  MpiFlavour flavour = choose(flavours, is_virtual ? "smpi" : target.mpi);
  flavour.program = find_built(fmt::format("{}-{}", target.program, flavour.name));
  check_usable(flavour, target.program, is_virtual || target.launcher.empty());
  if (!target.hostfile.empty() && !std::filesystem::exists(target.hostfile)) {
    throw UsageError(fmt::format("hostfile {} does not exist", target.hostfile.string()));
  }
  std::vector<std::string> command = is_virtual                ? simulator(flavour, target)
                                     : is_lab                  ? lab_launcher(flavour, target)
                                     : target.launcher.empty() ? real_launcher(flavour, target)
                                                               : words_of(target.launcher);
  command.insert(command.end(), target.launcher_options.begin(), target.launcher_options.end());
  command.push_back(flavour.program.string());
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

}  // namespace postage
