#pragma once

#include <postage/schedule/schedule.hpp>

#include <algorithm>
#include <cmath>

namespace postage {

/// `sum` after `value` has been added to it `times` times, one by one, each sum rounded: the same to the last bit.
/// Between two powers of two all sums grow by the same step, so that O(log(times)) steps are taken for value >= 0.
inline double added_repeatedly(double sum, double value, Index times) {
  if (times == 1 || value == 0) {
    return sum + value;
  }
  while (times > 0) {
    const double first = sum + value;
    const double second = first + value;
    const double third = second + value;
    const double step = third - second;
    const bool steady = times > 3 && value > 0 && sum >= 0 && second - first == step && step > 0 &&
                        std::isfinite(third) && std::ilogb(first) == std::ilogb(third);
    if (!steady) {
      sum = first;
      --times;
      continue;
    }
    const double end = std::ldexp(1.0, std::ilogb(third) + 1);
    const double room = std::max(std::floor((end - third) / step) - 1, 0.0);
    const auto more = static_cast<Index>(std::min(room, static_cast<double>(times - 3)));
    sum = third + static_cast<double>(more) * step;
    times -= 3 + more;
  }
  return sum;
}

}  // namespace postage
