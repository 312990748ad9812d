#pragma once

#include <postage/platform/shm_thresholds.hpp>
#include <postage/shm/protocol_times.hpp>

#include <functional>
#include <span>
#include <vector>

namespace postage {

/// From measured times to thresholds: choose_thresholds of estimate/.
using ThresholdChoice = std::function<std::vector<MeasuredThresholds>(std::span<const LevelTimes>)>;

/// The measuring program over shared memory, which starts its ranks itself; `words` are its arguments, the program's
/// name first. Returns its exit status. Throws UsageError, Error.
[[nodiscard]] int measure_over_shm(std::vector<const char*> words, const ThresholdChoice& choose);

}  // namespace postage
