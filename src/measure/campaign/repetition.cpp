#include "measure/campaign/repetition.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// A clock reading costs some 20 ns; a sample that lasts at least this long hides it.
constexpr Seconds kShortestSample = 20e-6;
constexpr int kMostInner = 100;
constexpr std::size_t kEnoughToTell = 3;
/// Batches in a row that may come out empty.
constexpr int kMostEmptyBatches = 10;

}  // namespace

void Repetition::warm_up(Seconds share, bool repeats_inside) {
  const Seconds start = transport_.now();
  BatchTimes warm = run_({1, 1});
  const Seconds spent = transport_.now() - start;
  if (spent > std::max(share, kShortestSample * kMostInner) && !warm.values.empty()) {
    series_.add(warm, spent);
    return;
  }
  const double affordable = std::min<double>(share / std::max(spent, 1e-9), settings_.warm_up);
  if (affordable > 1) {
    warm = run_({static_cast<std::int32_t>(affordable), 1});
  }
  if (repeats_inside && !warm.values.empty()) {
    const double samples = std::ceil(kShortestSample / std::max(median(warm.values), 1e-9));
    series_.inner = static_cast<std::int32_t>(std::clamp(samples, 1.0, double{kMostInner}));
  }
  series_.set_cost(spent / 2 * series_.inner);
}

void Repetition::repeat(Seconds share) {
  for (std::int32_t samples = series_.next_batch(settings_, share); samples > 0;
       samples = series_.next_batch(settings_, share)) {
    add({samples, series_.inner});
    if (empty_ > kMostEmptyBatches) {
      throw Error(
          fmt::format("no repetition of {} could be started by all ranks in time", describe(series_.experiment())));
    }
  }
}

void Repetition::complete_to_tell() {
  if (series_.count() < kEnoughToTell) {
    add({kEnoughToTell - 1, series_.inner});
  }
}

void Repetition::add(Batch batch) {
  const Seconds start = transport_.now();
  const BatchTimes times = run_(batch);
  series_.add(times, transport_.now() - start);
  empty_ = times.values.empty() ? empty_ + 1 : 0;
}

}  // namespace postage
