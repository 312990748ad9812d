#pragma once

#include <cstddef>
#include <cstdint>

namespace postage::shm {

/// The receiver's judgement of one sender (paper 002, section 4.2): where many messages keep waiting to be received,
/// the receiver falls behind, and its sender had better leave them in shared memory than wait. It looks at every
/// receive of a message that could take either way. Both changes need a run of equal observations, the way back a
/// longer one, at a lower mark: a burst or a single quiet moment changes nothing.
class SkewJudge {
 public:
  static constexpr std::size_t kLongQueue = 4;
  static constexpr std::size_t kShortQueue = 1;
  static constexpr std::uint32_t kRaiseAfter = 8;
  static constexpr std::uint32_t kRestoreAfter = 64;

  /// `waiting` messages of the sender were there when a receive began. True where the judgement changed.
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
