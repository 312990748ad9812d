#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace postage {
namespace {

constexpr Interval kWholeLine{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

std::vector<double> sorted(std::span<const double> sample) {
  std::vector<double> values(sample.begin(), sample.end());
  std::sort(values.begin(), values.end());
  return values;
}

double quantile_of_sorted(std::span<const double> values, double probability) {
  const double position = probability * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const double weight = position - static_cast<double>(below);
  // The interpolation's other end would be read past the largest value.
  return weight == 0 ? values[below] : values[below] + weight * (values[below + 1] - values[below]);
}

/// Median by partial sorting; reorders `values`.
double median_in_place(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) {
    return *middle;
  }
  const double below = *std::max_element(values.begin(), middle);
  return std::midpoint(below, *middle);  // also of values without end
}

/// Differences between passes less likely than this are taken for real.
constexpr double kSignificance = 0.01;

/// Modes closer than this are within the usual precision.
constexpr double kLeastSeparation = 0.025;

/// Simulated times of the same thing differ by rounding alone.
constexpr double kRounding = 1e-9;

std::vector<double> joined(std::span<const std::vector<double>> passes) {
  std::vector<double> sample;
  for (const std::vector<double>& pass : passes) {
    sample.insert(sample.end(), pass.begin(), pass.end());
  }
  return sample;
}

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

/// What the medians of passes that differ say of the median: their interval, or their range where there is none.
Interval interval_of_passes(std::span<const std::vector<double>> passes, double confidence) {
  std::vector<double> medians;
  for (const std::vector<double>& pass : passes) {
    if (!pass.empty()) {
      medians.push_back(median(pass));
    }
  }
  const Interval interval = order_median_interval(medians, confidence);
  const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
  return std::isfinite(interval.lower) ? interval : Interval{*least, *most};
}

std::size_t count_outliers(std::span<const double> sample, double centre) {
  // 1.4826 scales the deviation to a normal distribution's standard deviation. Simulated times differ by rounding
  // alone.
  constexpr double rounding = 1e-9;
  const double limit = std::max(5 * 1.4826 * median_absolute_deviation(sample), rounding * std::abs(centre));
  return static_cast<std::size_t>(
      std::count_if(sample.begin(), sample.end(), [&](double value) { return std::abs(value - centre) > limit; }));
}

}  // namespace

double Interval::relative_half_width(double centre) const {
  return centre == 0 ? std::numeric_limits<double>::infinity() : (upper - lower) / 2 / std::abs(centre);
}

double mean(std::span<const double> sample) {
  double average = 0;
  double count = 0;
  for (const double value : sample) {
    average += (value - average) / ++count;
  }
  return average;
}

double variance(std::span<const double> sample) {
  if (sample.size() < 2) {
    return 0;
  }
  double average = 0;
  double squares = 0;
  double count = 0;
  for (const double value : sample) {
    const double before = value - average;
    average += before / ++count;
    squares += before * (value - average);
  }
  return squares / (count - 1);
}

double quantile(std::span<const double> sample, double probability) {
  return quantile_of_sorted(sorted(sample), probability);
}

double median(std::span<const double> sample) {
  std::vector<double> values(sample.begin(), sample.end());
  return median_in_place(values);
}

double median_absolute_deviation(std::span<const double> sample) {
  const double centre = median(sample);
  std::vector<double> distances;
  distances.reserve(sample.size());
  for (const double value : sample) {
    distances.push_back(std::abs(value - centre));
  }
  return median_in_place(distances);
}

Interval order_median_interval(std::span<const double> sample, double confidence) {
  const std::size_t count = sample.size();
  // P(fewer than k of the values lie below the median) for a fair coin, summed up from k = 0.
  const auto n = static_cast<double>(count);
  double below = 0;
  std::size_t rank = 0;
  for (; rank < count / 2; ++rank) {
    const auto k = static_cast<double>(rank);
    const double term = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0));
    if (2 * (below + term) > 1 - confidence) {
      break;
    }
    below += term;
  }
  if (rank == 0) {
    return kWholeLine;
  }
  const std::vector<double> values = sorted(sample);
  return {values[rank - 1], values[count - rank]};
}

bool is_median_settled(std::span<const double> times, double apart) {
  constexpr std::size_t kFewest = 3;
  constexpr double kSteady = 1e-3;
  constexpr double kWidth = 0.04;
  if (times.size() < kFewest) {
    return false;
  }
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  const double together = apart <= kWidth * *least ? apart : 0;
  if (*most - *least <= together + kSteady * *least) {
    return true;
  }
  const Interval interval = order_median_interval(times, 0.95);
  return interval.upper - interval.lower <= kWidth * median(times);
}

Interval median_interval(std::span<const std::vector<double>> passes, double confidence) {
  const std::vector<double> sample = joined(passes);
  if (sample.empty()) {
    return kWholeLine;
  }
  const auto [least, most] = std::minmax_element(sample.begin(), sample.end());
  if (sample.size() > 1 && *most - *least <= kRounding * std::abs(*most)) {
    return {*least, *most};
  }
  const Interval interval = order_median_interval(sample, confidence);
  return kruskal_wallis(passes) >= kSignificance ? interval : hull(interval, interval_of_passes(passes, confidence));
}

Summary summarise(std::span<const std::vector<double>> passes, double confidence, double resolution) {
  const std::vector<double> sample = joined(passes);
  Summary summary{.count = sample.size()};
  if (sample.empty()) {
    return summary;
  }
  const auto [least, most] = std::minmax_element(sample.begin(), sample.end());
  summary.median = median(sample);
  summary.mean = mean(sample);
  summary.standard_deviation = std::sqrt(variance(sample));
  summary.minimum = *least;
  summary.maximum = *most;
  summary.steady = kruskal_wallis(passes) >= kSignificance;
  summary.median_interval = median_interval(passes, confidence);
  summary.outliers = count_outliers(sample, summary.median);
  summary.modes = find_modes(sample, kLeastSeparation, resolution);
  return summary;
}

}  // namespace postage
