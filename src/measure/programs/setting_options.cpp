#include <postage/base/error.hpp>
#include <postage/base/options.hpp>
#include <postage/measure/setting_options.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {

void add_setting_options(Command& app, SettingOptions& options) {
  MeasureSettings& settings = options.settings;
  app.option("--precision", settings.precision,
             "Precision to reach: half the confidence interval of the median over the median")
      .with_default()
      .positive();
  app.option("--confidence", settings.confidence, "Confidence level of the intervals")
      .with_default()
      .range(0.5, 0.9999);
  app.option("--budget", options.budget, "Measuring time, like 30s or 2min").with_default();
  app.option("--time-limit", options.time_limit,
             "End before this time has passed, like 10min or 10:00, the most valuable experiments first; by default "
             "before Slurm ends the job, where there is one");
  app.option("--warm-up", settings.warm_up, "Warm-up repetitions before each experiment")
      .with_default()
      .range(0, 100000);
  app.option("--least", settings.least_repetitions, "Least repetitions of an experiment")
      .with_default()
      .range(2, 1000000);
  app.option("--most", settings.most_repetitions, "Most repetitions of an experiment").with_default().range(2, 1000000);
  app.option("--passes", settings.passes,
             "Passes over all experiments: each is sampled this often, spread over the measuring time")
      .with_default()
      .range(1, 1000);
  app.flag("--serial", settings.serial, "Run one experiment at a time, also where they use different hosts");
  app.option("--triplets", settings.triplets,
             "Least number of triplets (one rank sends to two others) for each sending rank")
      .with_default()
      .range(1, 1000000);
  app.flag("--all-pairs", settings.all_pairs,
           "Measure all pairs of ranks, as well as those that a few roundtrips find to be like others");
  app.option("--timing", options.timing,
             "Timing method for groups of ranks: root, maximum or clocks (see docs/measuring.md)")
      .with_default()
      .one_of({"root", "maximum", "clocks"});
  app.flag("--keep-values", settings.keep_values, "Store the time of every repetition in the samples file");
}

MeasureSettings settings_of(const SettingOptions& options) {
  MeasureSettings settings = options.settings;
  settings.budget = parse_seconds(options.budget);
  if (settings.budget < 0) {
    throw UsageError(fmt::format("--budget {}: give a time of at least 0, like 30s", options.budget));
  }
  settings.time_limit = options.time_limit.empty() ? 0 : parse_time_limit(options.time_limit);
  if (settings.time_limit > 0) {
    constexpr double kForMeasuring = 0.8;
    settings.budget = std::min(settings.budget, kForMeasuring * settings.time_limit);
  }
  settings.timing = parse_timing_method(options.timing);
  return settings;
}

std::vector<std::string> words_of(const SettingOptions& options) {
  const MeasureSettings& settings = options.settings;
  std::vector<std::string> words{"--precision",  fmt::format("{}", settings.precision),
                                 "--confidence", fmt::format("{}", settings.confidence),
                                 "--budget",     options.budget,
                                 "--warm-up",    std::to_string(settings.warm_up),
                                 "--least",      std::to_string(settings.least_repetitions),
                                 "--most",       std::to_string(settings.most_repetitions),
                                 "--passes",     std::to_string(settings.passes),
                                 "--triplets",   std::to_string(settings.triplets),
                                 "--timing",     options.timing};
  if (settings.serial) {
    words.emplace_back("--serial");
  }
  if (!options.time_limit.empty()) {
    words.insert(words.end(), {"--time-limit", options.time_limit});
  }
  if (settings.all_pairs) {
    words.emplace_back("--all-pairs");
  }
  if (settings.keep_values) {
    words.emplace_back("--keep-values");
  }
  return words;
}

std::vector<std::string> setting_option_names() {
  return {"--precision", "--confidence", "--budget",   "--time-limit", "--warm-up", "--least",      "--most",
          "--passes",    "--serial",     "--triplets", "--all-pairs",  "--timing",  "--keep-values"};
}

}  // namespace postage
