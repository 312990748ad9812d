#include "estimate/rounding.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace postage {
namespace {

constexpr int kValueDigits = 9;
constexpr int kBoundDigits = 6;
/// Seconds, or seconds a byte, that are left of a difference which is none.
constexpr double kNothing = 1e-16;

double rounded(double number, int digits) {
  if (std::abs(number) < kNothing) {
    return 0;
  }
  if (!std::isfinite(number) || number == std::trunc(number)) {
    return number;
  }
  char text[32];
  const auto written = std::to_chars(text, text + sizeof text, number, std::chars_format::scientific, digits - 1);
  double read = number;
  std::from_chars(text, written.ptr, read);
  return read;
}

void round_estimate(Estimate& e) {
  const double value = rounded(e.value, kValueDigits);
  const auto bound = [&](double end) {
    return rounded(end, kValueDigits) == value ? value : rounded(end, kBoundDigits);
  };
  // An end that lay on one side of the value does not come to lie on the other one.
  const double lower = e.lower <= e.value ? std::min(bound(e.lower), value) : bound(e.lower);
  const double upper = e.upper >= e.value ? std::max(bound(e.upper), value) : bound(e.upper);
  e = {value, lower, upper};
}

void round_curve(ParameterCurve& curve) {
  for (ParameterPoint& point : curve) {
    round_estimate(point.estimate);
  }
}

void round_group(ParameterGroup& group) {
  for (auto& [symbol, estimate] : group.values) {
    round_estimate(estimate);
  }
  for (auto& [symbol, curve] : group.curves) {
    round_curve(curve);
  }
  for (auto& [symbol, surface] : group.surfaces) {
    for (ParameterRow& row : surface) {
      round_curve(row.curve);
    }
  }
}

}  // namespace

void round_estimates(Platform& platform) {
  for (ParameterTable& table : platform.models) {
    std::for_each(table.groups.begin(), table.groups.end(), round_group);
  }
  for (MeasuredPoint& point : platform.points) {
    round_estimate(point.one_way);
  }
}

}  // namespace postage
