#pragma once

#include "validate/suite/points.hpp"

#include <postage/validate/accuracy_report.hpp>

namespace postage {

/// Whether SMPI's own collectives are simulated beside ours on this platform.
[[nodiscard]] bool has_library_points(const SuiteRun& run);

/// Our times and predictions, `points`, beside those of SMPI's implementation of each algorithm that has one.
void add_library_points(const SuiteRun& run, const std::vector<AccuracyPoint>& points, AccuracyReport& report);

}  // namespace postage
