#include "estimate/lmo/sweeps.hpp"

#include <algorithm>

namespace postage {

std::vector<SeriesPoint> series_of(Curve curve) {
  std::vector<SeriesPoint> series;
  series.reserve(curve.size());
  for (const CurvePoint& point : curve) {
    series.push_back({static_cast<double>(point.bytes), point.seconds});
  }
  return series;
}

std::size_t least_points_for(std::size_t count) {
  return std::max<std::size_t>(5, count / 10);
}

SizeLimit limit_at(Curve curve, std::size_t first, const BreakInterval& interval) {
  return {static_cast<double>(curve[first - 1].bytes), static_cast<double>(curve[interval.first - 1].bytes),
          static_cast<double>(curve[interval.last].bytes)};
}

}  // namespace postage
