#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace postage {

/// A command that runs under a supervisor: a process between it and this one that inherits all of the command's
/// descendants, also those that left its process group or session, and leaves none of them behind.
///
///   this process ── supervisor ── mpirun ── ranks
///
/// They are killed when the command ends, when it is stopped, and when this process dies, however it dies: then the
/// command has kGrace seconds to end them itself, as launchers do on SIGTERM also on other nodes.
class SupervisedCommand {
 public:
  static constexpr int kGrace = 2;  ///< seconds

  /// Starts it with `out` and `err` as its streams, without input. The thread that does this has to live until the end,
  /// as the kernel takes its death for this process's. Throws Error where no process can be made.
  SupervisedCommand(const std::vector<std::string>& command, int out, int err,
                    const std::vector<std::string>& environment);
  ~SupervisedCommand() { stop(); }
  SupervisedCommand(const SupervisedCommand&) = delete;
  SupervisedCommand& operator=(const SupervisedCommand&) = delete;

  /// The command's status, as waitpid gives it, once it and all its descendants have ended. Does not wait.
  [[nodiscard]] std::optional<int> status();

  /// True once a supervisor was killed before its command had ended: descendants of this may still be ending.
  [[nodiscard]] static bool has_lost_one();

  /// Kills the command and its descendants, and waits until they are gone.
  void stop();

 private:
  void read_status(int of_supervisor);

  pid_t supervisor_ = -1;
  int report_ = -1;  ///< where the supervisor writes the command's status
  std::optional<int> status_;
};

}  // namespace postage
