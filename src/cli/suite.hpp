#pragma once

#include "cli/suite_points.hpp"

namespace postage {

/// What `validate --suite` was asked for.
struct SuiteOptions {
  SuiteScale scale = SuiteScale::kFull;
  std::vector<std::string> platforms{};
  std::string output = "accuracy.json";
  /// Keeps the platform files, the simulator's input and the points there; empty keeps nothing.
  std::string keep{};
  /// Writes accuracy.md and its images there; empty writes none.
  std::string page{};
  /// Files of earlier results, whose platforms are not run again.
  std::vector<std::string> earlier{};
  bool json = false;
};

/// Calibrates, simulates, predicts and compares on each platform of the suite; prints the table and writes `output`.
void run_suite(const SuiteOptions& options);

}  // namespace postage
