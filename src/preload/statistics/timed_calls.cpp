#include "preload/statistics/timed_calls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage::preload {
namespace {

bool has_own_sizes(Entry entry) {
  return entry == Entry::kAlltoallv || entry == Entry::kScatterv || entry == Entry::kGatherv ||
         entry == Entry::kAllgatherv || entry == Entry::kReduce_scatter;
}

std::int64_t nanoseconds(Seconds seconds) {
  return std::llround(1e9 * seconds);
}

void keep(TimedSeries& series, const TimedCall& call) {
  if (call.number % series.distance != 0) {
    return;
  }
  series.kept.push_back(call);
  if (series.kept.size() > TimedCalls::kMostKept) {
    series.distance *= 2;
    std::erase_if(series.kept, [&](const TimedCall& kept) { return kept.number % series.distance != 0; });
  }
}

/// A call as its ranks saw it.
struct WholeCall {
  std::int32_t ranks = 0;
  std::int64_t last_entered = std::numeric_limits<std::int64_t>::min();
  std::int64_t last_left = std::numeric_limits<std::int64_t>::min();
  int size_class = 0;  ///< of the first rank
};

/// A series of all ranks of its communicator.
struct WholeSeries {
  std::map<int, std::uint64_t> calls_by_class{};  ///< of the first rank
  std::map<std::uint64_t, WholeCall> calls{};
  std::int32_t node = -1;
  std::int32_t ranks = 0;
  bool is_on_one_node = true;
};

void add(WholeSeries& whole, const TimedSeries& own, std::int32_t node) {
  if (whole.ranks++ == 0) {
    whole.calls_by_class = own.calls_by_class;
    whole.node = node;
  }
  whole.is_on_one_node = whole.is_on_one_node && whole.node == node;
  for (const TimedCall& call : own.kept) {
    WholeCall& seen = whole.calls[call.number];
    seen.size_class = seen.ranks++ == 0 ? call.size_class : seen.size_class;
    seen.last_entered = std::max(seen.last_entered, call.entered);
    seen.last_left = std::max(seen.last_left, call.left);
  }
}

CallTime& time_of(std::vector<CallTime>& times, const TimedKey& key) {
  const auto found = std::find_if(times.begin(), times.end(), [&](const CallTime& time) {
    return time.algorithm == key.algorithm && time.probe == key.probe;
  });
  return found != times.end() ? *found : times.emplace_back(CallTime{.algorithm = key.algorithm, .probe = key.probe});
}

}  // namespace

void TimedCalls::note(const CallEvent& event) {
  if (event.common_number == 0 || !is_blocking_collective(event.entry)) {
    return;
  }
  const int size_class = SizeClass(event.bytes > 0 ? event.bytes : event.received_bytes).number();
  const TimedKey key{.communicator = event.common_number,
                     .ranks = event.ranks,
                     .entry = event.entry,
                     .size_class = has_own_sizes(event.entry) ? TimedKey::kAnySize : size_class,
                     .algorithm = event.algorithm != nullptr ? event.algorithm : "",
                     .probe = event.probe};
  const std::scoped_lock lock(mutex_);
  TimedSeries& series = series_[key];
  ++series.calls_by_class[size_class];
  keep(series, {series.calls++, size_class, nanoseconds(event.began), nanoseconds(event.ended)});
}

TimedSeriesByKey TimedCalls::series() const {
  const std::scoped_lock lock(mutex_);
  return series_;
}

CallTimes call_times(std::span<const TimedSeriesByKey> ranks, std::span<const std::int32_t> nodes) {
  std::map<TimedKey, WholeSeries> all;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    for (const auto& [key, series] : ranks[rank]) {
      add(all[key], series, nodes[rank]);
    }
  }
  CallTimes times;
  for (const auto& [key, whole] : all) {
    if (whole.ranks != key.ranks || !whole.is_on_one_node) {
      continue;
    }
    for (const auto& [size_class, calls] : whole.calls_by_class) {
      time_of(times[{key.entry, size_class}], key).calls += calls * static_cast<std::uint64_t>(key.ranks);
    }
    for (const auto& [number, call] : whole.calls) {
      if (call.ranks == key.ranks) {
        const auto took = static_cast<Seconds>(call.last_left - call.last_entered);
        time_of(times[{key.entry, call.size_class}], key).seconds.push_back(1e-9 * took);
      }
    }
  }
  return times;
}

}  // namespace postage::preload
