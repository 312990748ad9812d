#pragma once

#include <cstddef>
#include <cstdint>

namespace postage::channel {

// What is copied through shared memory crosses between the two cores' caches twice: the sender takes lines that the
// receiver still holds to write them, and the receiver takes them back to read them. Where the two caches are far from
// each other it is faster to write past them: stores that ask for no line go to memory, from where the receiver reads.

/// Of a clock that counts single nanoseconds or less; without one (no x86-64), always zero.
using Ticks = std::uint64_t;

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

/// What a load takes that no cache has: the median of some.
[[nodiscard]] Ticks memory_latency();

/// Copies to `to` without asking for its lines; complete, for whoever sees a later store of this core. Elsewhere than
/// on x86-64, a memcpy.
void copy_past_caches(std::byte* to, const std::byte* from, std::uint64_t bytes);

/// Whether to write past the caches for one peer: where two lines from its cache take longer than one from memory. The
/// second line decides (the first may have to wait for its page), and after it a run of lines that say the contrary: a
/// core may be moved to another place, and a single line may be late for any reason.
class LineJudge {
 public:
  static constexpr std::uint32_t kChangeAfter = 4;

  explicit LineJudge(Ticks memory) : memory_(memory) {}
  /// One that does not change its mind.
  [[nodiscard]] static LineJudge decided(bool far) {
    LineJudge judge(0);
    judge.decided_ = true;
    judge.far_ = far;
    return judge;
  }

  /// A load of a line that the peer wrote took so long.
  void observe(Ticks line) {
    const bool far = 2 * line > memory_;
    run_ = far != far_ ? run_ + 1 : 0;
    ++lines_;
    if (!decided_ && (lines_ == 2 || (lines_ > 2 && run_ >= kChangeAfter))) {
      far_ = far;
      run_ = 0;
    }
  }

  [[nodiscard]] bool far() const { return far_; }

 private:
  Ticks memory_;
  bool decided_ = false;
  bool far_ = false;
  std::uint32_t run_ = 0;
  std::uint64_t lines_ = 0;
};

}  // namespace postage::channel
