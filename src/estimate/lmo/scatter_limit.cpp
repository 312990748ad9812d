#include "estimate/lmo/sweeps.hpp"

namespace postage {

std::optional<ScatterLimit> scatter_limit_of(Curve curve, double confidence) {
  const std::vector<SeriesPoint> series = series_of(curve);
  const BreakSettings settings{
      .errors = ErrorScale::kRelative, .least_points = least_points_for(series.size()), .most_breaks = 1};
  const StructuralBreaks found = find_breaks(series, settings);
  if (found.chosen == 0) {
    return {};
  }
  const std::size_t first_large = found.best().breaks.front();
  const std::span<const SeriesPoint> all(series);
  const FittedLine small = fit_run(all.first(first_large), settings, confidence);
  const FittedLine large = fit_run(all.subspan(first_large), settings, confidence);
  const BreakInterval interval = break_intervals(series, settings, found.best().breaks, confidence).front();
  const SizeLimit limit = limit_at(curve, first_large, interval);
  const double step = large.at(limit.value) - small.at(limit.value);
  if (step <= 0) {
    return {};
  }
  return ScatterLimit{limit, step, small.slope, large.slope};
}

}  // namespace postage
