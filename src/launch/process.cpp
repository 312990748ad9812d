#include <postage/base/error.hpp>
#include <postage/launch/launch.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>

namespace postage {
namespace {

volatile std::sig_atomic_t interruptions = 0;
void count_signal(int /*signal*/) {
  interruptions = interruptions + 1;
}

/// What commands that run at the same time have in common.
struct Commands {
  std::mutex mutex;
  std::set<pid_t> running;
  int guards = 0;
  struct sigaction old_int {};
  struct sigaction old_term {};
};

Commands& commands() {
  static Commands all;
  return all;
}

/// Notes SIGINT and SIGTERM while one of its kind lives, instead of dying at once and leaving the children alone.
class SignalGuard {
 public:
  SignalGuard() {
    Commands& all = commands();
    const std::lock_guard lock(all.mutex);
    if (all.guards++ == 0) {
      struct sigaction action {};
      action.sa_handler = count_signal;
      interruptions = 0;
      sigaction(SIGINT, &action, &all.old_int);
      sigaction(SIGTERM, &action, &all.old_term);
    }
  }
  ~SignalGuard() {
    Commands& all = commands();
    const std::lock_guard lock(all.mutex);
    if (--all.guards == 0) {
      sigaction(SIGINT, &all.old_int, nullptr);
      sigaction(SIGTERM, &all.old_term, nullptr);
    }
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
};

/// Parent of every process, from /proc.
std::vector<std::pair<pid_t, pid_t>> parents() {
  std::vector<std::pair<pid_t, pid_t>> all;
  DIR* proc = opendir("/proc");
  if (proc == nullptr) {
    return all;
  }
  while (const dirent* entry = readdir(proc)) {
    const pid_t pid = std::atoi(entry->d_name);
    std::ifstream stat(fmt::format("/proc/{}/stat", pid));
    std::string text;
    if (pid > 0 && std::getline(stat, text)) {
      // "PID (name) STATE PARENT": the name may hold spaces and brackets, so read from the last one.
      char state = 0;
      pid_t parent = 0;
      if (std::sscanf(text.c_str() + text.rfind(')') + 1, " %c %d", &state, &parent) == 2) {
        all.emplace_back(pid, parent);
      }
    }
  }
  closedir(proc);
  return all;
}

/// The processes below `roots`, and these.
std::set<pid_t> family_of(std::set<pid_t> roots) {
  const auto all = parents();
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [pid, parent] : all) {
      grew = (roots.count(parent) > 0 && roots.insert(pid).second) || grew;
    }
  }
  return roots;
}

/// All descendants of this process; while other commands run, only the child's. Orphans may be theirs then, and are
/// left to the last command.
std::set<pid_t> family_to_kill(pid_t child, const std::set<pid_t>& others) {
  std::set<pid_t> family = family_of(others.empty() ? std::set{getpid()} : std::set{child});
  family.erase(getpid());
  return family;
}

/// Launchers start ranks in groups and sessions of their own; as their subreaper this process inherits those whose
/// parent dies, so that none escapes. `has_ended`: the child was waited for, and its number may be another's by now.
void kill_descendants(pid_t child, bool has_ended) {
  Commands& all = commands();
  const std::lock_guard lock(all.mutex);
  all.running.erase(child);
  kill(-child, SIGKILL);
  if (has_ended && !all.running.empty()) {
    return;
  }
  for (int round = 0; round < 200; ++round) {
    const std::set<pid_t> family = family_to_kill(child, all.running);
    for (const pid_t pid : family) {
      kill(pid, SIGKILL);
    }
    const auto is_gone = [](pid_t pid) { return waitpid(pid, nullptr, WNOHANG) > 0 || kill(pid, 0) != 0; };
    const auto gone = std::count_if(family.begin(), family.end(), is_gone);
    if (static_cast<std::size_t>(gone) == family.size()) {
      return;
    }
    usleep(5000);
  }
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    }
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t which) {
    if (ends[which] >= 0) {
      close(ends[which]);
      ends[which] = -1;
    }
  }
};

pid_t start(const std::vector<std::string>& command, const Pipe& out, const Pipe& err) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  Commands& all = commands();
  const std::lock_guard lock(all.mutex);
  const pid_t child = fork();
  if (child < 0) {
    throw Error(fmt::format("cannot start {}: {}", command.front(), std::strerror(errno)));
  }
  if (child == 0) {
    setpgid(0, 0);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(out.ends[1], STDOUT_FILENO);
    dup2(err.ends[1], STDERR_FILENO);
    execvp(words[0], words.data());
    fmt::print(stderr, "cannot start {}: {}\n", command.front(), std::strerror(errno));
    _exit(127);
  }
  all.running.insert(child);
  return child;
}

/// What a measuring program said itself, without what its launcher adds to that; empty if it said nothing.
std::string own_words(const std::string& errors) {
  const std::string mark = "postage-measure: ";
  for (auto at = errors.find(mark); at != std::string::npos; at = errors.find(mark, at + 1)) {
    std::string line = errors.substr(at + mark.size(), errors.find('\n', at) - at - mark.size());
    if (!line.starts_with("warning")) {
      return line;
    }
  }
  return "";
}

