#pragma once

#include <cstddef>
#include <cstdint>

namespace postage::shm {

/// Whether this receiver falls behind one sender (paper 002, section 4.2). Where many messages wait to be received, the
/// sender leaves them in shared memory rather than wait for them to be read. The receiver observes the queue with every
/// message that could take either protocol. A change needs a run of equal observations, the change back a longer run at
/// a lower mark, so that a burst or a single quiet moment changes nothing.
class SkewDetector {
 public:
  static constexpr std::size_t kLongQueue = 4;
  static constexpr std::size_t kShortQueue = 1;
  static constexpr std::uint32_t kRaiseAfter = 8;
  static constexpr std::uint32_t kRestoreAfter = 64;

  /// `waiting` messages of the sender were there when a receive began. True where the state changed.
  bool observe(std::size_t waiting) {
    const bool contrary = skewed_ ? waiting <= kShortQueue : waiting >= kLongQueue;
    run_ = contrary ? run_ + 1 : 0;
    if (run_ < (skewed_ ? kRestoreAfter : kRaiseAfter)) {
      return false;
    }
    skewed_ = !skewed_;
    run_ = 0;
    ++(skewed_ ? raised_ : restored_);
    return true;
  }

  [[nodiscard]] bool skewed() const { return skewed_; }
  [[nodiscard]] std::uint64_t raised() const { return raised_; }
  [[nodiscard]] std::uint64_t restored() const { return restored_; }

 private:
  bool skewed_ = false;
  std::uint32_t run_ = 0;
  std::uint64_t raised_ = 0;
  std::uint64_t restored_ = 0;
};

}  // namespace postage::shm
