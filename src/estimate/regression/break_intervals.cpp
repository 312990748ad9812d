#include <postage/estimate/breaks.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace postage {
namespace {

/// exp(t^2/2) P(Z > t) for a standard normal Z and t >= 0, which neither overflows nor vanishes (Mills' ratio over
/// sqrt(2 pi)); by the tail's continued fraction where the error function has lost its digits.
double scaled_tail(double t) {
  if (t < 5) {
    return std::exp(t * t / 2) * std::erfc(t / std::numbers::sqrt2) / 2;
  }
  double fraction = t;
  for (int level = 60; level > 0; --level) {
    fraction = t + level / fraction;
  }
  return std::numbers::inv_sqrtpi / std::numbers::sqrt2 / fraction;
}

/// Probability that the estimated break lies further than z to one side of the true one. `ratio` is the other side's
/// error variance over this side's. Both sides' formulas in Bai (1997, appendix B) are this one: with xi the ratio of
/// the regressors' moments and phi = xi * (phi_2/phi_1)^2, the left side has z = |x| and ratio phi/xi, the right side
/// z = xi^2 x/phi and ratio xi/phi; the common factor exp(-z/8) is taken out of every term, so that none overflows.
double tail_beyond(double z, double ratio) {
  const double root = std::sqrt(z);
  const double first = ratio * (ratio + 2) / (ratio + 1);
  const double second = (ratio + 2) * (ratio + 2) / (ratio + 1) - 2 + z / 2;
  return std::exp(-z / 8) * (second * scaled_tail(root / 2) - first * scaled_tail((0.5 + 1 / ratio) * root) -
                             root * std::numbers::inv_sqrtpi / std::numbers::sqrt2);
}

/// The z beyond which `probability` lies; falls with it. Negative where not even that much lies on this side.
double tail_quantile(double probability, double ratio) {
  if (!(tail_beyond(0, ratio) >= probability)) {
    return -1;
  }
  double low = 0;
  double high = 1;
  while (tail_beyond(high, ratio) > probability) {
    low = high;
    high *= 2;
  }
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (tail_beyond(middle, ratio) > probability ? low : high) = middle;
  }
  return high;
}

/// What one side of a break says: its fit and its points.
struct Side {
  std::span<const SeriesPoint> points;
  FittedLine line;
  double variance = 0;
};

Side side_of(std::span<const SeriesPoint> points, const BreakSettings& settings) {
  const FittedLine line = fit_run(points, settings);
  return {points, line, line.residual_square / static_cast<double>(points.size())};
}

/// delta' Q delta: mean square difference of the two fits over one side's points, in the unit of errors.
double mean_square_shift(const Side& over, const Side& before, const Side& after, const BreakSettings& settings) {
  double sum = 0;
  for (const SeriesPoint& point : over.points) {
    const double scale = settings.errors == ErrorScale::kRelative ? point.y : 1;
    const double shift = (after.line.at(point.x) - before.line.at(point.x)) / scale;
    sum += shift * shift;
  }
  return sum / static_cast<double>(over.points.size());
}

BreakInterval interval_of(std::size_t position, const Side& before, const Side& after, const BreakSettings& settings,
                          double confidence) {
  const std::size_t lowest = position - before.points.size() + 1;
  const std::size_t highest = position + after.points.size() - 1;
  if (before.variance == 0 && after.variance == 0) {
    return {position, position};
  }
  const double tail = (1 - confidence) / 2;
  // A true break after the estimated one lies where the estimate is early: on the side of the points before.
  const double z_early = tail_quantile(tail, after.variance / before.variance);
  const double z_late = tail_quantile(tail, before.variance / after.variance);
  if (z_early < 0 || z_late < 0) {
    return {lowest, highest};
  }
  const double later = z_early * before.variance / mean_square_shift(before, before, after, settings);
  const double earlier = z_late * after.variance / mean_square_shift(after, before, after, settings);
  // What rounding leaves of a perfect fit is no scatter.
  const auto reach = [](double points, std::size_t most) {
    return points < static_cast<double>(most) ? static_cast<std::size_t>(std::ceil(points - 1e-9)) : most;
  };
  return {position - reach(earlier, position - lowest), position + reach(later, highest - position)};
}

}  // namespace

std::vector<BreakInterval> break_intervals(std::span<const SeriesPoint> series, const BreakSettings& settings,
                                           std::span<const std::size_t> breaks, double confidence) {
  std::vector<std::size_t> ends(breaks.begin(), breaks.end());
  ends.push_back(series.size());
  std::vector<BreakInterval> intervals;
  Side before = side_of(series.first(ends.front()), settings);
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    const Side after = side_of(series.subspan(ends[i], ends[i + 1] - ends[i]), settings);
    intervals.push_back(interval_of(ends[i], before, after, settings, confidence));
    before = after;
  }
  return intervals;
}

}  // namespace postage
