#pragma once

#include "tuning/decide/candidates.hpp"
#include "tuning/measure/times.hpp"

#include <optional>
#include <vector>

namespace postage {

/// What a choice takes at a point.
struct TimeEstimate {
  Seconds seconds = 0;
  Interval interval{};
  bool measured = false;
};

/// Times of choices as far as they are known: measured, or predicted and corrected by how far the same choice was off
/// at the nearest sizes that it was measured at.
class TimeEstimates {
 public:
  TimeEstimates(ChoicePredictions& predictions, const MeasuredTimes& times)
      : predictions_(predictions), times_(times) {}

  /// Infinite for a choice with which the library fails.
  [[nodiscard]] TimeEstimate of(const TuningPoint& point, const DecisionChoice& choice) const;
  /// Nothing where the default was not measured.
  [[nodiscard]] std::optional<Seconds> standard(const TuningPoint& point) const;
  [[nodiscard]] bool is_default_forced(const TuningPoint& point) const;
  /// By what was measured after the choice, if there is any. Nothing where it was not measured beside the default.
  [[nodiscard]] std::optional<Gain> gain(const TuningPoint& point, const DecisionChoice& choice) const;

  /// True where it was measured after it had been chosen.
  [[nodiscard]] bool is_proven(const TuningPoint& point, const DecisionChoice& choice) const;

 private:
  [[nodiscard]] std::optional<Seconds> measured(const TuningPoint& point, const std::string& key) const;
  /// measured/predicted, interpolated over the logarithm of the size; 1 where the choice was never measured.
  [[nodiscard]] double correction(const TuningPoint& point, const DecisionChoice& choice) const;

  ChoicePredictions& predictions_;
  const MeasuredTimes& times_;
};

}  // namespace postage
