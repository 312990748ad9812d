#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace postage::shm {

// What is copied through shared memory crosses between the two cores' caches twice: the sender takes lines that the
// receiver still holds to write them, and the receiver takes them back to read them. Where the two caches are far from
// each other it is faster to write past them: stores that ask for no line go to memory, from where the receiver reads.

/// Of a clock that counts single nanoseconds or less; without one (no x86-64), always zero.
using Ticks = std::uint64_t;
#if defined(__x86_64__)
inline constexpr bool kHasTicks = true;
#else
inline constexpr bool kHasTicks = false;
#endif

/// Now: after all loads before it, before all loads behind it.
[[nodiscard]] inline Ticks ticks() {
#if defined(__x86_64__)
  __builtin_ia32_lfence();
  const Ticks now = __builtin_ia32_rdtsc();
  __builtin_ia32_lfence();
  return now;
#else
  return 0;
#endif
}

/// Waits until every store of this core is in its cache or in memory.
inline void finish_stores() {
#if defined(__x86_64__)
  __builtin_ia32_mfence();
#endif
}

/// A memcpy that asks for nothing of the two addresses. The C library's leaves long copies to one instruction, which
/// takes ten times as long where the addresses are not equally far from a multiple of 16.
void copy_by_blocks(std::byte* to, const std::byte* from, std::uint64_t bytes);

inline void copy_bytes(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  constexpr std::uint64_t kLeastByBlocks = 1024;
  if (bytes < kLeastByBlocks) {
    std::memcpy(to, from, bytes);
  } else {
    copy_by_blocks(to, from, bytes);
  }
}

/// Copies to `to` without asking for its lines; complete, for whoever sees a later store of this core. Elsewhere than
/// on x86-64, a memcpy.
void copy_past_caches(std::byte* to, const std::byte* from, std::uint64_t bytes);

/// What a copy takes, as a straight line.
struct CopyCost {
  double fixed = 0;     ///< ticks
  double per_byte = 0;  ///< ticks

  [[nodiscard]] double of(std::uint64_t bytes) const { return fixed + per_byte * static_cast<double>(bytes); }
};

/// Of copy_past_caches into `memory`, which nobody else uses yet; medians of some copies. O(bytes).
[[nodiscard]] CopyCost cost_past_caches(std::byte* memory, std::uint64_t bytes);

/// Whether to write past the caches for one peer, by what copies through them take: several times as long as past them
/// where the receiver's core, which still holds the lines, is far, and less where it is near. A run of copies that say
/// the contrary decides, as a core may be moved to another place at any time, and a single copy may be interrupted.
/// One copy in many goes the other way, and fewer while nothing changes: where the peer is far, to see whether it still
/// is; where it is near, to see what a copy past the caches takes now, as what it took at first may have been chance.
class WriteJudge {
 public:
  static constexpr std::uint32_t kChangeAfter = 3;
  static constexpr std::uint32_t kFirstTrial = 32;     ///< copies before the first trial of the other way
  static constexpr std::uint32_t kSeldomTrial = 1024;  ///< ... between trials that keep changing nothing
  /// Near ones took 0.6 to 2 times as long as copies past the caches here, far ones 4 to 12 times.
  static constexpr double kMuch = 3;
  /// What a copy past the caches is expected to take follows what one took by no more than this: it may have been
  /// interrupted.
  static constexpr double kLeastStep = 0.5;
  static constexpr double kMostStep = 1.25;

  explicit WriteJudge(const CopyCost& past_caches) : past_caches_(past_caches) {}
  /// One that does not change its mind.
  [[nodiscard]] static WriteJudge decided(bool far) {
    WriteJudge judge({});
    judge.decided_ = true;
    judge.far_ = far;
    return judge;
  }

  [[nodiscard]] bool far() const { return far_; }
  /// Whether to write the next piece past the caches.
  [[nodiscard]] bool next_past_caches() const { return far_ == (decided_ || since_trial_ < patience_); }

  /// A copy through the caches or past them took so long.
  void observe(bool past_caches, std::uint64_t bytes, Ticks ticks) {
    if (decided_) {
      return;
    }
    const double share = static_cast<double>(ticks) / (scale_ * past_caches_.of(bytes));
    const bool slow = share > kMuch;
    if (past_caches) {
      scale_ *= std::isfinite(share) ? std::clamp(share, kLeastStep, kMostStep) : 1;
    } else {
      run_ = slow != far_ ? run_ + 1 : 0;
    }
    if (run_ == kChangeAfter) {
      far_ = slow;
      run_ = 0;
      wait_for_trial(kFirstTrial);
    } else if (past_caches == far_) {
      ++since_trial_;
    } else if (past_caches || run_ == 0) {
      wait_for_trial(std::min(2 * patience_, kSeldomTrial));
    }
  }

 private:
  void wait_for_trial(std::uint32_t patience) {
    since_trial_ = 0;
    patience_ = patience;
  }

  CopyCost past_caches_;
  double scale_ = 1;  ///< of past_caches_, by the copies since
  bool decided_ = false;
  bool far_ = false;
  std::uint32_t run_ = 0;
  std::uint32_t since_trial_ = 0;
  std::uint32_t patience_ = kFirstTrial;
};

}  // namespace postage::shm
