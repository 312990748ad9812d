#include "estimate/flow/outcast.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace postage {
namespace {

/// Until the halves are as fine as numbers are.
constexpr int kHalvings = 60;
constexpr Seconds kNever = std::numeric_limits<Seconds>::infinity();

}  // namespace

Seconds Outcast::mean_end(double shared_per_byte) const {
  std::vector<double> left(static_cast<std::size_t>(flows), bytes);
  std::size_t first = 0;  // that has not ended; they end in the order in which they began
  std::size_t begun = 0;
  Seconds now = 0;
  Seconds sum = 0;
  while (first < left.size()) {
    const Seconds next = begun < left.size() ? static_cast<double>(begun) * apart : kNever;
    const double slowness = std::max(per_byte, static_cast<double>(begun - first) * shared_per_byte);
    const Seconds end = begun > first ? now + left[first] * slowness : kNever;
    const Seconds until = std::min(next, end);
    for (std::size_t i = first; i < begun; ++i) {
      left[i] -= (until - now) / slowness;
    }
    now = until;
    if (next <= end) {
      ++begun;
    } else {
      ++first;
      sum += now;
    }
  }
  return sum / flows;
}

double Outcast::shared_per_byte(Seconds seen) const {
  double low = per_byte / flows;
  double high = (seen + flows * apart) / bytes;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (mean_end(middle) < seen ? low : high) = middle;
  }
  return high;
}

}  // namespace postage
