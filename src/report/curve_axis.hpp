#pragma once

#include <postage/report/curves.hpp>

#include <vector>

namespace postage {

/// The range of an axis, and the values that are marked on it.
class CurveAxis {
 public:
  explicit CurveAxis(DrawnAxis axis) : axis_(std::move(axis)) {}

  /// False for values that a logarithmic axis has no place for.
  [[nodiscard]] bool can_show(double value) const { return !axis_.logarithmic || value > 0; }
  void take(double value);
  [[nodiscard]] bool is_empty() const { return is_empty_; }
  /// 0 at the least value, 1 at the largest.
  [[nodiscard]] double at(double value) const;
  [[nodiscard]] const DrawnAxis& axis() const { return axis_; }
  /// Powers of two of bytes and small numbers, of others powers of ten, with twice and five times those where they are
  /// few; on a linear axis multiples of such a number.
  [[nodiscard]] std::vector<double> marks() const;

 private:
  [[nodiscard]] double scaled(double value) const;
  [[nodiscard]] double low() const;
  [[nodiscard]] double high() const;
  [[nodiscard]] std::vector<double> powers_of_two() const;
  [[nodiscard]] std::vector<double> powers_of_ten() const;
  [[nodiscard]] std::vector<double> multiples() const;

  DrawnAxis axis_;
  double least_ = 0;
  double most_ = 0;
  bool is_empty_ = true;
};

}  // namespace postage
