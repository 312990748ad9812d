#include "estimate/lmo/sweeps.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

/// An escalation multiplies the time by ten: this is half of it on a logarithmic scale.
constexpr double kFarAbove = 3;
/// Scatter that counts as none: repeated measurements differ by as much.
constexpr double kFinestScatter = 1e-2;
/// Escalated times further apart than this are of different levels.
constexpr double kLevelGap = 1.25;

Estimate less(const Estimate& e, double amount) {
  return {e.value - amount, e.lower - amount, e.upper - amount};
}

/// How many points further than the last one that escalated M_2 may lie: chance keeps escalations from so many.
std::size_t calm_points(std::size_t escalated, std::size_t count, double confidence) {
  const double calm = 1 - static_cast<double>(escalated) / static_cast<double>(count);
  return calm <= 0 ? 0 : static_cast<std::size_t>(std::ceil(std::log(1 - confidence) / std::log(calm)));
}

std::vector<EscalationLevel> levels_of(std::vector<Seconds> times) {
  std::ranges::sort(times);
  std::vector<EscalationLevel> levels;
  for (const Seconds time : times) {
    if (levels.empty() || time > kLevelGap * levels.back().highest) {
      levels.push_back({time, time, 0});
    }
    levels.back().highest = time;
    ++levels.back().count;
  }
  return levels;
}

/// The points up to a size.
Curve up_to(Curve curve, double bytes) {
  const auto end = std::ranges::upper_bound(curve, bytes, {}, [](const CurvePoint& p) { return double(p.bytes); });
  return curve.first(static_cast<std::size_t>(end - curve.begin()));
}

std::optional<Estimate> correction(Curve curve, double slope, double confidence) {
  if (curve.size() < 3) {
    return {};
  }
  return less(fit_run(series_of(curve), {}, confidence).slope, slope);
}

/// True where some time is far above or below the one before it.
bool escalates(Curve curve) {
  return std::ranges::adjacent_find(curve, [](const CurvePoint& a, const CurvePoint& b) {
           return std::max(a.seconds, b.seconds) > kFarAbove * std::min(a.seconds, b.seconds);
         }) != curve.end();
}

/// The points after the last break, and where it may lie as well.
struct LargeBlocks {
  std::size_t begin = 0;  ///< the number of points where times escalate after the last break too
  BreakInterval interval;
};

LargeBlocks find_large_blocks(Curve curve, double confidence) {
  const std::vector<SeriesPoint> series = series_of(curve);
  const BreakSettings settings{.errors = ErrorScale::kRelative,
                               .scatter = Scatter::kOwn,
                               .least_points = least_points_for(series.size()),
                               .finest_scatter = kFinestScatter};
  const std::vector<std::size_t> breaks = find_breaks(series, settings).best().breaks;
  const std::size_t begin = breaks.empty() ? 0 : breaks.back();
  if (escalates(curve.subspan(begin))) {
    return {curve.size(), {}};
  }
  return {begin, begin == 0 ? BreakInterval{} : break_intervals(series, settings, breaks, confidence).back()};
}

/// What blocks take where nothing escalates: as the small ones' line says, or more as the large ones do.
class Calm {
 public:
  Calm(Curve small, Curve large) {
    if (small.size() > 1) {
      small_ = fit_run(series_of(small), {});
    }
    if (!large.empty()) {
      large_ = large.front().seconds;
    }
  }
  [[nodiscard]] std::vector<Seconds> escalated(Curve curve) const {
    std::vector<Seconds> times;
    for (const CurvePoint& point : curve) {
      const double small = small_ ? small_->at(static_cast<double>(point.bytes)) : 0;
      if (point.seconds > kFarAbove * std::max(small, large_)) {
        times.push_back(point.seconds);
      }
    }
    return times;
  }

 private:
  std::optional<FittedLine> small_;
  Seconds large_ = 0;
};

}  // namespace

GatherSlopes gather_slopes(double root_per_byte, std::span<const double> per_byte, std::span<const double> bandwidth) {
  if (per_byte.empty() || per_byte.size() != bandwidth.size()) {
    throw UsageError(fmt::format("gather needs t_i and beta_0i of each other processor, not {} and {} of them",
                                 per_byte.size(), bandwidth.size()));
  }
  const double root = static_cast<double>(per_byte.size()) * root_per_byte;
  GatherSlopes slopes{root, root};
  double slowest = 0;
  for (std::size_t i = 0; i < per_byte.size(); ++i) {
    const double own = per_byte[i] + 1 / bandwidth[i];
    slowest = std::max(slowest, own);
    slopes.large += own;
  }
  slopes.small += slowest;
  return slopes;
}

GatherLimits gather_limits(const SmallGather& small, Curve series, const GatherSlopes& slopes, double confidence) {
  LargeBlocks blocks = find_large_blocks(series, confidence);
  const Curve large = series.subspan(blocks.begin);
  const bool is_split = blocks.begin > 0 && !large.empty();
  const double last_below =
      is_split ? static_cast<double>(series[blocks.begin - 1].bytes) : std::numeric_limits<double>::infinity();
  const double small_end = small.limit ? small.limit->value : last_below;
  const Curve calm = up_to(small.points, small_end);
  GatherLimits found{.small_limit = small.limit,
                     .large_limit = {},
                     .small_correction = correction(calm, slopes.small, confidence),
                     .large_correction = correction(large, slopes.large, confidence),
                     .levels = {}};
  if (small.limit) {
    const Curve below = series.first(blocks.begin);
    const Curve middle = below.subspan(up_to(below, small_end).size());
    const std::vector<Seconds> escalated = Calm(calm, large).escalated(middle);
    found.levels = levels_of(escalated);
    if (!escalated.empty()) {
      const std::size_t further = calm_points(escalated.size(), middle.size(), confidence);
      blocks.interval = {blocks.begin, std::min(blocks.begin + further, series.size() - 1)};
    }
  }
  if (is_split && last_below >= (small.limit ? small_end : 0)) {
    found.large_limit = limit_at(series, blocks.begin, blocks.interval);
  }
  return found;
}

}  // namespace postage
