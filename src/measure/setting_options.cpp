#include <postage/base/options.hpp>
#include <postage/measure/setting_options.hpp>

#include <fmt/format.h>

namespace postage {

void add_setting_options(Command& app, SettingOptions& options) {
  MeasureSettings& settings = options.settings;
  app.option("--precision", settings.precision, "Half width of the median's interval over the median")
      .with_default()
      .positive();
  app.option("--confidence", settings.confidence, "Confidence of the intervals").with_default().range(0.5, 0.9999);
  app.option("--budget", options.budget, "Time to measure for, like 30s").with_default();
  app.option("--warm-up", settings.warm_up, "Repetitions before each experiment that do not count")
      .with_default()
      .range(0, 100000);
  app.option("--least", settings.least_repetitions, "Fewest repetitions of an experiment")
      .with_default()
      .range(2, 1000000);
  app.option("--most", settings.most_repetitions, "Most repetitions of an experiment").with_default().range(2, 1000000);
  app.option("--passes", settings.passes, "How often each experiment is sampled, spread over the time")
      .with_default()
      .range(1, 1000);
  app.flag("--serial", settings.serial, "One experiment at a time, even between different hosts");
  app.option("--triplets", settings.triplets, "Fewest triplets of each rank from which it sends to two others")
      .with_default()
      .range(1, 1000000);
  app.option("--timing", options.timing, "How groups are timed: root, maximum or clocks")
      .with_default()
      .one_of({"root", "maximum", "clocks"});
  app.flag("--keep-values", settings.keep_values, "Keep every single time in the samples file");
}

MeasureSettings settings_of(const SettingOptions& options) {
  MeasureSettings settings = options.settings;
  settings.budget = parse_seconds(options.budget);
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
  if (settings.keep_values) {
    words.emplace_back("--keep-values");
  }
  return words;
}

}  // namespace postage
