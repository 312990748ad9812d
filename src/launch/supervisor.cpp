#include "launch/supervisor.hpp"

#include "launch/pipe.hpp"

#include <postage/base/error.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

namespace postage {
namespace {

// The supervisor is forked from a process with threads: between fork and exec, and in the supervisor, which never
// execs, nothing may allocate or take a lock. Hence the plain system calls.

constexpr int kStop = SIGTERM;      ///< to the supervisor: kill all
constexpr int kAbandoned = SIGHUP;  ///< to the supervisor, from the kernel: whoever started it is gone

struct Start {
  std::vector<char*> words;        ///< of the command, nullptr at the end
  std::vector<char*> environment;  ///< nullptr at the end
  std::string complaint;           ///< where it cannot be started
  int out = -1;
  int err = -1;
  int report = -1;
  pid_t starter = -1;
  sigset_t old_mask{};
  sigset_t signals{};
};

std::atomic<bool> lost_one = false;

void say(int descriptor, std::string_view text) {
  static_cast<void>(write(descriptor, text.data(), text.size()) > 0);
}

/// Asks the kernel for a signal when the parent dies. False where it is dead already.
bool die_with(pid_t parent, int signal) {
  return prctl(PR_SET_PDEATHSIG, signal) == 0 && getppid() == parent;
}

[[noreturn]] void become_command(const Start& start, pid_t supervisor) {
  if (!die_with(supervisor, SIGTERM)) {
    _exit(1);
  }
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(start.out, STDOUT_FILENO);
  dup2(start.err, STDERR_FILENO);
  sigprocmask(SIG_SETMASK, &start.old_mask, nullptr);
  environ = const_cast<char**>(start.environment.data());
  execvp(start.words.front(), start.words.data());
  const char* reason = strerrordesc_np(errno);
  say(STDERR_FILENO, start.complaint);
  say(STDERR_FILENO, reason == nullptr ? "unknown error" : reason);
  say(STDERR_FILENO, "\n");
  _exit(127);
}

/// The parent of a process, from /proc; -1 where it is gone.
pid_t parent_of(pid_t pid) {
  std::array<char, 64> path{"/proc/"};
  char* end = std::to_chars(path.data() + 6, path.data() + 32, pid).ptr;
  std::memcpy(end, "/stat", 6);
  const int descriptor = open(path.data(), O_RDONLY | O_CLOEXEC);
  std::array<char, 256> text{};
  const ssize_t size = descriptor < 0 ? 0 : read(descriptor, text.data(), text.size() - 1);
  close(descriptor);
  // "PID (name) STATE PARENT": the name may hold spaces and brackets, so read from the last one.
  const char* end_of_name = size > 0 ? std::strrchr(text.data(), ')') : nullptr;
  return end_of_name == nullptr ? -1 : static_cast<pid_t>(std::strtol(end_of_name + 4, nullptr, 10));
}

void kill_children() {
  const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const pid_t self = getpid();
  alignas(dirent64) std::array<char, 8192> entries{};
  for (ssize_t size = 0; (size = getdents64(proc, entries.data(), entries.size())) > 0;) {
    for (ssize_t at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      at += entry->d_reclen;
      const auto pid = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
      if (pid > 0 && parent_of(pid) == self) {
        kill(pid, SIGKILL);
      }
    }
  }
  close(proc);
}

/// Waits for children that have ended. False where there are no children any more.
bool reap(pid_t command, int& status) {
  for (;;) {
    int of_child = 0;
    const pid_t child = waitpid(-1, &of_child, WNOHANG);
    if (child == command) {
      status = of_child;
    }
    if (child <= 0) {
      return child == 0 || errno != ECHILD;
    }
  }
}

/// The children of a child that is killed become the supervisor's own, and follow in the next turn.
void end_descendants() {
  constexpr int kMostTurns = 500;
  constexpr useconds_t kTurn = 5000;
  for (int turn = 0, none = 0; turn < kMostTurns && reap(-1, none); ++turn) {
    kill_children();
    usleep(turn == 0 ? 200 : kTurn);
  }
}

/// The command's status when it ends, or SIGKILL's where it has to be killed.
int wait_for(pid_t command, const sigset_t& signals) {
  constexpr int kRuns = -1;
  int status = kRuns;
  timespec deadline{};
  bool abandoned = false;
  while (reap(command, status) && status == kRuns) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const timespec wait{abandoned ? deadline.tv_sec - now.tv_sec : 1 << 20, 0};
    if (wait.tv_sec < 0) {
      return SIGKILL;
    }
    const int signal = sigtimedwait(&signals, nullptr, &wait);
    if (signal == kStop) {
      return SIGKILL;
    }
    if (signal == kAbandoned) {
      abandoned = true;
      deadline.tv_sec = now.tv_sec + SupervisedCommand::kGrace;
      kill(command, SIGTERM);
    }
  }
  return status == kRuns ? SIGKILL : status;
}

[[noreturn]] void supervise(const Start& start) {
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "postage-launch");
  std::signal(SIGCHLD, SIG_DFL);  // ignored, as a caller may have left it, it would give no status
  if (!die_with(start.starter, kAbandoned)) {
    _exit(1);
  }
  const pid_t self = getpid();
  const pid_t command = fork();
  if (command == 0) {
    become_command(start, self);
  }
  // Whoever reads from this process's streams must not wait for the supervisor.
  dup2(start.report, STDIN_FILENO);
  close_range(STDOUT_FILENO, ~0U, 0);
  const int status = command < 0 ? SIGKILL : wait_for(command, start.signals);
  end_descendants();
  static_cast<void>(write(STDIN_FILENO, &status, sizeof status) > 0);
  _exit(0);
}

