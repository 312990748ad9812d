#pragma once

#include <postage/validate/accuracy_report.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace postage {

/// How much of the suite to run.
enum class SuiteScale { kQuick, kFull };

/// What to run of the accuracy suite.
struct SuitePlan {
  SuiteScale scale = SuiteScale::kFull;
  std::vector<std::string> platforms{};  ///< empty: all of the scale's
  /// Written after each platform, so that a run that is broken off can go on from there, and at the end.
  std::filesystem::path output = "accuracy.json";
  /// Keeps the platform files, the samples, the simulator's input and the points there; empty keeps nothing.
  std::filesystem::path keep{};
  /// Files of earlier results, whose platforms are not run again.
  std::vector<std::string> earlier{};
  /// Called with a sentence, from several threads, when a step is done: the suite takes minutes.
  std::function<void(const std::string&)> tell{};
};

/// Calibrates every model on each platform of the suite, then simulates or measures collectives and predicts them.
/// Throws UsageError for a platform that the suite does not have, Error where a step fails, and Interrupted.
[[nodiscard]] AccuracyReport run_accuracy_suite(const SuitePlan& plan);

}  // namespace postage
