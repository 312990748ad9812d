#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace postage {

/// A piecewise linear function on [0, oo): linear between its points; below the first the first one's value; beyond the
/// last on along the last piece, or flat where that falls, so that a cost never becomes negative. Without points it is
/// 0 everywhere.
class CostCurve {
 public:
  struct Point {
    double at = 0;
    double value = 0;
    bool operator==(const Point&) const = default;
  };

  CostCurve() = default;
  /// `points` must ascend strictly.
  explicit CostCurve(std::vector<Point> points) : points_(std::move(points)) {}
  [[nodiscard]] static CostCurve constant(double value) { return CostCurve({{0, value}}); }

  /// O(log points).
  [[nodiscard]] double at(double x) const {
    if (points_.size() < 2 || x <= points_.front().at) {
      return points_.empty() ? 0 : points_.front().value;
    }
    const auto next =
        std::lower_bound(points_.begin(), points_.end(), x, [](const Point& point, double y) { return point.at < y; });
    if (next == points_.end()) {
      const Point& last = points_.back();
      return std::max(last.value, on_line(*std::prev(next, 2), last, x));
    }
    return on_line(*std::prev(next), *next, x);
  }

  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  bool operator==(const CostCurve&) const = default;

  /// Where the line through two points is at `x`; exactly `b.value` at b.
  [[nodiscard]] static double on_line(const Point& a, const Point& b, double x) {
    return b.value - (b.at - x) * ((b.value - a.value) / (b.at - a.at));
  }

 private:
  std::vector<Point> points_;
};

/// A function of the message size and of a second quantity (concurrent transfers, or a stride): a curve over the sizes
/// for each of some values of that, linear between them, and outside as CostCurve is.
class CostSurface {
 public:
  struct Row {
    double at = 0;
    CostCurve curve;
    bool operator==(const Row&) const = default;
  };

  CostSurface() = default;
  /// `rows` must ascend strictly.
  explicit CostSurface(std::vector<Row> rows) : rows_(std::move(rows)) {}

  /// O(log rows + log points), no allocation.
  [[nodiscard]] double at(double size, double second) const {
    if (rows_.size() < 2 || second <= rows_.front().at) {
      return rows_.empty() ? 0 : rows_.front().curve.at(size);
    }
    const auto next =
        std::lower_bound(rows_.begin(), rows_.end(), second, [](const Row& row, double y) { return row.at < y; });
    const bool beyond = next == rows_.end();
    const Row& upper = beyond ? rows_.back() : *next;
    const CostCurve::Point b{upper.at, upper.curve.at(size)};
    if (second == upper.at) {
      return b.value;
    }
    const Row& lower = *std::prev(next, beyond ? 2 : 1);
    const double value = CostCurve::on_line({lower.at, lower.curve.at(size)}, b, second);
    return beyond ? std::max(b.value, value) : value;
  }

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  bool operator==(const CostSurface&) const = default;

 private:
  std::vector<Row> rows_;
};

}  // namespace postage
