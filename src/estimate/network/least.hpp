#pragma once

#include <cmath>

namespace postage {

/// The least value of a function near its least on a grid.
struct Least {
  double at = 0;
  double value = 0;
};

/// By the golden section.
template <typename Function>
[[nodiscard]] Least narrow(double low, double high, const Function& function) {
  constexpr int kGoldenSteps = 12;
  const double share = (std::sqrt(5.0) - 1) / 2;
  double left = high - share * (high - low);
  double right = low + share * (high - low);
  double at_left = function(left);
  double at_right = function(right);
  for (int i = 0; i < kGoldenSteps; ++i) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - share * (high - low);
      at_left = function(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + share * (high - low);
      at_right = function(right);
    }
  }
  return at_left <= at_right ? Least{left, at_left} : Least{right, at_right};
}

/// On a grid over [low, high], then around the best there.
template <typename Function>
[[nodiscard]] Least search(double low, double high, int steps, const Function& function) {
  const double step = (high - low) / steps;
  Least best{low, function(low)};
  for (int i = 1; i <= steps; ++i) {
    const double value = function(low + i * step);
    if (value < best.value) {
      best = {low + i * step, value};
    }
  }
  const Least finer = narrow(best.at - step, best.at + step, function);
  return finer.value < best.value ? finer : best;
}

}  // namespace postage
