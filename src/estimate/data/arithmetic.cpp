#include <postage/base/statistics.hpp>
#include <postage/estimate/arithmetic.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace postage {

Estimate plus(const Estimate& a, const Estimate& b) {
  const double value = a.value + b.value;
  return {value, value - std::hypot(a.value - a.lower, b.value - b.lower),
          value + std::hypot(a.upper - a.value, b.upper - b.value)};
}

Estimate minus(const Estimate& a, const Estimate& b) {
  return plus(a, {-b.value, -b.upper, -b.lower});
}

Estimate scaled(const Estimate& e, double factor) {
  return {e.value * factor, e.lower * factor, e.upper * factor};
}

Estimate at_least_zero(const Estimate& e) {
  return {std::max(e.value, 0.0), std::max(e.lower, 0.0), std::max(e.upper, 0.0)};
}

Estimate estimate_of(const Measurement& m, double factor) {
  return {m.summary.median * factor, m.summary.median_interval.lower * factor,
          m.summary.median_interval.upper * factor};
}

Estimate median_estimate(const std::vector<Estimate>& estimates) {
  std::array<std::vector<double>, 3> ends;
  for (const Estimate& e : estimates) {
    ends[0].push_back(e.value);
    ends[1].push_back(e.lower);
    ends[2].push_back(e.upper);
  }
  return {median(ends[0]), median(ends[1]), median(ends[2])};
}

Estimate minus_at_worst(const Estimate& a, const Estimate& b) {
  return {a.value - b.value, a.lower - b.upper, a.upper - b.lower};
}

Estimate plus_at_worst(const Estimate& a, const Estimate& b) {
  return {a.value + b.value, a.lower + b.lower, a.upper + b.upper};
}

bool has_interval(const Estimate& estimate) {
  return std::isfinite(estimate.lower) && std::isfinite(estimate.upper);
}

}  // namespace postage
