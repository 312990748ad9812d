#pragma once

#include "measure/campaign/series.hpp"

#include <functional>

namespace postage {

/// Makes a batch of the experiment and gives its times.
using RunBatch = std::function<BatchTimes(Batch)>;

/// Repeats one experiment in one sampling slot, for about `share` seconds.
class Repetition {
 public:
  Repetition(const Transport& transport, const MeasureSettings& settings, Series& series, RunBatch run)
      : transport_(transport), settings_(settings), series_(series), run_(std::move(run)) {}

  /// Two repetitions at first, the second of which is a sample where there is no time for others; then more of them. In
  /// samples of a quick experiment it is repeated, if it `repeats_inside`.
  void warm_up(Seconds share, bool repeats_inside);
  /// Until Series::next_batch ends the slot. Throws Error where the ranks cannot start in time.
  void repeat(Seconds share);
  /// The fewest repetitions that tell how long one takes.
  void complete_to_tell();

 private:
  void add(Batch batch);

  const Transport& transport_;
  const MeasureSettings& settings_;
  Series& series_;
  RunBatch run_;
  int empty_ = 0;  ///< batches in a row without a time
};

}  // namespace postage
