#include "estimate/regression/segmentations.hpp"
#include "estimate/regression/two_columns.hpp"

#include <postage/base/statistics.hpp>
#include <postage/estimate/estimate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Points = std::span<const CurvePoint>;

double value_at(double intercept, double slope, Bytes bytes) {
  return intercept + slope * static_cast<double>(bytes);
}

double residual_square(Points points, double intercept, double slope) {
  double sum = 0;
  for (const CurvePoint& point : points) {
    const double error = value_at(intercept, slope, point.bytes) / point.seconds - 1;
    sum += error * error;
  }
  return sum;
}

/// Rows (1, bytes)/seconds of the relative least squares problem, whose right-hand side is all ones.
Eigen::MatrixX2d design(Points points) {
  Eigen::MatrixX2d rows(static_cast<Eigen::Index>(points.size()), 2);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const CurvePoint& point = points[static_cast<std::size_t>(i)];
    rows(i, 0) = 1 / point.seconds;
    rows(i, 1) = static_cast<double>(point.bytes) / point.seconds;
  }
  return rows;
}

/// Best multiple of one column: the fit with the other parameter held at zero.
double fit_column(const Eigen::VectorXd& column) {
  const double square = column.squaredNorm();
  return square > 0 ? column.sum() / square : 0;
}

Eigen::Vector2d fit_parameters(const Eigen::MatrixX2d& rows) {
  const Eigen::VectorXd sizes = rows.col(1).cwiseQuotient(rows.col(0));
  if (sizes.maxCoeff() == sizes.minCoeff()) {
    return {fit_column(rows.col(0)), 0};  // one size says nothing of a slope
  }
  const Eigen::Vector2d both = least_squares(rows, Eigen::VectorXd::Ones(rows.rows()));
  if (both(0) < 0) {
    return {0, fit_column(rows.col(1))};
  }
  return both(1) < 0 ? Eigen::Vector2d{fit_column(rows.col(0)), 0} : both;
}

Estimate with_interval(double value, double standard_error, double degrees) {
  if (degrees < 1) {
    return {value, -kInfinity, kInfinity};
  }
  const double half = student_t_quantile(0.975, degrees) * standard_error;
  return {value, value - half, value + half};
}

}  // namespace

LinePiece fit_line(Points points) {
  const Eigen::MatrixX2d rows = design(points);
  const Eigen::Vector2d best = fit_parameters(rows);
  const double degrees = static_cast<double>(points.size()) - 2;
  Eigen::Vector2d error = Eigen::Vector2d::Zero();
  if (degrees >= 1) {
    // Columns differ by many orders of magnitude; scaled to unit length the inverse keeps its digits.
    const Eigen::Vector2d scale = rows.colwise().norm().cwiseMax(std::numeric_limits<double>::min());
    const Eigen::Matrix2d gram = rows.transpose().lazyProduct(rows).cwiseQuotient(scale * scale.transpose());
    const double spread = residual_square(points, best(0), best(1)) / degrees;
    const Eigen::Vector2d diagonal = pseudo_inverse(gram).diagonal();
    error = (spread * diagonal).cwiseMax(0).cwiseSqrt().cwiseQuotient(scale);
  }
  return {points.front().bytes, with_interval(best(0), error(0), degrees), with_interval(best(1), error(1), degrees)};
}

namespace {

/// Residuals of the best line through every run of points, by first and last point.
class RunCosts {
 public:
  explicit RunCosts(Points points) : count_(points.size()), costs_(count_ * count_, kInfinity) {
    for (std::size_t first = 0; first < count_; ++first) {
      for (std::size_t last = first; last < count_; ++last) {
        if (last + 1 - first >= std::min(kPointsPerPiece, count_)) {
          const Points run = points.subspan(first, last + 1 - first);
          const Eigen::Vector2d line = fit_parameters(design(run));
          costs_[first * count_ + last] = residual_square(run, line(0), line(1));
        }
      }
    }
  }
  [[nodiscard]] double of(std::size_t first, std::size_t last) const { return costs_[first * count_ + last]; }

 private:
  std::size_t count_;
  std::vector<double> costs_;
};

/// n log(RSS/n) + parameters * log n: two parameters a line, and the position of each cut.
double information_criterion(double residual, std::size_t pieces, std::size_t count, double finest_scatter) {
  const auto n = static_cast<double>(count);
  const double scatter = std::max(residual / n, finest_scatter * finest_scatter);
  return n * std::log(scatter) + (3 * static_cast<double>(pieces) - 1) * std::log(n);
}

/// Where the next line takes over, after the last point of one and not after the first of the other: where they cross
/// if they do. Else they jump, as protocols do at limits that are powers of two or a header less, like the sizes that
/// are usually measured: so at the first point of the other.
Bytes takeover(const LinePiece& before, const LinePiece& after, Bytes last, Bytes first) {
  const double crossing = (before.intercept.value - after.intercept.value) / (after.slope.value - before.slope.value);
  const bool crosses = crossing > static_cast<double>(last) && crossing <= static_cast<double>(first);
  return crosses ? static_cast<Bytes>(std::ceil(crossing)) : first;
}

}  // namespace

std::vector<LinePiece> fit_pieces(Points points, double finest_scatter) {
  const std::size_t count = points.size();
  const std::size_t most_pieces = std::max<std::size_t>(count / kPointsPerPiece, 1);
  const RunCosts costs(points);
  const Segmentations best(count, std::min(kPointsPerPiece, count), most_pieces,
                           [&](std::size_t first, std::size_t end) { return costs.of(first, end - 1); });
  std::size_t pieces = 1;
  for (std::size_t candidate = 2; candidate <= most_pieces; ++candidate) {
    if (information_criterion(best.cost(candidate), candidate, count, finest_scatter) <
        information_criterion(best.cost(pieces), pieces, count, finest_scatter)) {
      pieces = candidate;
    }
  }
  std::vector<LinePiece> lines;
  std::vector<Bytes> last_of;
  std::size_t begin = 0;
  std::vector<std::size_t> ends = best.cuts(pieces);
  ends.push_back(count);
  for (const std::size_t end : ends) {
    lines.push_back(fit_line(points.subspan(begin, end - begin)));
    last_of.push_back(points[end - 1].bytes);
    begin = end;
  }
  for (std::size_t i = pieces - 1; i > 0; --i) {
    lines[i].from_bytes = takeover(lines[i - 1], lines[i], last_of[i - 1], lines[i].from_bytes);
  }
  lines.front().from_bytes = 0;
  return lines;
}

}  // namespace postage
