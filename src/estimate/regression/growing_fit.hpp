#pragma once

#include <postage/estimate/breaks.hpp>

#include <array>

namespace postage {

[[nodiscard]] constexpr std::size_t coefficients_of(Regression regression) {
  return regression == Regression::kConstant ? 1 : 2;
}

/// Least squares of a run of points that grows at its end, O(1) a point. Each new row is rotated into the triangle of
/// those before it (Givens); what remains of its response is its recursive residual, whose square is what the residual
/// sum grows by. Regressors count from the run's first x, so that a far origin costs no digits.
class GrowingFit {
 public:
  GrowingFit(const BreakSettings& settings, double origin)
      : columns_(coefficients_of(settings.regression)),
        relative_(settings.errors == ErrorScale::kRelative),
        origin_(origin) {}

  void add(const SeriesPoint& point);
  [[nodiscard]] double residual_square() const { return residual_square_; }
  [[nodiscard]] double slope() const { return has_slope() ? triangle_[1][2] / triangle_[1][1] : 0; }
  [[nodiscard]] double value_at_origin() const {
    return (triangle_[0][2] - triangle_[0][1] * slope()) / triangle_[0][0];
  }
  /// Variances of both, over that of one error.
  [[nodiscard]] double slope_variance() const;
  [[nodiscard]] double value_variance() const;

 private:
  [[nodiscard]] bool has_slope() const { return triangle_[1][1] != 0; }

  std::size_t columns_;
  bool relative_;
  double origin_;
  std::array<std::array<double, 3>, 2> triangle_{};  ///< columns: constant, x - origin, y
  double residual_square_ = 0;
};

}  // namespace postage
