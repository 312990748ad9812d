// What the machine itself allows: postage-bench-limits [SIZES [SECONDS]]. Two forked processes, bound to the first two
// cores, share memory:
//
//   line          one way of one cache line that both write in turn
//   two-lines     one way where each side writes a line of its own, as rings do
//   copy          memcpy within one process, buffers in its cache
//   copy-rewritten    memcpy of what the other process has just written
//   copy-both     the same by both at once, time of each
//   vm-read       bare process_vm_readv, source and target reused unmodified
//   vm-read-rewritten of what the other process has just written
//   vm-read-distinct   one's share of a window of 64 that the other process has just written, each in a distinct buffer
#include "bench/programs/pus.hpp"
#include "bench/programs/timing.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <new>
#include <sstream>

namespace postage::bench {
namespace {

struct alignas(128) Line {
  std::atomic<std::uint32_t> value{0};
};

/// What the two processes share, before their buffers.
struct Shared {
  Line one;
  Line ours;
  Line theirs;
  Line turn;
  std::atomic<std::byte*> address{nullptr};
};

constexpr std::size_t kMost = std::size_t{16} << 20;
constexpr int kBatches = 11;
constexpr std::size_t kWindow = 64;  ///< as the experiments'
/// Shorter messages are not limited by copying.
constexpr std::size_t kLong = 64 << 10;

/// To the first pair of POSTAGE_BENCH_PUS, whose second half lists the partners of the first, or to the first two
/// hardware threads that this program may run on.
void bind_to(int number) {
  const std::vector<int> pus = given_pus();
  if (!pus.empty()) {
    bind_as_given(number * static_cast<int>(pus.size() / 2));
    return;
  }
  cpu_set_t allowed;
  cpu_set_t one;
  CPU_ZERO(&one);
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (int pu = 0; pu < CPU_SETSIZE; ++pu) {
    if (CPU_ISSET(pu, &allowed) && number-- == 0) {
      CPU_SET(pu, &one);
      sched_setaffinity(0, sizeof one, &one);
    }
  }
}

class Pair {
 public:
  Pair(Shared& shared, bool leads, pid_t other, std::byte* buffers, double seconds)
      : shared_(shared), leads_(leads), other_(other), buffers_(buffers), seconds_(seconds) {}

  void lines() {
    report("line", 64, half_roundtrip([&](std::uint32_t repetition) { pass(shared_.one, shared_.one, repetition); }));
    report("two-lines", 64,
           half_roundtrip([&](std::uint32_t repetition) { pass(shared_.ours, shared_.theirs, repetition); }));
  }

  void copies(std::size_t bytes) {
    std::byte* const source = buffers_;
    std::byte* const target = buffers_ + kMost;
    const auto copy = [&] { std::memcpy(target, source, bytes); };
    const auto write = [&] { std::memset(source, static_cast<int>(++written_), bytes); };
    report("copy", bytes, timed(copy, [] {}));
    report("copy-rewritten", bytes, timed(copy, write));
    both(bytes);
  }

  void remote_reads(std::size_t bytes) {
    const PageBuffer mine(bytes);
    std::byte* const there = others(mine);
    bool works = true;
    const auto read = [&] { works = works && read_remote(mine.data(), there, bytes); };
    const auto write = [&] { std::memset(mine.data(), static_cast<int>(++written_), bytes); };
    const double reused = timed(read, [] {});
    const double rewritten = timed(read, write);
    if (works) {
      report("vm-read", bytes, reused);
      report("vm-read-rewritten", bytes, rewritten);
    }
    meet();
  }

  void remote_windows(std::size_t bytes) {
    const std::size_t stride = (bytes + 4095) / 4096 * 4096;
    const PageBuffer mine(kWindow * stride);
    std::byte* const there = others(mine);
    bool works = true;
    const auto read = [&] {
      for (std::size_t i = 0; i < kWindow; ++i) {
        works = works && read_remote(mine.data() + i * stride, there + i * stride, bytes);
      }
    };
    const auto write = [&] { std::memset(mine.data(), static_cast<int>(++written_), kWindow * stride); };
    constexpr std::size_t kLeastWindows = 3;
    const double own = timed(read, write, kLeastWindows) / kWindow;
    if (works) {
      report("vm-read-distinct", bytes, own);
    }
    meet();
  }

 private:
  void pass(Line& first, Line& second, std::uint32_t repetition) {
    if (leads_) {
      first.value.store(2 * repetition + 1, std::memory_order_release);
      while (second.value.load(std::memory_order_acquire) != 2 * repetition + 2) {
      }
    } else {
      while (first.value.load(std::memory_order_acquire) != 2 * repetition + 1) {
      }
      second.value.store(2 * repetition + 2, std::memory_order_release);
    }
  }

