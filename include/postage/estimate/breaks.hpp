#pragma once

#include <postage/platform/parameters.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace postage {

/// A value y at x, like a time at a size. A series is in order of x; the same x may come several times.
struct SeriesPoint {
  double x = 0;
  double y = 0;
};

/// What holds between two breaks: y = c, or y = c + s*x.
enum class Regression { kConstant, kLine };

/// Whether errors count in the unit of y, or as shares of y (then y must be above 0).
enum class ErrorScale { kAbsolute, kRelative };

/// Whether all segments scatter alike, so that breaks minimise the residual sum of squares as Bai and Perron's do, or
/// with a variance of its own: then they maximise the likelihood of normal errors, and a change of scatter is a break
/// as well.
enum class Scatter { kCommon, kOwn };

struct BreakSettings {
  Regression regression = Regression::kLine;
  ErrorScale errors = ErrorScale::kAbsolute;
  Scatter scatter = Scatter::kCommon;
  /// Fewest points between two breaks (h); more than the regression has parameters. By default 15 % of the series.
  std::optional<std::size_t> least_points;
  /// Most breaks to try, of those that fit. By default ceil(n/h) - 2 as in strucchange, but one wherever one fits.
  std::optional<std::size_t> most_breaks;
  /// Root mean square error that counts as none, in the unit of errors: series are not cut for less.
  double finest_scatter = 0;
};

/// The best segmentation of a series with a given number of breaks.
struct Segmentation {
  /// A break at b lies between points b-1 and b, counted from 0: b points come before it. Ascending.
  std::vector<std::size_t> breaks;
  double residual_square = 0;  ///< RSS, the sum of squared errors
  /// n (log(RSS/n) + log(2 pi) + 1) + (k+1)(m+1) log n: k coefficients in each of m+1 segments, m breaks, 1 variance.
  /// With scatter of their own, the sum of n_s log(RSS_s/n_s) over segments replaces the first term, and there are
  /// m more variances.
  double bic = 0;
};

struct StructuralBreaks {
  std::vector<Segmentation> by_count;  ///< [m]: with m breaks
  std::size_t chosen = 0;              ///< number of breaks with the least BIC
  std::size_t least_points = 0;        ///< h as used
  [[nodiscard]] const Segmentation& best() const { return by_count[chosen]; }
};

/// Multiple structural changes in a regression: for each number of breaks those that minimise the residual sum of
/// squares, over all segmentations with at least h points a segment, by dynamic programming; their number by the
/// Bayesian information criterion (J. Bai and P. Perron, Journal of Applied Econometrics 18(1), 2003). Conventions are
/// those of R's strucchange (A. Zeileis et al., Journal of Statistical Software 7(2), 2002). A series too short for two
/// segments has no break. The residual sums of all runs of points come from recursive residuals, each a sum of squares
/// that nothing is subtracted from: O(n^2) time and memory, and O(m n^2) time for m breaks.
/// Throws Error where there are no more points than coefficients, or a value is no number or not above 0 where that is
/// needed; UsageError where h is too small.
[[nodiscard]] StructuralBreaks find_breaks(std::span<const SeriesPoint> series, const BreakSettings& settings);

/// Where a break may lie as well, ends included: between point first-1 and first, up to between last-1 and last.
struct BreakInterval {
  std::size_t first = 0;
  std::size_t last = 0;
  bool operator==(const BreakInterval&) const = default;
};

/// Intervals of the breaks by the limiting distribution of the estimated break under shrinking shifts, with regressors
/// and error variances of their own on both sides (J. Bai, Review of Economics and Statistics 79(4), 1997). An interval
/// that cannot be told, as one side scatters too much more than the other, reaches over both segments; none
/// reaches further.
[[nodiscard]] std::vector<BreakInterval> break_intervals(std::span<const SeriesPoint> series,
                                                         const BreakSettings& settings,
                                                         std::span<const std::size_t> breaks, double confidence = 0.95);

/// y = value_at_origin + slope*(x - origin), fitted to one run of points.
struct FittedLine {
  double origin = 0;  ///< x of the run's first point
  Estimate value_at_origin;
  Estimate slope;  ///< exactly 0 where the regression is a constant or all x are the same
  double residual_square = 0;
  [[nodiscard]] double at(double x) const { return value_at_origin.value + slope.value * (x - origin); }
};

/// Least squares of one run, with two-sided intervals by Student's t; unbounded where no degree of freedom is left.
/// Requires at least one point.
[[nodiscard]] FittedLine fit_run(std::span<const SeriesPoint> run, const BreakSettings& settings,
                                 double confidence = 0.95);

}  // namespace postage