/// This process's own, with the new ones before it: nothing that is set twice.
std::vector<char*> with_environment(const std::vector<std::string>& added) {
  std::vector<char*> all;
  for (const std::string& one : added) {
    all.push_back(const_cast<char*>(one.c_str()));
  }
  for (char** own = environ; *own != nullptr; ++own) {
    const std::string_view text = *own;
    const std::string_view name = text.substr(0, text.find('=') + 1);
    if (std::ranges::none_of(added, [&](const std::string& one) { return one.starts_with(name); })) {
      all.push_back(*own);
    }
  }
  all.push_back(nullptr);
  return all;
}

Start prepare(const std::vector<std::string>& command, int out, int err, const std::vector<std::string>& environment) {
  Start start{.words = {},
              .environment = {},
              .complaint = fmt::format("cannot start {}: ", command.front()),
              .out = out,
              .err = err};
  for (const std::string& word : command) {
    start.words.push_back(const_cast<char*>(word.c_str()));
  }
  start.words.push_back(nullptr);
  start.environment = with_environment(environment);
  start.starter = getpid();
  sigemptyset(&start.signals);
  for (const int signal : {SIGCHLD, kStop, kAbandoned}) {
    sigaddset(&start.signals, signal);
  }
  return start;
}

}  // namespace

SupervisedCommand::SupervisedCommand(const std::vector<std::string>& command, int out, int err,
                                     const std::vector<std::string>& environment) {
  Pipe report;
  Start start = prepare(command, out, err, environment);
  start.report = report.write_end();
  // Blocked before the fork, so that the supervisor misses none.
  pthread_sigmask(SIG_BLOCK, &start.signals, &start.old_mask);
  supervisor_ = fork();
  if (supervisor_ == 0) {
    supervise(start);
  }
  const int reason = errno;
  pthread_sigmask(SIG_SETMASK, &start.old_mask, nullptr);
  if (supervisor_ < 0) {
    throw Error(start.complaint + std::strerror(reason));
  }
  report_ = report.release_read_end();
}

void SupervisedCommand::read_status(int of_supervisor) {
  int reported = 0;
  const bool is_whole = read(report_, &reported, sizeof reported) == sizeof reported;
  status_ = is_whole ? reported : of_supervisor;
  close(report_);
  if (!is_whole) {
    kill(-supervisor_, SIGKILL);  // the command is of its process group
    lost_one = true;
  }
}

bool SupervisedCommand::has_lost_one() {
  return lost_one;
}

std::optional<int> SupervisedCommand::status() {
  int of_supervisor = 0;
  if (!status_ && waitpid(supervisor_, &of_supervisor, WNOHANG) == supervisor_) {
    read_status(of_supervisor);
  }
  return status_;
}

void SupervisedCommand::stop() {
  if (status_) {
    return;
  }
  kill(supervisor_, kStop);
  int of_supervisor = 0;
  while (waitpid(supervisor_, &of_supervisor, 0) < 0 && errno == EINTR) {
  }
  read_status(of_supervisor);
}

}  // namespace postage
