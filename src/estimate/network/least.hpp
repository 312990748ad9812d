#pragma once

#include <cmath>
#include <limits>

namespace postage {

/// The least value of a function near its least on a grid.
struct Least {
  double at = 0;
  double value = 0;
};

/// Between two places, around one between them that is known, by the golden section; of equals the lowest.
/// `function(x, bound)` may stop at any value above the bound, which gives x up.
template <typename Function>
[[nodiscard]] Least narrow(double low, Least best, double high, const Function& function) {
  constexpr int kGoldenSteps = 13;
  const double share = (3 - std::sqrt(5.0)) / 2;
  for (int i = 0; i < kGoldenSteps; ++i) {
    const bool is_above = high - best.at > best.at - low;
    const double at = best.at + share * ((is_above ? high : low) - best.at);
    const double value = function(at, best.value);
    if (value < best.value || (value == best.value && at < best.at)) {
      (is_above ? low : high) = best.at;
      best = {at, value};
    } else {
      (is_above ? high : low) = at;
    }
  }
  return best;
}

/// On a grid over [low, high], then around the best there, or around `known` where that is better.
template <typename Function>
[[nodiscard]] Least search(double low, double high, int steps, const Function& function, const Least& known) {
  const double step = (high - low) / steps;
  Least best = known;
  for (int i = 0; i <= steps; ++i) {
    const double value = function(low + i * step, best.value);
    if (value < best.value) {
      best = {low + i * step, value};
    }
  }
  return narrow(best.at - step, best, best.at + step, function);
}

template <typename Function>
[[nodiscard]] Least search(double low, double high, int steps, const Function& function) {
  return search(low, high, steps, function, {low, std::numeric_limits<double>::infinity()});
}

}  // namespace postage
