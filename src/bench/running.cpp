#include "bench/cache_misses.hpp"
#include "bench/names.hpp"
#include "bench/programs.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/bench/messages.hpp>
#include <postage/estimate/shm_thresholds.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>
#include <postage/measure/shm_protocols.hpp>
#include <postage/platform/platform.hpp>
#include <postage/platform/topology.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace postage {
namespace {

/// Keeps idle cores from halting while it lives: a virtual machine's host takes a core that halts as free to be moved,
/// and one that it moved between two programs makes their repetition count for nothing.
class AwakeCores {
 public:
  AwakeCores() : file_(open(kPath, O_WRONLY | O_CLOEXEC)) {
    constexpr std::int32_t kLongestWakeUp = 0;
    is_granted_ = file_ >= 0 && write(file_, &kLongestWakeUp, sizeof kLongestWakeUp) == sizeof kLongestWakeUp;
  }
  ~AwakeCores() {
    if (file_ >= 0) {
      close(file_);
    }
  }
  AwakeCores(const AwakeCores&) = delete;
  AwakeCores& operator=(const AwakeCores&) = delete;

  static constexpr const char* kPath = "/dev/cpu_dma_latency";
  [[nodiscard]] bool is_granted() const { return is_granted_; }

 private:
  int file_;
  bool is_granted_ = false;
};

bool is_of_one_pair(const std::string& experiment) {
  return experiment.starts_with("latency") || experiment == "skew";
}

MessageBenchPlan completed(MessageBenchPlan plan) {
  if (!plan.pairs.empty()) {
    plan.ranks = static_cast<int>(hardware_threads_of(plan.pairs).size());
  }
  if (plan.experiments.empty()) {
    plan.experiments = message_experiments();
    if (plan.ranks != 2) {
      std::erase_if(plan.experiments, is_of_one_pair);
    }
  }
  if (plan.sizes.empty()) {
    plan.sizes = parse_sizes("8,64,256,1K,2K,4K,8K,16K,32K,64K,256K,1M,4M");
  }
  if (plan.computations.empty()) {
    plan.computations = {1, 5, 10, 20, 40, 80};
  }
  return plan;
}

void check(const MessageBenchPlan& plan) {
  const std::vector<std::string>& known = message_experiments();
  for (const std::string& name : plan.experiments) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw UsageError(unknown_name("experiment", name, fmt::format("{}", fmt::join(known, ", "))));
    }
    if (is_of_one_pair(name) && plan.ranks != 2) {
      throw UsageError(fmt::format("{} is measured between 2 ranks, not {}", name, plan.ranks));
    }
  }
  if (plan.ranks < 2 || plan.ranks % 2 != 0) {
    throw UsageError(
        fmt::format("messages go between pairs of ranks: give an even number of them, not {}", plan.ranks));
  }
  if (plan.repetitions < 1 || plan.sizes.front() < 1) {
    throw UsageError("give at least one repetition, and sizes of at least one byte");
  }
}

template <typename Items>
std::string comma_list(const Items& items) {
  return fmt::format("{}", fmt::join(items, ","));
}

/// "latency 8 1.2e-07", line by line; other lines are what MPI libraries like to say.
void read_times(const std::string& output, BenchRun& run) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string experiment;
    Bytes bytes = 0;
    Seconds seconds = 0;
    std::string rest;
    if (words >> experiment >> bytes >> seconds && !(words >> rest)) {
      run[{experiment, bytes}] = seconds;
    }
  }
}

BenchRun run_program(const BenchProgram& program, const MessageBenchPlan& plan) {
  BenchRun run;
  if (program.name == kLimits) {
    read_times(run_with(program.command, {comma_list(plan.sizes)}), run);
    return run;
  }
  std::vector<std::string> sized = plan.experiments;
  const bool with_skew = std::erase(sized, "skew") > 0;
  if (!sized.empty() && program.name != kShmSkewAware) {
    read_times(run_with(program.command, {comma_list(sized), comma_list(plan.sizes), std::to_string(plan.seconds)}),
               run);
  }
  if (with_skew) {
    read_times(run_with(program.command, {"skew", comma_list(plan.computations)}), run);
  }
  return run;
}

