#pragma once

#include <postage/base/options.hpp>
#include <postage/measure/campaign.hpp>

#include <string>
#include <vector>

namespace postage {

/// Enough repetitions of an experiment in a simulation whose times scatter, each of which costs real time: there pairs
/// that are alike are many.
inline constexpr int kMostSimulatedRepetitions = 30;
/// Simulated time costs nothing: it only keeps slow networks from being measured for ever.
inline constexpr const char* kSimulatedBudget = "10min";

/// How to measure, as typed: the same for the measuring programs and for what starts them. The two texts become
/// numbers later, so that errors are the library's sentences.
struct SettingOptions {
  MeasureSettings settings{};
  std::string budget = "30s";
  std::string time_limit{};  ///< empty for none
  std::string timing{name_of(MeasureSettings{}.timing)};
};

void add_setting_options(Command& app, SettingOptions& options);

/// Of these options, like "--budget".
[[nodiscard]] std::vector<std::string> setting_option_names();

/// "90", "90s" or "10min", and Slurm's own "10:00", "1:30:00" or "1-12:00:00" ([days-]hours:minutes:seconds, or
/// minutes:seconds). Throws UsageError naming --time-limit.
[[nodiscard]] Seconds parse_time_limit(const std::string& text);

/// The settings with the texts read. Throws UsageError naming what cannot be read.
[[nodiscard]] MeasureSettings settings_of(const SettingOptions& options);

/// The options as words for a measuring program's command line.
[[nodiscard]] std::vector<std::string> words_of(const SettingOptions& options);

}  // namespace postage
