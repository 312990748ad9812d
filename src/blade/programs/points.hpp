#pragma once

#include "blade/hardware/machine.hpp"

#include <postage/base/json.hpp>
#include <postage/measure/batch.hpp>

#include <string>
#include <vector>

namespace postage::blade {

/// A collective among the first `ranks` SPEs, with its algorithm's parameters.
struct BladePoint {
  BatchPoint batch;
  ParameterValues parameters{};
};

/// "16 allgather:hybrid:4K x=3", one a line; '#' begins a comment. Throws UsageError naming the line.
[[nodiscard]] std::vector<BladePoint> parse_points(const std::string& text, const std::string& source);

/// Simulates each. An object a point: ranks, run, seconds, and the bytes of local store that the rank that needs most
/// needs for its buffers; seconds are null where that is more than there is. Throws UsageError for more ranks than SPEs
/// of a blade.
[[nodiscard]] Json run_points(Machine& machine, const std::vector<BladePoint>& points);

}  // namespace postage::blade
