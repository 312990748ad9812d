#pragma once

#include "measure/campaign/series.hpp"

#include <postage/measure/concurrent_sets.hpp>

#include <map>
#include <set>
#include <vector>

namespace postage {

/// What the leader of a group keeps of a set of experiments: its series by shape, and the sizes that its curves have
/// grown to.
struct SeriesStore {
  RankGroup group;
  std::map<Experiment, Series> series;
  std::vector<std::vector<Bytes>> curve_sizes;
  /// What the budget is too short for: kinds with the bytes that already take too long, and the shapes beyond.
  std::map<ExperimentKind, Bytes> most_bytes;
  std::set<Experiment> left_out;

  /// Those with a value, by the order of their kinds.
  [[nodiscard]] std::vector<Measurement> measurements(const MeasureSettings& settings, Seconds clock_tick) const;
  /// The same with all values, and without summaries.
  [[nodiscard]] std::vector<Measurement> values() const;
  /// Experiments that were left out, by the order of their kinds.
  [[nodiscard]] std::vector<Experiment> experiments_left_out() const;
  /// Without the samples of disturbed passes, where enough others are left.
  void leave_out(const std::vector<std::int32_t>& disturbed);
  /// True where more repetitions are allowed and needed.
  [[nodiscard]] bool needs_more(const MeasureSettings& settings) const;
};

}  // namespace postage