/// What an error output says, in one line.
std::string essence(const std::string& errors) {
  if (std::string own = own_words(errors); !own.empty()) {
    return own;
  }
  std::string text;
  std::size_t begin = 0;
  while (begin < errors.size()) {
    const std::size_t end = std::min(errors.find('\n', begin), errors.size());
    const std::string line = errors.substr(begin, end - begin);
    begin = end + 1;
    // The launchers' frames of dashes and stars say nothing.
    if (line.find_first_not_of("-=* \t") != std::string::npos) {
      text += (text.empty() ? "" : " | ") + line;
    }
  }
  constexpr std::size_t most = 600;
  return text.size() > most ? text.substr(0, most) + "..." : text;
}

class Output {
 public:
  Output(Pipe& out, Pipe& err) : polls_{{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}} {}

  /// Reads what there is, waiting at most `milliseconds`; false once both pipes are closed.
  bool read_some(int milliseconds) {
    if (polls_[0].fd < 0 && polls_[1].fd < 0) {
      return false;
    }
    poll(polls_.data(), polls_.size(), milliseconds);
    for (std::size_t i = 0; i < polls_.size(); ++i) {
      if (polls_[i].fd >= 0 && polls_[i].revents != 0) {
        std::array<char, 65536> buffer{};
        const ssize_t count = read(polls_[i].fd, buffer.data(), buffer.size());
        if (count > 0) {
          text[i].append(buffer.data(), static_cast<std::size_t>(count));
        } else if (count == 0 || errno != EINTR) {
          polls_[i].fd = -1;
        }
      }
    }
    return true;
  }

  /// True while there is something to read, or an end that was not noticed yet.
  [[nodiscard]] bool has_more() { return poll(polls_.data(), polls_.size(), 0) > 0; }

  /// Shows each new whole line of the error output; true if one was taken, which then is no longer in the text.
  bool show_lines(const std::function<bool(std::string_view)>& show) {
    bool took = false;
    std::string& errors = text[1];
    for (std::size_t end = errors.find('\n', shown_); end != std::string::npos; end = errors.find('\n', shown_)) {
      if (show(std::string_view(errors).substr(shown_, end - shown_))) {
        errors.erase(shown_, end + 1 - shown_);
        took = true;
      } else {
        shown_ = end + 1;
      }
    }
    return took;
  }

  std::array<std::string, 2> text;

 private:
  std::array<pollfd, 2> polls_;
  std::size_t shown_ = 0;
};

using Clock = std::chrono::steady_clock;

Clock::time_point after(Seconds seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// Decides how long a command may go on.
class Patience {
 public:
  Patience(Seconds limit, const RunHooks& hooks) : limit_(limit), hooks_(hooks), deadline_(after(limit)) {}

  void line_taken() {
    if (hooks_.lines_extend_limit && !asked_) {
      deadline_ = after(limit_);
    }
  }

  /// Whether the command may go on; why not.
  enum class Verdict { kGoOn, kInterrupted, kTooLong };

  Verdict verdict() {
    if (interruptions > 0 && !asked_ && hooks_.interrupted) {
      asked_ = true;
      deadline_ = after(hooks_.grace);
      hooks_.interrupted();
    }
    const bool is_late = Clock::now() > deadline_;
    if (interruptions > (asked_ ? 1 : 0) || (asked_ && is_late)) {
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

}  // namespace

std::string run_command(const std::vector<std::string>& command, Seconds time_limit, const RunHooks& hooks) {
  const SignalGuard guard;
  Pipe out;
  Pipe err;
  Patience patience(time_limit, hooks);
  const pid_t child = start(command, out, err);
  out.close_end(1);
  err.close_end(1);
  Output output(out, err);
  int status = 0;
  auto verdict = Patience::Verdict::kGoOn;
  for (;;) {
    const bool open = output.read_some(50);
    if (hooks.error_line && output.show_lines(hooks.error_line)) {
      patience.line_taken();
    }
    if (waitpid(child, &status, WNOHANG) == child) {
      break;
    }
    verdict = patience.verdict();
    if (verdict != Patience::Verdict::kGoOn) {
      break;
    }
    if (!open) {
      usleep(10000);
    }
  }
  // What the command wrote before its end is still in the pipes; what survives it must go.
  kill_descendants(child, verdict == Patience::Verdict::kGoOn);
  while (output.has_more() && output.read_some(0)) {
    if (output.text[0].size() + output.text[1].size() > (std::size_t{1} << 28)) {
      break;
    }
  }
  if (hooks.error_line) {
    output.show_lines(hooks.error_line);
  }
  const std::string said = essence(output.text[1]);
  const std::string because = said.empty() ? "" : ": " + said;
  const bool was_asked = interruptions > 0 && !hooks.interrupted;  // perhaps as the command ended by itself
  if (verdict == Patience::Verdict::kInterrupted || was_asked) {
    throw Interrupted(
        fmt::format("{} was interrupted, and was stopped with all its processes{}", command.front(), because));
  }
  if (verdict == Patience::Verdict::kTooLong) {
    throw Error(fmt::format("{} did not end within {}, and was stopped with all its processes{}", command.front(),
                            format_seconds(time_limit), because));
  }
  if (WIFSIGNALED(status)) {
    throw Error(fmt::format("{} was killed by signal {}{}", command.front(), WTERMSIG(status), because));
  }
  if (WEXITSTATUS(status) != 0) {
    throw Error(fmt::format("{} failed with status {}{}", command.front(), WEXITSTATUS(status), because));
  }
  return output.text[0];
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "postage-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Error(fmt::format("cannot make a temporary folder {}: {}", pattern, std::strerror(errno)));
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace postage
