#pragma once

#include "predict/timeline/arrival_order.hpp"
#include "predict/timeline/message_list.hpp"

#include <array>
#include <bit>
#include <queue>
#include <utility>
#include <vector>

namespace postage {

/// Messages that will arrive, moment by moment. Ranks that do the same at the same time are many: messages of one time
/// are queued together.
class MomentQueue {
 public:
  void push(Seconds time, MessageNumber number) {
    Recent& recent = recent_[slot_of(time)];
    if (!(recent.time == time)) {
      recent = {time, new_bucket()};
      times_.push({time, recent.bucket});
    }
    buckets_[recent.bucket].push_back(number);
  }

  [[nodiscard]] bool empty() const { return times_.empty(); }

  /// Takes the messages of the next moment out, in the program's order; returns when it ends.
  Seconds take_moment(std::vector<MessageNumber>& numbers) {
    numbers.clear();
    const Seconds end = end_of_moment(times_.top().first);
    while (!times_.empty() && times_.top().first <= end) {
      take(times_.top(), numbers);
      times_.pop();
    }
    if (!std::is_sorted(numbers.begin(), numbers.end())) {
      std::sort(numbers.begin(), numbers.end());
    }
    return end;
  }

 private:
  using Time = std::pair<Seconds, std::uint32_t>;  ///< and its bucket
  struct Recent {
    Seconds time = std::numeric_limits<Seconds>::quiet_NaN();
    std::uint32_t bucket = 0;
  };

  static std::size_t slot_of(Seconds time) {
    constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;
    return (std::bit_cast<std::uint64_t>(time) * kGolden) >> 58U;
  }

  std::uint32_t new_bucket() {
    if (free_.empty()) {
      buckets_.emplace_back();
      return static_cast<std::uint32_t>(buckets_.size() - 1);
    }
    const std::uint32_t bucket = free_.back();
    free_.pop_back();
    return bucket;
  }

  void take(const Time& time, std::vector<MessageNumber>& numbers) {
    std::vector<MessageNumber>& bucket = buckets_[time.second];
    numbers.insert(numbers.end(), bucket.begin(), bucket.end());
    bucket.clear();
    free_.push_back(time.second);
    Recent& recent = recent_[slot_of(time.first)];
    recent = recent.bucket == time.second ? Recent{} : recent;
  }

  std::priority_queue<Time, std::vector<Time>, std::greater<>> times_;
  std::vector<std::vector<MessageNumber>> buckets_;
  std::vector<std::uint32_t> free_;
  std::array<Recent, 64> recent_;  ///< by the time's hash
};

}  // namespace postage
