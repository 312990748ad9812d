#include "platform/doctor_checks.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

namespace postage {
namespace {

constexpr std::uint64_t kToken = 0x706f737461676521;

// Every process made by fork has it at the same address. Volatile: another process reads it.
volatile std::uint64_t token = 0;

int read_token_of(pid_t process) {
  std::uint64_t seen = 0;
  iovec here{&seen, sizeof seen};
  // The system call wants a pointer that it will not write through.
  iovec there{const_cast<std::uint64_t*>(&token), sizeof token};
  const ssize_t got = process_vm_readv(process, &here, 1, &there, 1, 0);
  if (got < 0) {
    return errno;
  }
  return got == sizeof seen && seen == kToken ? 0 : KernelCopyProbe::kWrongBytes;
}

class Pipe {
 public:
  Pipe() : is_open_(pipe(ends_.data()) == 0) {}
  ~Pipe() {
    for (const int end : ends_) {
      if (end >= 0) {
        close(end);
      }
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] bool put(int value) const { return write(ends_[1], &value, sizeof value) == sizeof value; }
  // Waits; nothing if all writers are gone.
  [[nodiscard]] std::optional<int> get() const {
    int value = 0;
    return read(ends_[0], &value, sizeof value) == sizeof value ? std::optional(value) : std::nullopt;
  }
  void close_writing() {
    close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  bool is_open_;
};

// A process that does `work`, answers with its result and waits to be ended.
template <typename Work>
pid_t start(const Pipe& answers, Work work) {
  const pid_t process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (answers.put(work())) {
      pause();
    }
    _exit(0);
  }
  return process;
}

void end(pid_t process) {
  if (process > 0) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
}

// What a second child reads from the first, `owner`: like two ranks of one launcher.
int read_from(pid_t owner) {
  Pipe result;
  if (!result.is_open()) {
    return KernelCopyProbe::kNotProbed;
  }
  const pid_t reader = start(result, [owner] { return read_token_of(owner); });
  result.close_writing();
  const auto answer = result.get();
  end(reader);
  return answer.value_or(KernelCopyProbe::kNotProbed);
}

int read_from_sibling(bool willing) {
  Pipe ready;
  if (!ready.is_open()) {
    return KernelCopyProbe::kNotProbed;
  }
  const pid_t owner = start(ready, [willing] {
    token = kToken;
    return willing ? prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY) : 0;
  });
  ready.close_writing();
  const int answer = ready.get() ? read_from(owner) : KernelCopyProbe::kNotProbed;
  end(owner);
  return answer;
}

std::string in_words(int answer) {
  if (answer == KernelCopyProbe::kWrongBytes) {
    return "it read other bytes";
  }
  return answer == KernelCopyProbe::kNotProbed ? "no two processes could be started to try it" : std::strerror(answer);
}

std::optional<int> ptrace_scope(const std::filesystem::path& root) {
  std::ifstream in(root / "proc/sys/kernel/yama/ptrace_scope");
  int scope = 0;
  return in >> scope ? std::optional(scope) : std::nullopt;
}

bool has_seccomp_filter(const std::filesystem::path& root) {
  std::ifstream in(root / "proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("Seccomp:")) {
      return line.find('2') != std::string::npos;
    }
  }
  return false;
}

constexpr const char* kAllowAll = "allow it to all processes of a user: sysctl kernel.yama.ptrace_scope=0";

struct Reason {
  std::string why;
  std::string fix;
};

Reason reason_of(const KernelCopyProbe& probe, const std::filesystem::path& root) {
  const std::string container_fix =
      "let the container's seccomp profile pass process_vm_readv and process_vm_writev (docker: --cap-add=SYS_PTRACE)";
  if (probe.sibling == ENOSYS) {
    return has_seccomp_filter(root)
               ? Reason{"a seccomp filter hides the call", container_fix}
               : Reason{"this kernel was built without CONFIG_CROSS_MEMORY_ATTACH", "use a kernel that has it"};
  }
  if (probe.own != 0) {
    // A process may always read its own memory, so this is no question of permission between processes.
    return {"a seccomp filter refuses the call, even to a process reading its own memory", container_fix};
  }
  if (const int scope = ptrace_scope(root).value_or(0); probe.sibling == EPERM && scope > 0) {
    return {
        fmt::format("Yama's ptrace_scope is {}, which keeps processes out of memory that is not their child's", scope),
        scope < 3 ? kAllowAll : "reboot with kernel.yama.ptrace_scope=0: 3 cannot be changed while running"};
  }
  if (probe.sibling == EPERM) {
    return {"the ranks' credentials differ, this program is not dumpable, or a security module refuses",
            "run all ranks as one user in one user namespace, without file capabilities on the programs"};
  }
  return {"the kernel answers so for no reason known here", "report what 'strace -f postage doctor' shows"};
}

}  // namespace

KernelCopyProbe try_kernel_copy() {
  token = kToken;
  KernelCopyProbe probe{.own = read_token_of(getpid())};
  // The siblings set their own: a wrong process would not have it.
  token = 0;
  probe.sibling = read_from_sibling(false);
  probe.willing = read_from_sibling(true);
  return probe;
}

Finding judge_kernel_copy(const KernelCopyProbe& probe, const std::filesystem::path& root) {
  Finding finding{.topic = "kernel copy", .seen = "", .advice = ""};
  if (probe.sibling == 0) {
    finding.seen = "process_vm_readv works between two processes that are not each other's parent";
    return finding;
  }
  finding.status = Finding::Status::kWarning;
  const auto [why, fix] = reason_of(probe, root);
  if (probe.willing == 0) {
    finding.seen =
        fmt::format("process_vm_readv works only for processes that allow it by prctl(PR_SET_PTRACER): {}", why);
    finding.advice = fmt::format("an MPI that does not ask copies large messages twice; {}", fix);
    return finding;
  }
  finding.seen = fmt::format("process_vm_readv between two processes fails ({}): {}", in_words(probe.sibling), why);
  finding.advice = fmt::format("MPI falls back to copying large messages twice through shared memory; {}", fix);
  return finding;
}

std::optional<SharedMemory> shared_memory(const std::filesystem::path& root) {
  struct statvfs found {};
  if (statvfs((root / "dev/shm").c_str(), &found) != 0) {
    return std::nullopt;
  }
  const auto block = static_cast<Bytes>(found.f_frsize);
  return SharedMemory{.size = static_cast<Bytes>(found.f_blocks) * block,
                      .available = static_cast<Bytes>(found.f_bavail) * block};
}

Finding judge_shared_memory(const std::optional<SharedMemory>& memory, int cores) {
  Finding finding{.topic = "shared memory", .seen = "", .advice = ""};
  if (!memory) {
    finding.status = Finding::Status::kWarning;
    finding.seen = "there is no /dev/shm";
    finding.advice = "ranks of a node talk through files there: mount -t tmpfs tmpfs /dev/shm";
    return finding;
  }
  constexpr Bytes kMiB = Bytes{1} << 20;
  constexpr Bytes kEachRank = 32 * kMiB;
  finding.seen =
      fmt::format("/dev/shm has {} MiB, of which {} MiB are free", memory->size / kMiB, memory->available / kMiB);
  if (memory->available < cores * kEachRank) {
    finding.status = Finding::Status::kWarning;
    finding.advice = fmt::format(
        "MPI may end with a bus error: {} ranks want {} MiB; remove stale files there, or enlarge it (docker: "
        "--shm-size=1g)",
        cores, cores * kEachRank / kMiB);
  }
  return finding;
}

}  // namespace postage
