#pragma once

#include <postage/shm/endpoint.hpp>

#include <cstdint>

namespace postage::shm {

/// Seconds since some moment; exact, and the kernel's last tick (some milliseconds old, a few nanoseconds to read).
[[nodiscard]] Seconds now();
[[nodiscard]] Seconds coarse_now();

/// Tells the core that this is a waiting loop.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// What to do in one wait when there was nothing to do. One object per wait.
class Patience {
 public:
  enum class Step { kLook, kYield, kSleep };

  Patience(const WaitPolicy& policy, bool more_ranks_than_cores)
      : policy_(policy), spin_(more_ranks_than_cores ? 0 : policy.spin) {}

  /// After a look that found nothing.
  [[nodiscard]] Step next();
  /// Something moved: the wait begins anew.
  void reset() { idle_looks_ = 0; }

 private:
  static constexpr std::uint32_t kLooksPerClock = 64;
  static constexpr std::uint32_t kYieldsPerClock = 8;

  const WaitPolicy& policy_;
  Seconds spin_;
  Seconds began_ = 0;
  std::uint32_t idle_looks_ = 0;
  Step step_ = Step::kLook;
};

}  // namespace postage::shm
