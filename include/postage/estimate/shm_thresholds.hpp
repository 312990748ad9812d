#pragma once

#include <postage/base/units.hpp>
#include <postage/platform/shm_thresholds.hpp>
#include <postage/shm/protocol_times.hpp>

#include <span>
#include <vector>

namespace postage {

/// The thresholds with which messages of these sizes, ascending and each as important as another, lose least against
/// the fastest protocol of each: the sum of log(time / least time) is smallest. A single outlier moves no threshold
/// far, as it would if the first size at which one protocol is faster counted. A protocol that is never worth it starts
/// at ProtocolThresholds::kNever. The pool is used within a window where copy-in copy-out takes at least 5 % less time
/// so (geometric mean). Under skew single copy starts at a sixteenth of `pool_bytes`, or where it starts anyway: then a
/// sender can leave a dozen messages behind before the pool is full. O(n^2). Throws UsageError for an empty or
/// unordered table.
[[nodiscard]] ProtocolThresholds choose_thresholds(const TrafficTimes& times, Bytes pool_bytes);

/// Those of each locality level and kind of buffers, with the segment's default pool.
[[nodiscard]] std::vector<MeasuredThresholds> choose_thresholds(std::span<const LevelTimes> levels);

}  // namespace postage