  /// Where the other side, if that does not lead, has its buffer.
  [[nodiscard]] std::byte* others(const PageBuffer& mine) {
    if (!leads_) {
      shared_.address.store(mine.data());
    }
    meet();
    return shared_.address.load();
  }

  [[nodiscard]] bool read_remote(std::byte* to, std::byte* from, std::size_t bytes) const {
    const iovec local{to, bytes};
    const iovec remote{from, bytes};
    return process_vm_readv(other_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
  }

  /// Both sides are here.
  void meet() { pass(shared_.turn, shared_.turn, turns_taken_++); }

  template <typename Repetition>
  double half_roundtrip(const Repetition& repetition) {
    constexpr std::uint32_t kRounds = 20000;
    std::vector<double> batches;
    std::uint32_t number = 0;
    for (int batch = 0; batch < kBatches; ++batch) {
      meet();
      const double start = now();
      for (std::uint32_t i = 0; i < kRounds; ++i) {
        repetition(number++);
      }
      batches.push_back((now() - start) / kRounds / 2);
    }
    return median(batches);
  }

  /// Seconds of `work` by the leading side; before each, the other side does `prepare`.
  template <typename Work, typename Prepare>
  double timed(const Work& work, const Prepare& prepare, std::size_t least = 20) {
    std::vector<double> times;
    const double end = now() + seconds_;
    std::uint32_t more = 1;
    while (more != 0) {
      if (!leads_) {
        prepare();
      }
      meet();
      const double start = now();
      if (leads_) {
        work();
        times.push_back(now() - start);
        shared_.ours.value.store(times.size() < least || now() < end ? 1U : 0U, std::memory_order_relaxed);
      }
      meet();
      more = shared_.ours.value.load(std::memory_order_relaxed);
      meet();
    }
    shared_.ours.value.store(0, std::memory_order_relaxed);
    return leads_ ? median(times) : 0;
  }

  /// Each copies what the other one wrote, at the same time.
  void both(std::size_t bytes) {
    std::byte* const mine = buffers_ + (leads_ ? 0 : kMost);
    std::byte* const theirs = buffers_ + (leads_ ? kMost : 0);
    const PageBuffer target(bytes);
    std::vector<double> times;
    for (int i = 0; i < 30; ++i) {
      std::memset(mine, i, bytes);
      meet();
      const double start = now();
      std::memcpy(target.data(), theirs, bytes);
      meet();
      times.push_back(now() - start);
    }
    report("copy-both", bytes, median(times));
  }

  void report(const char* what, std::size_t bytes, double seconds) const {
    if (leads_) {
      print(what, bytes, seconds);
    }
  }

  Shared& shared_;
  bool leads_;
  pid_t other_;
  std::byte* buffers_;
  double seconds_;
  std::uint32_t turns_taken_ = 0;
  std::uint32_t written_ = 0;
};

void run_side(Shared& shared, bool leads, pid_t other, std::byte* buffers, const std::vector<std::size_t>& sizes,
              double seconds) {
  bind_to(leads ? 0 : 1);
  Pair pair(shared, leads, other, buffers, seconds);
  pair.lines();
  for (const std::size_t bytes : sizes) {
    pair.copies(bytes);
    pair.remote_reads(bytes);
    if (bytes >= kLong) {
      pair.remote_windows(bytes);
    }
  }
}

int run(int argc, char** argv) {
  std::vector<std::size_t> sizes{1024, 4096, 16384, 65536, 262144, 1048576, 4194304};
  if (argc > 1) {
    sizes.clear();
    std::istringstream in(argv[1]);
    for (std::string size; std::getline(in, size, ',');) {
      sizes.push_back(std::min(std::stoul(size), kMost));
    }
  }
  const double seconds = argc > 2 ? std::stod(argv[2]) : 0.02;
  void* memory = mmap(nullptr, sizeof(Shared) + 4096 + 2 * kMost, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  auto* shared = new (memory) Shared;
  auto* buffers = static_cast<std::byte*>(memory) + (sizeof(Shared) + 4095) / 4096 * 4096;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    // It would spin for ever if the other side were killed.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
      _exit(1);
    }
    run_side(*shared, false, parent, buffers, sizes, seconds);
    _exit(0);
  }
  run_side(*shared, true, child, buffers, sizes, seconds);
  waitpid(child, nullptr, 0);
  return 0;
}

}  // namespace
}  // namespace postage::bench

int main(int argc, char** argv) {
  return postage::bench::run(argc, argv);
}
