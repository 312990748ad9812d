#pragma once

#include "validate/suite/points.hpp"

#include <postage/platform/platform.hpp>

namespace postage {

/// Messages between two and groups of ranks, measured on a simulated machine of the run's kind, and every model that
/// can be estimated from them. No collective is among them. Again at more sizes where a protocol changes between two.
[[nodiscard]] Platform calibrate(const SuiteRun& run);

}  // namespace postage
