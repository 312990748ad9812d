#include "estimate/regression/growing_fit.hpp"

#include <postage/base/statistics.hpp>

#include <cmath>
#include <limits>

namespace postage {

void GrowingFit::add(const SeriesPoint& point) {
  const double weight = relative_ ? 1 / point.y : 1;
  std::array<double, 3> row{weight, weight * (point.x - origin_), weight * point.y};
  for (std::size_t i = 0; i < columns_; ++i) {
    auto& pivot = triangle_[i];
    const double length = std::hypot(pivot[i], row[i]);
    if (length == 0) {
      continue;  // all x so far are the same and say nothing of a slope
    }
    const double cosine = pivot[i] / length;
    const double sine = row[i] / length;
    for (std::size_t j = i; j < row.size(); ++j) {
      const double rotated = cosine * pivot[j] + sine * row[j];
      row[j] = cosine * row[j] - sine * pivot[j];
      pivot[j] = rotated;
    }
  }
  residual_square_ += row[2] * row[2];
}

double GrowingFit::slope_variance() const {
  return has_slope() ? 1 / (triangle_[1][1] * triangle_[1][1]) : 0;
}

double GrowingFit::value_variance() const {
  return (1 + triangle_[0][1] * triangle_[0][1] * slope_variance()) / (triangle_[0][0] * triangle_[0][0]);
}

FittedLine fit_run(std::span<const SeriesPoint> run, const BreakSettings& settings, double confidence) {
  GrowingFit fit(settings, run.front().x);
  for (const SeriesPoint& point : run) {
    fit.add(point);
  }
  const double degrees = static_cast<double>(run.size()) - static_cast<double>(coefficients_of(settings.regression));
  const auto estimate = [&](double value, double variance) -> Estimate {
    if (degrees < 1) {
      constexpr double unbounded = std::numeric_limits<double>::infinity();
      return {value, -unbounded, unbounded};
    }
    const double error = std::sqrt(fit.residual_square() / degrees * variance);
    const double half = student_t_quantile((1 + confidence) / 2, degrees) * error;
    return {value, value - half, value + half};
  };
  return {run.front().x, estimate(fit.value_at_origin(), fit.value_variance()),
          estimate(fit.slope(), fit.slope_variance()), fit.residual_square()};
}

}  // namespace postage
