#include "bench/names.hpp"
#include "launch/find_program.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/bench/messages.hpp>
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
#include <iterator>
#include <sstream>

namespace postage {
namespace {

constexpr Seconds kTimeLimit = 600;

/// Keeps idle cores from halting while it lives: a virtual machine's host takes a core that halts as free to be moved,
/// and one that it moved between two programs makes their round count for nothing.
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

/// A program of a round, and how to start it with a plan behind.
struct BenchProgram {
  std::string name;
  std::vector<std::string> command;
};

MessageBenchPlan completed(MessageBenchPlan plan) {
  if (plan.experiments.empty()) {
    plan.experiments = message_experiments();
    if (plan.ranks != 2) {
      std::erase_if(plan.experiments, [](const std::string& name) { return name.starts_with("latency"); });
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
    if (name.starts_with("latency") && plan.ranks != 2) {
      throw UsageError(fmt::format("{} is measured between 2 ranks, not {}", name, plan.ranks));
    }
  }
  if (plan.ranks < 2 || plan.ranks % 2 != 0) {
    throw UsageError(
        fmt::format("messages go between pairs of ranks: give an even number of them, not {}", plan.ranks));
  }
  if (plan.rounds < 1 || plan.sizes.front() < 1) {
    throw UsageError("give at least one round, and sizes of at least one byte");
  }
}

std::filesystem::path require_built(const std::string& name) {
  std::filesystem::path found = find_built(name);
  if (found.empty()) {
    throw Error(fmt::format("{} is not beside postage nor in libexec; run make build", name));
  }
  return found;
}

std::vector<BenchProgram> programs_of(const MessageBenchPlan& plan, const std::filesystem::path& platform) {
  const std::string ranks = std::to_string(plan.ranks);
  const std::string thresholds = "POSTAGE_PLATFORM=" + platform.string();
  const std::string channel = require_built("postage-bench-shm").string();
  std::vector<BenchProgram> programs{{kChannel, {"env", thresholds, channel, ranks}},
                                     {kTwoCopies, {"env", thresholds, "POSTAGE_SINGLE_COPY=0", channel, ranks}}};
  for (const MpiFlavour& flavour : find_flavours()) {
    if (std::find(kOthers.begin(), kOthers.end(), flavour.name) == kOthers.end() || !flavour.usable() ||
        find_built("postage-bench-" + flavour.name).empty()) {
      continue;
    }
    LaunchTarget target{.mpi = flavour.name, .ranks = plan.ranks, .program = "postage-bench"};
    programs.push_back({flavour.name, launch_command(target, {})});
    if (flavour.name == "openmpi") {
      target.launcher_options = {"--mca", "btl_vader_single_copy_mechanism", "none"};
      programs.push_back({"openmpi-no-cma", launch_command(target, {})});
    }
  }
  programs.push_back({kLimits, {require_built("postage-bench-limits").string()}});
  return programs;
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

std::string run_with(std::vector<std::string> command, std::initializer_list<std::string> further) {
  command.insert(command.end(), further);
  return run_command(command, kTimeLimit);
}

BenchRun run_program(const BenchProgram& program, const MessageBenchPlan& plan) {
  BenchRun run;
  if (program.name == kLimits) {
    read_times(run_with(program.command, {comma_list(plan.sizes)}), run);
    return run;
  }
  std::vector<std::string> sized = plan.experiments;
  const bool with_skew = std::erase(sized, "skew") > 0;
  if (!sized.empty()) {
    read_times(run_with(program.command, {comma_list(sized), comma_list(plan.sizes), std::to_string(plan.seconds)}),
               run);
  }
  if (with_skew) {
    read_times(run_with(program.command, {"skew", comma_list(plan.computations)}), run);
  }
  return run;
}

Seconds line_latency() {
  BenchRun run;
  read_times(run_with({require_built("postage-bench-limits").string()}, {"64"}), run);
  const auto found = run.find({"line", 64});
  if (found == run.end()) {
    throw Error("postage-bench-limits did not say what a cache line takes");
  }
  return found->second;
}

/// The channel's programs read them from a file.
std::vector<MeasuredThresholds> measure_thresholds(const std::filesystem::path& file) {
  Platform platform;
  if (discover_topology().cores.size() > 1) {
    for (const MeasuredDistance& measured : measure_channel_thresholds({.rounds = 7, .batch = 200e-6})) {
      platform.channel_thresholds.push_back({name_of(measured.distance), measured.thresholds});
    }
  }
  write_platform(file, platform);
  return platform.channel_thresholds;
}

BenchRound run_round(const std::vector<BenchProgram>& programs, const MessageBenchPlan& plan,
                     const std::filesystem::path& platform, const std::function<void(const std::string&)>& tell) {
  BenchRound round;
  const auto look = [&] {
    const Seconds line = line_latency();
    round.line_least = round.line_least > 0 ? std::min(round.line_least, line) : line;
    round.line_most = std::max(round.line_most, line);
  };
  look();
  round.thresholds = measure_thresholds(platform);
  for (const BenchProgram& program : programs) {
    try {
      round.runs[program.name] = run_program(program, plan);
    } catch (const Error& failure) {
      if (program.name == kChannel || program.name == kTwoCopies) {
        throw;
      }
      tell(fmt::format("left out {} in this round: {}", program.name, failure.what()));
    }
    look();
  }
  double load = 0;
  round.load = getloadavg(&load, 1) == 1 ? load : 0;
  return round;
}

/// Data misses of the first and the last level in cachegrind's files, all processes together.
std::pair<double, double> misses_in(const std::filesystem::path& folder) {
  std::pair<double, double> sum{0, 0};
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::istringstream lines(read_file(file.path()));
    std::vector<std::string> events;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string first;
      words >> first;
      if (first == "events:") {
        events.assign(std::istream_iterator<std::string>(words), {});
      } else if (first == "summary:") {
        double count = 0;
        for (std::size_t i = 0; i < events.size() && words >> count; ++i) {
          (events[i] == "D1mr" || events[i] == "D1mw" ? sum.first : sum.second) +=
              events[i].starts_with("D") && events[i].size() == 4 ? count : 0;
        }
      }
    }
  }
  return sum;
}

/// Misses of so many windows of messages, and of all that comes before and after them.
std::pair<double, double> simulate_windows(const BenchProgram& program, Bytes bytes, int windows) {
  const TemporaryFolder folder;
  std::vector<std::string> command = program.command;
  const auto place = std::find_if(command.begin(), command.end(), [](const std::string& word) {
    return std::filesystem::path(word).filename().string().starts_with("postage-bench-");
  });
  const std::string files = fmt::format("--cachegrind-out-file={}/%p", folder.path().string());
  command.insert(place, {"valgrind", "--tool=cachegrind", "--cache-sim=yes", files});
  static_cast<void>(run_with(command, {"bandwidth-own-buffers", std::to_string(bytes), fmt::format("x{}", windows)}));
  return misses_in(folder.path());
}

std::vector<CacheMisses> simulate_cache_misses(const std::vector<BenchProgram>& programs) {
  constexpr int kFew = 2;
  constexpr int kMore = 6;
  // Two starts differ by a few misses of their own, also downwards.
  const auto per_message = [&](double few, double more) { return std::max(more - few, 0.0) / ((kMore - kFew) * 64); };
  std::vector<CacheMisses> all;
  for (const Bytes bytes : {Bytes{1} << 10, Bytes{16} << 10, Bytes{256} << 10}) {
    for (const BenchProgram& program : programs) {
      if (program.name != kLimits) {
        const auto few = simulate_windows(program, bytes, kFew);
        const auto more = simulate_windows(program, bytes, kMore);
        all.push_back({program.name, bytes, per_message(few.first, more.first), per_message(few.second, more.second)});
      }
    }
  }
  return all;
}

}  // namespace

const std::vector<std::string>& message_experiments() {
  static const std::vector<std::string> names{"latency", "latency-fresh", "bandwidth", "bandwidth-own-buffers",
                                              "skew",    "alltoall",      "allgather", "allreduce"};
  return names;
}

bool BenchRound::is_steady() const {
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
  const std::vector<BenchProgram> programs = programs_of(bench.plan, platform);
  for (int number = 0; number < bench.plan.rounds; ++number) {
    bench.rounds.push_back(run_round(programs, bench.plan, platform, say));
    const BenchRound& round = bench.rounds.back();
    say(fmt::format("round {} of {} is done; a cache line takes {}{}", number + 1, bench.plan.rounds,
                    format_seconds(round.line_most),
                    round.is_steady() ? "" : ", which changed during the round: it will not count"));
  }
  if (bench.plan.cache_misses) {
    say("simulating caches ...");
    bench.cache_misses = simulate_cache_misses(programs);
  }
  return bench;
}

}  // namespace postage
