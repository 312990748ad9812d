#include "launch/command_output.hpp"
#include "launch/supervisor.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/interruptions.hpp>
#include <postage/launch/launch.hpp>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace postage {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point after(Seconds seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// Whether a command may go on; why not.
enum class Verdict { kGoOn, kInterrupted, kTooLong };

/// Decides how long a command may go on.
class Deadline {
 public:
  Deadline(Seconds limit, const RunHooks& hooks) : limit_(limit), hooks_(hooks), deadline_(after(limit)) {}

  void line_taken() {
    if (hooks_.lines_extend_limit && !asked_) {
      deadline_ = after(limit_);
    }
  }

  Verdict verdict() {
    if (InterruptionCounter::count() > 0 && !asked_ && hooks_.interrupted) {
      asked_ = true;
      deadline_ = after(hooks_.grace);
      hooks_.interrupted();
    }
    const bool is_late = Clock::now() > deadline_;
    if (InterruptionCounter::count() > (asked_ ? 1 : 0) || (asked_ && is_late)) {
      return Verdict::kInterrupted;
    }
    return is_late ? Verdict::kTooLong : Verdict::kGoOn;
  }

 private:
  Seconds limit_;
  const RunHooks& hooks_;
  Clock::time_point deadline_;
  bool asked_ = false;
};

/// Reads what the command writes until it has ended, or may not go on.
Verdict follow(SupervisedCommand& command, CommandOutput& output, Seconds time_limit, const RunHooks& hooks) {
  Deadline deadline(time_limit, hooks);
  for (;;) {
    const bool open = output.read_some(50);
    if (hooks.error_line && output.show_lines(hooks.error_line)) {
      deadline.line_taken();
    }
    if (command.status()) {
      return Verdict::kGoOn;
    }
    const Verdict verdict = deadline.verdict();
    if (verdict != Verdict::kGoOn) {
      return verdict;
    }
    if (!open) {
      usleep(10000);
    }
  }
}

void throw_failure(const std::string& name, int status, const std::string& because) {
  if (WIFSIGNALED(status)) {
    throw Error(fmt::format("{} was killed by signal {}{}", name, WTERMSIG(status), because));
  }
  if (WEXITSTATUS(status) != 0) {
    throw Error(fmt::format("{} failed with status {}{}", name, WEXITSTATUS(status), because));
  }
}

/// What a measuring program of ours refused is an invalid request here, whatever launched it.
void throw_refusal(int status, const std::string& own_sentence) {
  constexpr int kInvalidRequest = 2;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kInvalidRequest && !own_sentence.empty()) {
    throw UsageError(own_sentence);
  }
}

}  // namespace

std::string run_command(const std::vector<std::string>& command, Seconds time_limit, const RunHooks& hooks) {
  const InterruptionCounter interruptions;
  CommandOutput output;
  SupervisedCommand running(command, output.out_for_command(), output.err_for_command(), hooks.environment);
  output.close_command_ends();
  const Verdict verdict = follow(running, output, time_limit, hooks);
  running.stop();
  output.read_rest();
  if (hooks.error_line) {
    output.show_lines(hooks.error_line);
  }
  const std::string said = output.error_sentence();
  const std::string because = said.empty() ? "" : ": " + said;
  const bool was_asked = InterruptionCounter::count() > 0 && !hooks.interrupted;  // perhaps as it ended by itself
  if (verdict == Verdict::kInterrupted || was_asked) {
    throw Interrupted(
        fmt::format("{} was interrupted, and was stopped with all its processes{}", command.front(), because));
  }
  if (verdict == Verdict::kTooLong) {
    throw Error(fmt::format("{} did not end within {}, and was stopped with all its processes{}", command.front(),
                            format_seconds(time_limit), because));
  }
  throw_refusal(*running.status(), output.own_sentence());
  throw_failure(command.front(), *running.status(), because);
  return output.standard();
}

}  // namespace postage
