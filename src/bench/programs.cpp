#include "bench/programs.hpp"

#include "bench/names.hpp"

#include <postage/base/error.hpp>
#include <postage/bench/pairs.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>
#include <postage/platform/platform.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace postage {
namespace {

/// Words that start a program with the environment of the plan.
class Starter {
 public:
  explicit Starter(const MessageBenchPlan& plan) : ranks_(std::to_string(plan.ranks)) {
    if (!plan.pairs.empty()) {
      pus_ = fmt::format("POSTAGE_BENCH_PUS={}", fmt::join(hardware_threads_of(plan.pairs), ","));
    }
  }

  [[nodiscard]] std::vector<std::string> with(std::vector<std::string> variables,
                                              const std::vector<std::string>& command) const {
    std::vector<std::string> words{"env"};
    words.insert(words.end(), variables.begin(), variables.end());
    if (!pus_.empty()) {
      words.push_back(pus_);
    }
    words.insert(words.end(), command.begin(), command.end());
    return words;
  }

  [[nodiscard]] BenchProgram over_shm(const char* name, const std::filesystem::path& thresholds,
                                      bool single_copy = true) const {
    return {name, with({"POSTAGE_PLATFORM=" + thresholds.string(),
                        single_copy ? "POSTAGE_SINGLE_COPY=1" : "POSTAGE_SINGLE_COPY=0"},
                       {require_built("postage-bench-shm").string(), ranks_})};
  }

 private:
  std::string ranks_;
  std::string pus_;
};

void add_libraries(const MessageBenchPlan& plan, const Starter& starter, std::vector<BenchProgram>& programs) {
  for (const MpiFlavour& flavour : find_flavours()) {
    if (std::find(kOthers.begin(), kOthers.end(), flavour.name) == kOthers.end() || !flavour.usable() ||
        find_built("postage-bench-" + flavour.name).empty()) {
      continue;
    }
    LaunchTarget target{.mpi = flavour.name, .ranks = plan.ranks, .program = "postage-bench"};
    programs.push_back({flavour.name, starter.with({}, launch_command(target, {}))});
    if (flavour.name == "openmpi") {
      target.launcher_options = {"--mca", "btl_vader_single_copy_mechanism", "none"};
      programs.push_back({"openmpi-no-cma", starter.with({}, launch_command(target, {}))});
    }
  }
}

}  // namespace

std::filesystem::path require_built(const std::string& name) {
  std::filesystem::path found = find_built(name);
  if (found.empty()) {
    throw Error(fmt::format("{} is not beside postage nor in libexec; run make build", name));
  }
  return found;
}

std::vector<int> hardware_threads_of(const std::string& level) {
  const auto pairs = pairs_at(discover_topology(), parse_locality_level(level));
  if (pairs.empty()) {
    throw UsageError(
        fmt::format("--pairs {}: no two cores of this machine have that locality level; postage doctor "
                    "shows what there is",
                    level));
  }
  std::vector<int> pus;
  for (const auto& [sender, receiver] : pairs) {
    pus.push_back(sender.pu);
  }
  for (const auto& [sender, receiver] : pairs) {
    pus.push_back(receiver.pu);
  }
  return pus;
}

void write_thresholds(const std::filesystem::path& file, const ProtocolThresholds& thresholds) {
  Platform platform;
  for (const LocalityLevel level : kLocalityLevels) {
    platform.shm_protocols.push_back({.level = name_of(level), .thresholds = thresholds});
  }
  write_platform(file, platform);
}

std::vector<BenchProgram> programs_of(const MessageBenchPlan& plan, const std::filesystem::path& folder,
                                      const std::filesystem::path& measured) {
  const std::filesystem::path pure = folder / "single-copy.json";
  const std::filesystem::path skew_aware = folder / "skew-aware.json";
  write_thresholds(pure, kPureSingleCopy);
  write_thresholds(skew_aware, kSkewAware);
  const Starter starter(plan);
  std::vector<BenchProgram> programs{starter.over_shm(kShm, measured), starter.over_shm(kShmNoCma, measured, false),
                                     starter.over_shm(kShmSingleCopy, pure)};
  const std::vector<std::string>& experiments = plan.experiments;
  if (std::find(experiments.begin(), experiments.end(), "skew") != experiments.end()) {
    programs.push_back(starter.over_shm(kShmSkewAware, skew_aware));
  }
  add_libraries(plan, starter, programs);
  programs.push_back({kLimits, starter.with({}, {require_built("postage-bench-limits").string()})});
  return programs;
}

}  // namespace postage
