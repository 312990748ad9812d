#pragma once

#include "preload/statistics/size_class.hpp"

#include <postage/preload/observer.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace postage::preload {

/// Collectives of one communicator that were carried out alike.
struct TimedKey {
  std::uint64_t communicator = 0;  ///< CallEvent::common_number
  std::int32_t ranks = 0;
  Entry entry = Entry::kBarrier;
  int size_class = 0;       ///< kAnySize of v-variants, whose ranks do not all know one another's sizes
  std::string algorithm{};  ///< empty: the library's own
  Probe probe = Probe::kNone;
  auto operator<=>(const TimedKey&) const = default;

  static constexpr int kAnySize = -1;
};

/// When one rank entered and left the `number`-th of them.
struct TimedCall {
  std::uint64_t number = 0;
  int size_class = 0;
  std::int64_t entered = 0;  ///< nanoseconds of a clock that the ranks of a node share
  std::int64_t left = 0;
};

/// All of them on one rank. Of many calls only every second, fourth, ... is kept: the same on all ranks.
struct TimedSeries {
  std::uint64_t calls = 0;
  std::uint64_t distance = 1;
  std::map<int, std::uint64_t> calls_by_class{};
  std::vector<TimedCall> kept{};
};
using TimedSeriesByKey = std::map<TimedKey, TimedSeries>;

/// Keeps one rank's. Threads may call it at a time.
class TimedCalls {
 public:
  static constexpr std::size_t kMostKept = 128;

  void note(const CallEvent& event);
  [[nodiscard]] TimedSeriesByKey series() const;

 private:
  mutable std::mutex mutex_;
  TimedSeriesByKey series_;
};

[[nodiscard]] std::string text_of(const TimedSeriesByKey& series);
[[nodiscard]] TimedSeriesByKey timed_series_of(const std::string& text);

/// Calls of one collective and size that were carried out alike, on whatever communicators of one node. A call takes
/// from when its last rank entered it to when its last rank left it, so that late ranks do not matter.
struct CallTime {
  std::string algorithm{};
  Probe probe = Probe::kNone;
  std::uint64_t calls = 0;  ///< of all ranks
  std::vector<Seconds> seconds{};
};
struct TimedRow {
  Entry entry = Entry::kBarrier;
  int size_class = 0;  ///< of the first rank's size
  auto operator<=>(const TimedRow&) const = default;
};
using CallTimes = std::map<TimedRow, std::vector<CallTime>>;

/// `nodes`: of each rank.
[[nodiscard]] CallTimes call_times(std::span<const TimedSeriesByKey> ranks, std::span<const std::int32_t> nodes);

}  // namespace postage::preload
