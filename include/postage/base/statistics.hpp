#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace postage {

/// A closed interval around an estimate, in the estimate's unit.
struct Interval {
  double lower = 0;
  double upper = 0;

  [[nodiscard]] bool contains(double value) const { return lower <= value && value <= upper; }
  /// Half the width over |centre|, the figure that a precision of "2.5 %" bounds; infinity around a centre of 0.
  [[nodiscard]] double relative_half_width(double centre) const;
  bool operator==(const Interval&) const = default;
};

/// Arithmetic mean, by a running update that does not overflow. Requires a non-empty sample.
[[nodiscard]] double mean(std::span<const double> sample);

/// Unbiased variance by Welford's recurrence: no cancellation when the spread is small beside the mean (B. P. Welford,
/// Technometrics 4(3), 1962). 0 for fewer than two values.
[[nodiscard]] double variance(std::span<const double> sample);

/// Linear interpolation between order statistics (Hyndman and Fan's type 7, R's default). `probability` in [0, 1];
/// requires a non-empty sample, in any order.
[[nodiscard]] double quantile(std::span<const double> sample, double probability);

[[nodiscard]] double median(std::span<const double> sample);

/// Median absolute deviation from the median, not scaled.
[[nodiscard]] double median_absolute_deviation(std::span<const double> sample);

/// The x with P(T <= x) = probability for Student's t with `degrees` degrees of freedom, to 1e-12 relative.
[[nodiscard]] double student_t_quantile(double probability, double degrees);

/// Two-sided distribution-free interval of the median from the order statistics whose binomial coverage is at least
/// `confidence`. The whole line where no pair of order statistics reaches it (fewer than 6 values at 95 %).
[[nodiscard]] Interval order_median_interval(std::span<const double> sample, double confidence);

/// True where positive times of one thing, each with another chance, say their median well enough: three and more that
/// differ by at most 0.1 % of the least, and `apart` where that is no more than 4 % of it, or so many that the median's
/// order_median_interval at 95 % is not wider than 4 % of it.
[[nodiscard]] bool is_median_settled(std::span<const double> times, double apart);

/// P(X > x) for X chi-squared with `degrees` degrees of freedom.
[[nodiscard]] double chi_squared_tail(double x, double degrees);

/// Kruskal and Wallis' test of whether samples come from one distribution, by ranks with ties corrected (JASA 47(260),
/// 1952): the probability of groups that differ as much as these if they do. 1 for fewer than two groups, or where all
/// values are the same. O(n log n).
[[nodiscard]] double kruskal_wallis(std::span<const std::vector<double>> groups);

/// The dip of a sample: the largest difference between its distribution function and that of the closest unimodal
/// distribution (J. A. Hartigan, P. M. Hartigan, Annals of Statistics 13(1), 1985). Between 1/(2n) and 1/4. Requires a
/// non-empty sample. O(n log n), and O(n) for each narrowing of the modal interval, of which there are few.
[[nodiscard]] double dip(std::span<const double> sample);

/// A dip that no more than 1 % of samples of `count` values from a uniform distribution exceed. The uniform one is the
/// worst case among unimodal distributions for large samples, so unimodal data exceed it no more often. Infinity for
/// fewer than 8 values, which say nothing.
[[nodiscard]] double critical_dip(std::size_t count);

/// One of several values that a measurement jumps between.
struct Mode {
  double centre = 0;  ///< median of the values around it
  double share = 0;   ///< of all values
  bool operator==(const Mode&) const = default;
};

/// The two modes of a bimodal sample, lower one first, or nothing. Bimodal is a sample whose dip is critical, and that,
/// cut in two where the parts are tightest, has at least 5 % of the values on either side (less is outliers) and
/// centres further apart than `least_separation` times their mean. Readings of a clock are spread over its tick first,
/// `resolution`, or the least difference between two values if that is larger, since ticks are no modes. So at most 1 %
/// of unimodal samples are taken for bimodal. Values must be positive.
[[nodiscard]] std::vector<Mode> find_modes(std::span<const double> sample, double least_separation = 0.025,
                                           double resolution = 0);

/// What a repeated measurement gave.
struct Summary {
  std::size_t count = 0;
  double median = 0;
  double mean = 0;
  double standard_deviation = 0;
  double minimum = 0;
  double maximum = 0;
  /// Interval of the median, at the confidence asked for, from order statistics. Where the passes differ it also spans
  /// that of the passes' medians, or all of these if they are too few for one. Where all values agree but for rounding,
  /// as simulated ones do, it spans them however few they are.
  Interval median_interval{};
  /// Values further than 5 scaled median absolute deviations from the median: reported, never dropped.
  std::size_t outliers = 0;
  /// False where the passes differ by more than chance (Kruskal and Wallis, at 1 %): the machine changed meanwhile.
  bool steady = true;
  /// Not empty where the values jump between two modes; then the median says little.
  std::vector<Mode> modes{};
  bool operator==(const Summary&) const = default;
};

/// Interval of the median of all values of a measurement that was made in several passes: see Summary. O(n log n).
[[nodiscard]] Interval median_interval(std::span<const std::vector<double>> passes, double confidence);

/// `passes` are the values of one measurement, made at different times, each no finer than `resolution`. Requires at
/// least one value for anything but the count.
[[nodiscard]] Summary summarise(std::span<const std::vector<double>> passes, double confidence, double resolution = 0);

}  // namespace postage
