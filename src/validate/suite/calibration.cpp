#include "validate/suite/calibration.hpp"

#include "validate/suite/simulation.hpp"

#include <postage/base/units.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/launch/measuring.hpp>
#include <postage/measure/setting_options.hpp>
#include <postage/validate/refinement.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

constexpr Seconds kBudget = 3600;  ///< more than a simulation takes, which ends when all is measured

/// The run on as few nodes as calibrating needs.
SuiteRun for_calibration(SuiteRun run) {
  const std::optional<VirtualMachine> machine = machine_of(run);
  run.nodes = machine ? machine->calibration_nodes : run.nodes;
  run.placement = Placement::kBlock;
  return run;
}

LaunchTarget target_of(const SuiteRun& run, const VirtualClusterFiles& files) {
  return {.hostfile = files.hostfile,
          .ranks = run.nodes * run.per_node,
          .virtual_platform = files.platform,
          .smpi_arguments = files.smpi_arguments,
          .time_limit = measuring_time_limit(kBudget)};
}

SampleSet measure(const LaunchTarget& target, const std::vector<std::string>& experiments) {
  SettingOptions settings;
  settings.budget = fmt::format("{}s", kBudget);
  std::vector<std::string> words = words_of(settings);
  words.insert(words.end(), experiments.begin(), experiments.end());
  return run_measuring_program(target, std::move(words));
}

std::string list_of(const std::vector<Bytes>& sizes) {
  std::string text;
  for (const Bytes bytes : sizes) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", bytes);
  }
  return text.empty() ? "none" : text;
}

/// From 1 to 4M, each about a fifth more than the one before.
std::string dense_sizes() {
  std::vector<Bytes> sizes;
  for (Bytes size = 1; size <= (Bytes{4} << 20); size += std::max<Bytes>(size / 5, 1)) {
    sizes.push_back(size);
  }
  sizes.push_back(Bytes{4} << 20);
  return list_of(sizes);
}

/// What all models need, at more sizes where flows need them; SMPI's own model has jumps at many, elsewhere lines are
/// few.
std::vector<std::string> calibration_of(const SuiteRun& run) {
  const std::optional<VirtualMachine> machine = machine_of(run);
  const bool jumps = machine && machine->protocol == VirtualProtocol::kDefault;
  std::vector<std::string> words = experiments_for(estimated_models(), {.quick = false, .is_virtual = true});
  const auto set = [&](const char* option, const std::string& sizes) {
    const auto found = std::find(words.begin(), words.end(), option);
    if (found == words.end()) {
      words.insert(words.end(), {option, sizes});
    } else {
      *(found + 1) = sizes;
    }
  };
  set("--sizes", jumps ? dense_sizes() : "1:4M:x2");
  set("--overhead-sizes", "1:4M:x4");
  set("--train-sizes", "1,1K,16K");
  set("--concurrent-sizes", "1,4K,64K,1M");
  set("--fan-sizes", "64K,1M");
  set("--butterfly-sizes", "64K,1M");
  set("--control-sizes", "none");
  return words;
}

/// How often to look between sizes for jumps: where times vary by themselves there is none to be found.
int refinements_of(const SuiteRun& run) {
  return has_noise(run) ? 0 : kMostRefinements;
}

}  // namespace

Platform calibrate(const SuiteRun& run) {
  const SuiteRun small = for_calibration(run);
  const TemporaryFolder folder;
  const LaunchTarget target = target_of(small, files_of(small, folder.path()));
  const auto measure_there = [&](const std::vector<std::string>& words) { return measure(target, words); };
  const SampleSet samples = refine_samples(measure_there(calibration_of(run)), measure_there, refinements_of(run));
  return estimate_platform(samples, run.platform);
}

}  // namespace postage
