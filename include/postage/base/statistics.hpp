#pragma once

#include <cstddef>
#include <cstdint>
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

/// Two-sided interval of the mean by Student's t. The whole line for fewer than two values.
[[nodiscard]] Interval mean_interval(std::span<const double> sample, double confidence);

/// Two-sided interval of the median by the percentile bootstrap with `resamples` resamples drawn from a generator
/// seeded with `seed`: the same input gives the same interval. The whole line for fewer than two values.
[[nodiscard]] Interval bootstrap_median_interval(std::span<const double> sample, double confidence,
                                                 std::size_t resamples = 1000, std::uint64_t seed = 1);

/// Two-sided distribution-free interval of the median from the order statistics whose binomial coverage is at least
/// `confidence`. The whole line where no pair of order statistics reaches it (fewer than 6 values at 95 %).
[[nodiscard]] Interval order_median_interval(std::span<const double> sample, double confidence);

/// What a repeated measurement gave.
struct Summary {
  std::size_t count = 0;
  double median = 0;
  double mean = 0;
  double standard_deviation = 0;
  double minimum = 0;
  double maximum = 0;
  /// Interval of the median, at the confidence asked for.
  Interval median_interval{};
  /// Values further than 5 scaled median absolute deviations from the median: reported, never dropped.
  std::size_t outliers = 0;
};

[[nodiscard]] Summary summarise(std::span<const double> sample, double confidence);

}  // namespace postage
