#include "estimate/regression/growing_fit.hpp"
#include "estimate/regression/segmentations.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/breaks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace postage {
namespace {

using Series = std::span<const SeriesPoint>;

/// Residual sum of the best fit through every run of points: row `first` of the triangle holds the runs from there on.
class ResidualTriangle {
 public:
  ResidualTriangle(Series series, const BreakSettings& settings) : count_(series.size()) {
    sums_.reserve(count_ * (count_ + 1) / 2);
    for (std::size_t first = 0; first < count_; ++first) {
      GrowingFit fit(settings, series[first].x);
      for (const SeriesPoint& point : series.subspan(first)) {
        fit.add(point);
        sums_.push_back(fit.residual_square());
      }
    }
  }
  /// Of the run first..end-1.
  [[nodiscard]] double of(std::size_t first, std::size_t end) const {
    return sums_[first * (2 * count_ - first + 1) / 2 + (end - 1 - first)];
  }

 private:
  std::size_t count_;
  std::vector<double> sums_;
};

void check(Series series, const BreakSettings& settings) {
  if (series.size() <= coefficients_of(settings.regression)) {
    throw Error(fmt::format("a series of {} points is too short to look for breaks in", series.size()));
  }
  for (const SeriesPoint& point : series) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) {
      throw Error(fmt::format("a series to look for breaks in holds ({}, {}), which is no point", point.x, point.y));
    }
    if (settings.errors == ErrorScale::kRelative && point.y <= 0) {
      throw Error(fmt::format("relative errors need values above 0, and the series holds {} at {}", point.y, point.x));
    }
  }
}

std::size_t least_points_of(std::size_t count, const BreakSettings& settings) {
  const std::size_t coefficients = coefficients_of(settings.regression);
  const std::size_t least = settings.least_points.value_or(std::max(count * 15 / 100, coefficients + 1));
  if (least <= coefficients) {
    throw UsageError(fmt::format(
        "segments of at least {} points have no degree of freedom left for a fit of {} coefficients; ask for {}", least,
        coefficients, coefficients + 1));
  }
  return least;
}

std::size_t most_breaks_of(std::size_t count, std::size_t least, const BreakSettings& settings) {
  const std::size_t fitting = std::max<std::size_t>(count / least, 1) - 1;
  const std::size_t usual = std::max<std::size_t>((count + least - 1) / least, 3) - 2;
  return std::min(settings.most_breaks.value_or(usual), fitting);
}

/// Mean square that counts as none: what was asked for, and what rounding leaves of a perfect fit.
double finest_square(Series series, const BreakSettings& settings) {
  double largest = 0;
  for (const SeriesPoint& point : series) {
    largest = std::max(largest, settings.errors == ErrorScale::kRelative ? 1 : std::abs(point.y));
  }
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * largest;
  return std::max(
      {settings.finest_scatter * settings.finest_scatter, rounding * rounding, std::numeric_limits<double>::min()});
}

/// What the likelihood, the number of parameters and the breaks come from.
class Likelihood {
 public:
  Likelihood(Series series, const BreakSettings& settings)
      : residuals_(series, settings),
        count_(series.size()),
        coefficients_(coefficients_of(settings.regression)),
        own_(settings.scatter == Scatter::kOwn),
        finest_(finest_square(series, settings)) {}

  /// What the best segmentation has the least of, as a sum over runs.
  [[nodiscard]] double cost(std::size_t first, std::size_t end) const {
    const double sum = residuals_.of(first, end);
    return own_ ? logarithm(sum, end - first) : sum;
  }

  [[nodiscard]] Segmentation evaluate(std::vector<std::size_t> breaks) const {
    double sum = 0;
    double logarithms = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= breaks.size(); ++i) {
      const std::size_t end = i < breaks.size() ? breaks[i] : count_;
      sum += residuals_.of(begin, end);
      logarithms += logarithm(residuals_.of(begin, end), end - begin);
      begin = end;
    }
    const auto n = static_cast<double>(count_);
    const std::size_t parameters = (coefficients_ + 1) * (breaks.size() + 1) + (own_ ? breaks.size() : 0);
    const double constant = n * (std::log(2 * std::numbers::pi) + 1);
    const double bic =
        (own_ ? logarithms : logarithm(sum, count_)) + constant + static_cast<double>(parameters) * std::log(n);
    return {std::move(breaks), sum, bic};
  }

 private:
  [[nodiscard]] double logarithm(double sum, std::size_t points) const {
    const auto n = static_cast<double>(points);
    return n * std::log(std::max(sum / n, finest_));
  }

  ResidualTriangle residuals_;
  std::size_t count_;
  std::size_t coefficients_;
  bool own_;
  double finest_;
};

}  // namespace

StructuralBreaks find_breaks(Series series, const BreakSettings& settings) {
  check(series, settings);
  const std::size_t count = series.size();
  StructuralBreaks found{.by_count = {}, .chosen = 0, .least_points = least_points_of(count, settings)};
  const std::size_t most = most_breaks_of(count, found.least_points, settings);
  const Likelihood likelihood(series, settings);
  const Segmentations best(count, std::min(found.least_points, count), most + 1,
                           [&](std::size_t first, std::size_t end) { return likelihood.cost(first, end); });
  for (std::size_t breaks = 0; breaks <= most; ++breaks) {
    found.by_count.push_back(likelihood.evaluate(best.cuts(breaks + 1)));
    if (found.by_count[breaks].bic < found.best().bic) {
      found.chosen = breaks;
    }
  }
  return found;
}

}  // namespace postage