/// `limits` is the last of the programs.
Seconds line_latency(const BenchProgram& limits) {
  BenchRun run;
  read_times(run_with(limits.command, {"64"}), run);
  const auto found = run.find({"line", 64});
  if (found == run.end()) {
    throw Error("postage-bench-limits did not say what a cache line takes");
  }
  return found->second;
}

/// The programs over shared memory read them from a file.
std::vector<MeasuredThresholds> measure_thresholds(const std::filesystem::path& file) {
  Platform platform;
  if (discover_topology().cores.size() > 1) {
    platform.shm_protocols = choose_thresholds(measure_shm_protocols({.repetitions = 7, .batch = 200e-6}));
  }
  write_platform(file, platform);
  return platform.shm_protocols;
}

BenchRepetition run_repetition(const std::vector<BenchProgram>& programs, const MessageBenchPlan& plan,
                               const std::filesystem::path& platform,
                               const std::function<void(const std::string&)>& tell) {
  BenchRepetition repetition;
  const auto look = [&] {
    const Seconds line = line_latency(programs.back());
    repetition.line_least = repetition.line_least > 0 ? std::min(repetition.line_least, line) : line;
    repetition.line_most = std::max(repetition.line_most, line);
  };
  look();
  repetition.thresholds = measure_thresholds(platform);
  for (const BenchProgram& program : programs) {
    try {
      repetition.runs[program.name] = run_program(program, plan);
    } catch (const Error& failure) {
      if (program.name.starts_with(kShm)) {
        throw;
      }
      tell(fmt::format("left out {} in this repetition: {}", program.name, failure.what()));
    }
    look();
  }
  double load = 0;
  repetition.load = getloadavg(&load, 1) == 1 ? load : 0;
  return repetition;
}

}  // namespace

const std::vector<std::string>& message_experiments() {
  static const std::vector<std::string> names{
      "latency", "latency-rewritten", "bandwidth", "bandwidth-no-reuse", "bandwidth-distinct-buffers",
      "skew",    "alltoall",          "allgather", "allreduce"};
  return names;
}

bool BenchRepetition::is_steady() const {
  return line_most < kSteady * line_least;
}

MessageBench run_message_bench(const MessageBenchPlan& plan, const std::function<void(const std::string&)>& tell) {
  MessageBench bench{.plan = completed(plan)};
  check(bench.plan);
  const auto say = [&](const std::string& text) {
    if (tell) {
      tell(text);
    }
  };
  if (bench.plan.cache_misses && find_in_path("valgrind").empty()) {
    throw Error("cache misses are simulated by valgrind, which is not on the PATH; install it");
  }
  const AwakeCores awake;
  if (!awake.is_granted()) {
    say(fmt::format("may not write {}, so cores sleep between programs: a virtual machine's host may move them",
                    AwakeCores::kPath));
  }
  const TemporaryFolder folder;
  const std::filesystem::path platform = folder.path() / "platform.json";
  const std::vector<BenchProgram> programs = programs_of(bench.plan, folder.path(), platform);
  for (int number = 0; number < bench.plan.repetitions; ++number) {
    bench.repetitions.push_back(run_repetition(programs, bench.plan, platform, say));
    const BenchRepetition& repetition = bench.repetitions.back();
    say(fmt::format("repetition {} of {} is done; a cache line takes {}{}", number + 1, bench.plan.repetitions,
                    format_seconds(repetition.line_most),
                    repetition.is_steady() ? "" : ", which changed during the repetition: it will not count"));
  }
  if (bench.plan.cache_misses) {
    say("simulating caches ...");
    bench.cache_misses = simulate_cache_misses(programs);
  }
  return bench;
}

}  // namespace postage
