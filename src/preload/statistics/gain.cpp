#include "preload/statistics/gain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace postage::preload {
namespace {

constexpr double kConfidence = 0.95;
/// Of Student's t at 97.5 % for two to five values: student_t_quantile would make the library, which is loaded into
/// other people's programs, larger by 90 kB.
constexpr std::array kStudents{12.706204736432095, 4.302652729911275, 3.182446305284263, 2.776445105197793};

double square(double value) {
  return value * value;
}

/// Of two to five.
Interval interval_of_few(std::span<const Seconds> seconds) {
  const auto count = static_cast<double>(seconds.size());
  const double half = kStudents.at(seconds.size() - 2) * std::sqrt(postage::variance(seconds) / count);
  const double centre = postage::mean(seconds);
  return {std::max(centre - half, 0.0), centre + half};
}

}  // namespace

std::optional<TypicalTime> typical_time(std::span<const Seconds> seconds) {
  if (seconds.size() < 2) {
    return std::nullopt;
  }
  const Seconds typical = postage::median(seconds);
  const bool are_few = seconds.size() < kStudents.size() + 2;
  const Interval interval = are_few ? interval_of_few(seconds) : order_median_interval(seconds, kConfidence);
  return TypicalTime{typical, {std::min(interval.lower, typical), std::max(interval.upper, typical)}};
}

Interval Gain::interval() const {
  return {all_ - std::sqrt(below_), all_ + std::sqrt(above_)};
}

void Gain::add_replaced(double calls, const TypicalTime& librarys, const TypicalTime& ours, bool are_probes) {
  const Seconds gained = calls * (librarys.median - ours.median);
  all_ += gained;
  probes_ += are_probes ? gained : 0;
  calls_ += calls;
  below_ += square(calls * (ours.interval.upper - ours.median));
  above_ += square(calls * (ours.median - ours.interval.lower));
}

void Gain::add_uncertainty_of(const TypicalTime& librarys) {
  below_ += square(calls_ * (librarys.median - librarys.interval.lower));
  above_ += square(calls_ * (librarys.interval.upper - librarys.median));
}

void Gain::add(const Gain& other) {
  all_ += other.all_;
  probes_ += other.probes_;
  calls_ += other.calls_;
  below_ += other.below_;
  above_ += other.above_;
}

}  // namespace postage::preload
