#pragma once

#include <postage/measure/samples.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace postage {

/// Decides when one experiment has been repeated often enough: the interval of the median is within the precision, or
/// its share of the budget or the repetitions are used up. The interval is the one from order statistics: cheap, and
/// without assumptions on how times are distributed.
class Repetition {
 public:
  Repetition(const MeasureSettings& settings, Seconds allowance) : settings_(settings), allowance_(allowance) {}

  void add(Seconds value) {
    values_.push_back(value);
    spent_ += value;
  }

  [[nodiscard]] bool precise() const {
    return order_median_interval(values_, settings_.confidence).relative_half_width(median(values_)) <=
           settings_.precision;
  }

  /// How many further repetitions to make before looking again; 0 ends the experiment. Grows with what was made, so
  /// that looking costs O(n log n) in total.
  [[nodiscard]] std::int32_t next_batch() const {
    const auto made = static_cast<std::int32_t>(values_.size());
    if (made < settings_.least_repetitions) {
      return settings_.least_repetitions - made;
    }
    if (made >= settings_.most_repetitions || spent_ >= allowance_ || precise()) {
      return 0;
    }
    const double average = spent_ / made;
    const double affordable = std::min((allowance_ - spent_) / std::max(average, 1e-12), 1e9);
    return std::clamp(std::min(made / 2, static_cast<std::int32_t>(affordable)), 1, settings_.most_repetitions - made);
  }

  [[nodiscard]] Measurement measurement(const Experiment& experiment) const {
    return {.experiment = experiment,
            .summary = summarise(std::vector<std::vector<double>>{values_}, settings_.confidence),
            .precise = precise(),
            .values = settings_.keep_values ? values_ : std::vector<double>{}};
  }

 private:
  const MeasureSettings& settings_;
  Seconds allowance_;
  Seconds spent_ = 0;
  std::vector<double> values_;
};

}  // namespace postage
