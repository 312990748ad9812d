#pragma once

#include <postage/platform/parameters.hpp>
#include <postage/samples/samples.hpp>

#include <vector>

namespace postage {

/// Scales value and interval.
[[nodiscard]] Estimate scaled(const Estimate& e, double factor);
/// Sum and difference of two estimates whose errors are independent, as those of different experiments: half widths add
/// like standard deviations. Where errors may be shared, plus_at_worst and minus_at_worst.
[[nodiscard]] Estimate plus(const Estimate& a, const Estimate& b);
[[nodiscard]] Estimate minus(const Estimate& a, const Estimate& b);
[[nodiscard]] Estimate at_least_zero(const Estimate& e);
/// The measurement's median and its interval, times `factor`.
[[nodiscard]] Estimate estimate_of(const Measurement& measurement, double factor = 1);
/// Medians of the values, of the lower and of the upper ends. Requires at least one.
[[nodiscard]] Estimate median_estimate(const std::vector<Estimate>& estimates);

/// a - b and a + b, with intervals that hold whatever of theirs the two take: for times that share their errors, like
/// two points of one curve. Those of different experiments err independently: plus and minus.
[[nodiscard]] Estimate minus_at_worst(const Estimate& a, const Estimate& b);
[[nodiscard]] Estimate plus_at_worst(const Estimate& a, const Estimate& b);

/// False for a time that was repeated too little for an interval.
[[nodiscard]] bool has_interval(const Estimate& estimate);

}  // namespace postage
