#pragma once

#include "measure/task.hpp"

#include <postage/samples/samples.hpp>

#include <optional>

namespace postage {

/// One experiment's repetitions over the passes of a campaign, at the rank that leads it.
class Series {
 public:
  explicit Series(Experiment experiment) : experiment_(std::move(experiment)) {}

  [[nodiscard]] const Experiment& experiment() const { return experiment_; }
  /// For what is known only when the experiment begins.
  void set_delay(Seconds delay) { experiment_.delay = delay; }
  [[nodiscard]] bool is_new() const { return passes_.empty(); }

  /// Passes in which it was not sampled stay empty.
  void begin_pass(std::size_t pass);
  /// `spent` seconds went into a batch.
  void add(const BatchTimes& times, Seconds spent);
  /// Without the samples of disturbed passes; as it is where less than a quarter of its passes would be left, or where
  /// links tell which slots were disturbed.
  void leave_out(const std::vector<std::int32_t>& disturbed);
  /// For what a sample costs before one is made.
  void set_cost(Seconds cost) { cost_ = cost; }
  /// Seconds of one sample, with what it takes beside its own time; 0 where nothing is known of it.
  [[nodiscard]] Seconds cost() const { return cost_; }

  /// How many samples to take next in this pass: up to the fewest for a pass, or one where `allowance` seconds are too
  /// short for them; then on up to its part of the most, while they are not precise and the allowance is not spent. 0
  /// ends the pass.
  /// Grows with what was made, so that looking costs O(n log n) in total.
  [[nodiscard]] std::int32_t next_batch(const MeasureSettings& settings, Seconds allowance) const;

  [[nodiscard]] bool precise(const MeasureSettings& settings) const;
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Median so far. Requires a value.
  [[nodiscard]] Seconds time() const;
  /// Mean of all: what escalations of some show in.
  [[nodiscard]] Seconds mean() const;
  /// The shortest sample so far. Requires a value.
  [[nodiscard]] Seconds fastest() const;
  [[nodiscard]] Interval interval(const MeasureSettings& settings) const;
  /// All values, without a summary.
  [[nodiscard]] Measurement values() const;
  [[nodiscard]] Measurement measurement(const MeasureSettings& settings, Seconds clock_tick) const;

  /// Repetitions in one sample.
  std::int32_t inner = 1;

 private:
  [[nodiscard]] bool has_links() const;
  /// Up to and in this pass: each pass has its part of the most repetitions, lest one moment outvote all others.
  [[nodiscard]] std::int32_t most_so_far(const MeasureSettings& settings) const;

  Experiment experiment_;
  std::vector<std::vector<double>> passes_;
  std::vector<double> processors_;  ///< by pass, of the batch for which they were slowest
  std::vector<double> links_;       ///< by pass, of the batch for which it was slowest
  std::size_t count_ = 0;
  std::size_t late_ = 0;
  Seconds spent_ = 0;  ///< in this pass
  Seconds cost_ = 0;
};

}  // namespace postage
