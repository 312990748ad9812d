#include "estimate/data/repeated_times.hpp"

namespace postage {

void collect(AllBySize& all, const TimesBySize& times) {
  for (const auto& [bytes, time] : times) {
    all[bytes].push_back(time);
  }
}

TimesBySize medians(const AllBySize& all) {
  TimesBySize times;
  for (const auto& [bytes, estimates] : all) {
    times[bytes] = median_estimate(estimates);
  }
  return times;
}

TimesBySize means(const AllBySize& all) {
  TimesBySize times;
  for (const auto& [bytes, estimates] : all) {
    Estimate sum;
    for (const Estimate& estimate : estimates) {
      sum = plus(sum, estimate);
    }
    times[bytes] = scaled(sum, 1.0 / static_cast<double>(estimates.size()));
  }
  return times;
}

}  // namespace postage
