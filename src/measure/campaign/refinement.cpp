#include "measure/campaign/refinement.hpp"

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

constexpr double kLeap = 10;
constexpr Bytes kLeastDistance = 32;
constexpr double kStep = 1.3;

bool is_missed(const SizedTime& a, const SizedTime& b, const SizedTime& c) {
  const double step = static_cast<double>(c.bytes - b.bytes) / static_cast<double>(b.bytes - a.bytes);
  const double miss = std::abs(c.time - (b.time + step * (b.time - a.time)));
  const double doubt = c.half_width + (1 + step) * b.half_width + step * a.half_width;
  return miss > kMissed * c.time && miss > doubt;
}

bool are_apart(Bytes low, Bytes high) {
  const double least = std::max(static_cast<double>(kLeastDistance), kClosest * static_cast<double>(high));
  return static_cast<double>(high - low) > least;
}

bool differ(const SizedTime& low, const SizedTime& high, double times) {
  return std::max(low.time, high.time) > times * std::min(low.time, high.time);
}

bool is_step(const SizedTime& low, const SizedTime& high) {
  return !are_apart(low.bytes, high.bytes) && differ(low, high, kStep) &&
         std::abs(high.time - low.time) > low.half_width + high.half_width;
}

}  // namespace

std::optional<Bytes> next_size(std::span<const SizedTime> points, Refine rule) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const SizedTime& low = points[i - 1];
    const SizedTime& high = points[i];
    const bool misses = rule == Refine::kWhereExtrapolationMisses && i > 1 && are_apart(low.bytes, high.bytes) &&
                        is_missed(points[i - 2], low, high);
    const bool leaps = rule == Refine::kWhereItLeaps && differ(low, high, kLeap);
    const bool steps = rule == Refine::kWhereItSteps && is_step(low, high);
    if (misses || ((leaps || steps) && high.bytes > low.bytes + 1)) {
      return low.bytes + (high.bytes - low.bytes) / 2;
    }
  }
  return std::nullopt;
}

}  // namespace postage
