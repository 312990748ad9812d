#include "cli/measuring/measure_options.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/launch/slurm.hpp>
#include <postage/measure/collective_run.hpp>
#include <postage/measure/held_out_draw.hpp>
#include <postage/model/model.hpp>
#include <postage/validate/held_out_accuracy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace postage {
namespace {

/// Before a measuring program is started, whose complaint would be that it failed.
void check_sizes(const std::string& option, const std::string& sizes) {
  try {
    static_cast<void>(sizes == "none" ? std::vector<Bytes>{} : parse_sizes(sizes));
  } catch (const UsageError& mistake) {
    throw UsageError(fmt::format("{}: {}", option, mistake.what()));
  }
}

/// What is left of the time that was given, or of Slurm's: less a moment for starting the job, and for estimating.
std::string time_for_measuring(const std::string& given) {
  constexpr Seconds kMostReserved = 20;
  constexpr double kReserved = 0.1;
  std::optional<Seconds> limit = slurm_time_left();
  if (!given.empty()) {
    limit = std::min(parse_time_limit(given), limit.value_or(parse_time_limit(given)));
  }
  if (!limit) {
    return "";
  }
  const Seconds left = *limit - std::min(kMostReserved, kReserved * *limit);
  if (left < 1) {
    throw UsageError(
        fmt::format("Slurm ends this job in {:.0f} s, which is too short to measure anything: give the job a "
                    "longer --time",
                    std::max(*limit, 0.0)));
  }
  return fmt::format("{:.1f}s", left);
}

}  // namespace

std::vector<std::string> chosen_models(const MeasureOptions& options) {
  return options.models.empty() ? estimated_models() : parse_models(options.models);
}

std::vector<std::string> experiments_of(const MeasureOptions& options) {
  std::vector<std::string> words = experiments_for(
      chosen_models(options), {.quick = options.quick, .is_virtual = !options.launch.virtual_name.empty()});
  for (const auto& [option, sizes] : options.sizes) {
    const auto planned = std::find(words.begin(), words.end(), option);
    if (sizes.empty()) {
      continue;
    }
    check_sizes(option, sizes);
    if (planned != words.end()) {
      *(planned + 1) = sizes;
    } else {
      words.insert(words.end(), {option, sizes});
    }
  }
  for (const std::string& collective : options.collectives) {
    static_cast<void>(parse_collective_run(collective));
    words.insert(words.end(), {"--collective", collective});
  }
  if (options.held_out == 0 && options.held_out_seed != MeasureOptions().held_out_seed) {
    throw UsageError("--held-out-seed has no effect with --held-out 0: leave one of them out");
  }
  if (options.launch.virtual_name.empty()) {
    const std::vector<std::string> held_out = words_of(HeldOutChoice{options.held_out, options.held_out_seed});
    words.insert(words.end(), held_out.begin(), held_out.end());
  }
  if (!options.pairs.empty()) {
    words.insert(words.end(), {"--pairs", options.pairs});
  }
  if (options.launch.shm) {
    words.emplace_back("--thresholds");
  }
  return words;
}

LaunchOptions launch_of(const MeasureOptions& options) {
  const LaunchOptions standard;
  LaunchOptions launch = options.launch;
  SettingOptions& measuring = launch.measuring;
  measuring.settings.keep_values =
      measuring.settings.keep_values || !options.samples.empty() || options.format == "osu";
  const MeasureSettings& usual = standard.measuring.settings;
  const auto lower = [](int& value, int usually, int quickly) { value = value == usually ? quickly : value; };
  if (!launch.virtual_name.empty()) {
    lower(measuring.settings.most_repetitions, usual.most_repetitions, kMostSimulatedRepetitions);
    measuring.budget =
        measuring.budget == standard.measuring.budget && !options.quick ? kSimulatedBudget : measuring.budget;
  }
  if (options.quick) {
    lower(measuring.settings.passes, usual.passes, 3);
    lower(measuring.settings.least_repetitions, usual.least_repetitions, 9);
    measuring.budget = measuring.budget == standard.measuring.budget ? "5s" : measuring.budget;
  }
  if (!measuring.time_limit.empty()) {
    static_cast<void>(parse_time_limit(measuring.time_limit));
  }
  if (launch.virtual_name.empty()) {
    measuring.time_limit = time_for_measuring(measuring.time_limit);
  }
  return launch;
}

}  // namespace postage
