#pragma once

#include "shm/past_caches.hpp"
#include "shm/ways_by_size.hpp"

#include <array>
#include <cstdint>

namespace postage::shm {

// Of two ranks that send to each other at the same time neither can read while the other one writes. Two copies then
// take each of them one copy in and one out, single copy takes each of them one copy by the kernel. Which is less
// depends on where the bytes lie: in the reader's own cache, if nobody has written them since it read them last, or in
// the other core's. Thresholds that were measured with messages in one direction do not say it, and no threshold could
// serve both; so the ways are tried, and the one that takes less is kept.

/// What one rank knows of long messages, those outside the ring, that it and one peer exchange. Of two ranks the lower
/// one judges, for both directions, as a direction for itself would gain nothing; the other one is told.
class Exchanges {
 public:
  Exchanges(std::uint32_t seldom_trial, std::uint64_t pool_bytes) : ways_(seldom_trial, pool_bytes) {}

  void note_sent() { ++sent_; }
  /// Long messages of the peer that found their receives. Each long message carries this number of its sender.
  [[nodiscard]] std::uint32_t taken() const { return taken_; }
  /// One more has. Whether it crossed a message of this rank: its sender had taken only `seen` when it sent it.
  bool take(std::uint64_t bytes, std::uint32_t seen);
  /// Whether the last message of about this size crossed one, so that the next one probably will.
  [[nodiscard]] bool expects(std::uint64_t bytes) const { return (crossing_ >> WaysBySize::class_of(bytes) & 1) != 0; }
  [[nodiscard]] std::uint64_t crossed() const { return crossed_; }

  /// What copying took, of the rank that judges. `written`: into shared memory, of a message of its own.
  void note_written(std::uint64_t bytes, Ticks took);
  /// Of a message that it received. True where the ways have changed.
  bool observe(LongWay way, std::uint64_t bytes, Ticks took);
  [[nodiscard]] const WaysBySize& judged() const { return ways_; }
  void settle(std::uint64_t pool_bytes) { ways_.settle(pool_bytes); }
  /// Forgets what was judged.
  void reset();

 private:
  std::uint32_t sent_ = 0;
  std::uint32_t taken_ = 0;
  std::uint32_t crossing_ = 0;  ///< a bit for each class of sizes
  std::uint64_t crossed_ = 0;
  WaysBySize ways_;
  /// Ticks a byte of this rank's last message of each class through shared memory; 0 before the first.
  std::array<double, WaysBySize::kClasses> written_{};
};

}  // namespace postage::shm
