#pragma once

#include <postage/base/units.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// An MPI that measuring programs can be started with.
struct MpiFlavour {
  std::string name;                ///< openmpi, mpich, smpi or custom
  std::filesystem::path program;   ///< postage-measure-NAME, empty if it was not built
  std::filesystem::path launcher;  ///< mpirun or smpirun, empty if it was not found
  [[nodiscard]] bool usable() const { return !program.empty() && !launcher.empty(); }
};

/// What is built and installed here, in the order of preference.
[[nodiscard]] std::vector<MpiFlavour> find_flavours();

/// Where to run a measuring program.
struct LaunchTarget {
  std::string mpi;       ///< flavour; empty takes the first usable one that is not a simulator
  bool shm = false;      ///< over shared memory, whose ranks need no launcher, instead of an MPI
  std::string launcher;  ///< replaces "mpirun ..." word by word, like "srun -n 4"; empty finds it
  std::filesystem::path hostfile;
  std::filesystem::path rank_file{};        ///< puts each rank on a slot: Open MPI's rankfile, MPICH's file of hosts
  int ranks = 0;                            ///< 0: as many as there are cores here, at least 2
  std::filesystem::path virtual_platform;   ///< SimGrid platform file: run under SMPI instead
  std::vector<std::string> smpi_arguments;  ///< further options of smpirun
  std::vector<std::string> launcher_options{};  ///< further options of mpirun
  std::string lab;                              ///< name of a lab to run on (see lab.hpp)
  int per_host = 1;                             ///< of a lab: ranks on each host
  Seconds time_limit = 600;
  std::string program = "postage-measure";  ///< what is started, less its flavour
};

/// The command line that starts `arguments` of the measuring program on the target. Throws Error naming what is
/// missing and how to get it.
[[nodiscard]] std::vector<std::string> launch_command(const LaunchTarget& target,
                                                      const std::vector<std::string>& arguments);

/// What happens while a command runs.
struct RunHooks {
  /// Called with each line of its error output as it comes; true takes the line away, so that no message repeats it.
  std::function<bool(std::string_view)> error_line{};
  /// Called on the first SIGINT or SIGTERM, to ask the command to end by itself; then it has `grace` seconds, or until
  /// the second signal. Without it, the first signal ends the command at once.
  std::function<void()> interrupted{};
  Seconds grace = 60;
  /// The time limit counts from the last line that error_line took, not from the start.
  bool lines_extend_limit = false;
  /// NAME=VALUE: of the command, beside this process's own or instead of it.
  std::vector<std::string> environment{};
};

/// Runs a command in a process group of its own until it ends. Throws Error with the end of its error output where it
/// fails, is killed, or outlives the limit, and Interrupted on SIGINT and SIGTERM; then all its descendants are killed,
/// also those that left the group. Returns its standard output. Several threads may each run a command: an interruption
/// ends all.
[[nodiscard]] std::string run_command(const std::vector<std::string>& command, Seconds time_limit,
                                      const RunHooks& hooks = {});

/// The last signal that interrupted a command: SIGINT or SIGTERM.
[[nodiscard]] int interrupting_signal();

/// A folder for temporary files that goes with its owner; where that was killed, the next process that makes one
/// removes it, too.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  ///< on a file in it, for as long as the owner lives
};

}  // namespace postage
