#include <postage/samples/pair_structure.hpp>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// Half an interval of 95 % is so many standard deviations.
constexpr double kDeviations = 1.96;
/// Times of nothing are known to this time.
constexpr Seconds kLeastTime = 1e-11;
constexpr double kMostOfOne = 9;
/// Exact times are known to this share of them: what a step along a network takes and what two processors do can differ
/// by a thousandth of a message.
constexpr double kExactShare = 2e-4;
constexpr double kIsExact = 1e-6;
/// Half the interval, as a share of it, of a probe that has none: of one or two repetitions.
constexpr double kUnknownNoise = 0.4;

double square_of_difference(const Estimate& a, const Estimate& b, double least_share) {
  const double noise = std::hypot(a.upper - a.lower, b.upper - b.lower) / 2;
  const double least = std::max(least_share * std::max(std::abs(a.value), std::abs(b.value)), kLeastTime);
  const double deviation = std::max(noise, least) / kDeviations;
  const double difference = (a.value - b.value) / deviation;
  return std::isfinite(difference) ? std::min(difference * difference, kMostOfOne) : 0;
}

bool is_exact(const Estimate& e) {
  return e.upper - e.lower <= kIsExact * std::abs(e.value);
}

Estimate with_interval(const Estimate& probe) {
  if (std::isfinite(probe.upper - probe.lower)) {
    return probe;
  }
  const double half = kUnknownNoise * std::abs(probe.value);
  return {probe.value, probe.value - half, probe.value + half};
}

}  // namespace

bool are_alike(std::span<const std::pair<Estimate, Estimate>> times, double least_share) {
  if (times.empty()) {
    return true;
  }
  constexpr double kUnlikely = 3;
  const auto count = static_cast<double>(times.size());
  double sum = 0;
  for (const auto& [a, b] : times) {
    sum += square_of_difference(a, b, least_share);
  }
  return sum <= count + kUnlikely * std::sqrt(2 * count) + std::log(count);
}

bool are_alike(const std::vector<Estimate>& a, const std::vector<Estimate>& b, double least_share) {
  std::vector<std::pair<Estimate, Estimate>> both;
  bool exact = true;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    both.emplace_back(with_interval(a[i]), with_interval(b[i]));
    exact = exact && is_exact(a[i]) && is_exact(b[i]);
  }
  return are_alike(both, exact ? kExactShare : least_share);
}

}  // namespace postage
