#include <postage/base/error.hpp>
#include <postage/estimate/breaks.hpp>
#include <postage/estimate/thresholds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

using Curve = std::span<const CurvePoint>;

/// An escalation is a leap to another scale, tenfold: this is half way to it.
constexpr double kFarAbove = 3;
/// Scatter that counts as none: repeated measurements differ by as much.
constexpr double kFinestScatter = 1e-2;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Escalated times further apart than this are of different levels.
constexpr double kLevelGap = 1.25;

std::vector<SeriesPoint> series_of(Curve curve) {
  std::vector<SeriesPoint> series;
  series.reserve(curve.size());
  for (const CurvePoint& point : curve) {
    series.push_back({static_cast<double>(point.bytes), point.seconds});
  }
  return series;
}

/// Segments may be shorter than usual, as a threshold may lie near the end of a sweep.
std::size_t least_points_for(std::size_t count) {
  return std::max<std::size_t>(5, count / 10);
}

/// The sizes around a break that the interval reaches.
Threshold threshold_at(Curve curve, std::size_t place, const BreakInterval& interval) {
  return {static_cast<double>(curve[place - 1].bytes), static_cast<double>(curve[interval.first - 1].bytes),
          static_cast<double>(curve[interval.last].bytes)};
}

Estimate less(const Estimate& e, double amount) {
  return {e.value - amount, e.lower - amount, e.upper - amount};
}

}  // namespace

std::optional<ScatterThreshold> scatter_threshold(Curve curve, double confidence) {
  const std::vector<SeriesPoint> series = series_of(curve);
  const BreakSettings settings{
      .errors = ErrorScale::kRelative, .least_points = least_points_for(series.size()), .most_breaks = 1};
  const StructuralBreaks found = find_breaks(series, settings);
  if (found.chosen == 0) {
    return {};
  }
  const std::size_t place = found.best().breaks.front();
  const std::span<const SeriesPoint> all(series);
  const FittedLine small = fit_run(all.first(place), settings, confidence);
  const FittedLine large = fit_run(all.subspan(place), settings, confidence);
  const BreakInterval interval = break_intervals(series, settings, found.best().breaks, confidence).front();
  const Threshold limit = threshold_at(curve, place, interval);
  const double leap = large.at(limit.value) - small.at(limit.value);
  if (leap <= 0) {
    return {};
  }
  return ScatterThreshold{limit, leap, small.slope, large.slope};
}

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

namespace {

/// Sizes from `last` downwards, in ascending order.
std::vector<Bytes> row_up_to(Bytes last, Bytes stride, std::size_t most) {
  std::vector<Bytes> sizes;
  for (Bytes bytes = last; bytes > 0 && sizes.size() < most; bytes -= stride) {
    sizes.push_back(bytes);
  }
  std::ranges::reverse(sizes);
  return sizes;
}

/// The points measured so far, and where times escalated.
class EscalationSearch {
 public:
  EscalationSearch(const GatherExperiment& experiment, double escalation)
      : experiment_(experiment), escalation_(escalation) {}

  void measure(const std::vector<Bytes>& sizes) {
    const std::vector<Seconds> times = experiment_(sizes);
    if (times.size() != sizes.size()) {
      throw Error(fmt::format("gather was to be timed at {} sizes and gave {} times", sizes.size(), times.size()));
    }
    // A row may begin amid escalations: then what came below it shows that.
    const CurvePoint* before = last_below(sizes.front());
    std::vector<CurvePoint> row;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      row.push_back({sizes[i], times[i]});
    }
    for (const CurvePoint& point : row) {
      if (before != nullptr && point.seconds > escalation_ * before->seconds) {
        escalated_ = point.bytes;
        break;
      }
      before = &point;
    }
    points_.insert(points_.end(), row.begin(), row.end());
    std::ranges::stable_sort(points_, {}, &CurvePoint::bytes);
  }

  [[nodiscard]] std::optional<Bytes> escalated() const { return escalated_; }

  [[nodiscard]] SmallGather result() const {
    if (!escalated_) {
      return {{}, points_};
    }
    const CurvePoint* below = last_below(*escalated_);
    const auto calm = static_cast<double>(below == nullptr ? 0 : below->bytes);
    return {Threshold{calm, calm, static_cast<double>(*escalated_)}, points_};
  }

 private:
  [[nodiscard]] const CurvePoint* last_below(Bytes bytes) const {
    const auto end = std::ranges::lower_bound(points_, bytes, {}, &CurvePoint::bytes);
    return end == points_.begin() ? nullptr : &*std::prev(end);
  }

  const GatherExperiment& experiment_;
  double escalation_;
  std::optional<Bytes> escalated_;
  std::vector<CurvePoint> points_;
};

}  // namespace

SmallGather find_small_gather(const GatherExperiment& experiment, const EscalationSettings& settings) {
  if (settings.finest_stride < 1 || settings.stride < settings.finest_stride ||
      settings.largest < 2 * settings.stride || settings.escalation <= 1 || settings.most_points < 2) {
    throw UsageError(
        "the search for escalations needs strides of at least 1 byte of which the finest is the smallest, two of "
        "them up to the largest size, an escalation above 1, and rows of at least 2 points");
  }
  EscalationSearch search(experiment, settings.escalation);
  search.measure(row_up_to(settings.largest / settings.stride * settings.stride, settings.stride,
                           static_cast<std::size_t>(settings.largest / settings.stride)));
  for (Bytes stride = settings.stride; search.escalated() && stride > settings.finest_stride;) {
    stride = std::max(stride / 2, settings.finest_stride);
    search.measure(row_up_to(*search.escalated(), stride, settings.most_points));
  }
  return search.result();
}

namespace {

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

/// The points after the last break, and what may be its place.
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

GatherThresholds gather_thresholds(const SmallGather& small, Curve series, const GatherSlopes& slopes,
                                   double confidence) {
  LargeBlocks blocks = find_large_blocks(series, confidence);
  const Curve large = series.subspan(blocks.begin);
  const bool is_split = blocks.begin > 0 && !large.empty();
  const double last_below = is_split ? static_cast<double>(series[blocks.begin - 1].bytes) : kInfinity;
  const double small_end = small.limit ? small.limit->value : last_below;
  const Curve calm = up_to(small.points, small_end);
  GatherThresholds found{.small_limit = small.limit,
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
    found.large_limit = threshold_at(series, blocks.begin, blocks.interval);
  }
  return found;
}

}  // namespace postage
