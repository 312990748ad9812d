#pragma once

#include "channel/layout.hpp"

#include <postage/channel/channel.hpp>

#include <cstdint>

namespace postage::channel {

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

/// Whether this process can make others' stores visible before it sleeps (membarrier), so that nobody needs a fence
/// after each message.
[[nodiscard]] bool register_for_barriers();

/// Wakes the owner of a doorbell if it sleeps. True if it slept. The caller has published what the owner waits for;
/// `needs_fence` where the owner has no membarrier.
bool wake(Doorbell& bell, bool needs_fence);

/// Sleeping on one's own doorbell, in three steps, since what one waits for may happen between any two of them:
/// lie down; look once more; sleep (or get up).
class Bed {
 public:
  Bed(Doorbell& bell, bool has_barriers) : bell_(bell), has_barriers_(has_barriers) {}

  /// From here on peers ring.
  void lie_down();
  /// Returns when a peer has rung since lie_down(), or after `longest`.
  void sleep(Seconds longest);
  void get_up();

 private:
  Doorbell& bell_;
  bool has_barriers_;
  std::uint32_t rings_seen_ = 0;
};

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

  const WaitPolicy& policy_;
  Seconds spin_;
  Seconds began_ = 0;
  std::uint32_t idle_looks_ = 0;
  Step step_ = Step::kLook;
};

}  // namespace postage::channel
