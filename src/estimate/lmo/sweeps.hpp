#pragma once

#include <postage/estimate/breaks.hpp>
#include <postage/estimate/scatter_gather.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace postage {

using Curve = std::span<const CurvePoint>;

[[nodiscard]] std::vector<SeriesPoint> series_of(Curve curve);

/// Segments may be shorter than usual, as a limit may lie near the end of a sweep.
[[nodiscard]] std::size_t least_points_for(std::size_t count);

/// The sizes around a break before the point `first` that the interval reaches.
[[nodiscard]] SizeLimit limit_at(Curve curve, std::size_t first, const BreakInterval& interval);

}  // namespace postage
