#pragma once

#include <postage/base/units.hpp>

#include <atomic>
#include <cstdint>

namespace postage::shm {

// How a rank sleeps although nobody pays for it while all are awake. A sender publishes and then looks whether the
// receiver sleeps, without a fence between the two; so its look may come before its message is visible. Before the
// receiver sleeps, it therefore makes the kernel run a barrier on every core (membarrier): afterwards each message is
// visible to it, or its sender has seen that the receiver sleeps.
//
// `Memory` supplies an atomic Word; `Kernel` wait(word, seen, longest), wake(word) and barrier_everywhere(). A checker
// puts others in their place that let it try every order of their steps.

/// One per rank, in shared memory.
template <typename Word>
struct alignas(64) BasicDoorbell {
  Word rings;
  Word asleep;
};

/// Wakes the owner of a doorbell if it sleeps. True if it did. The caller has published what the owner waits for;
/// `needs_fence` where the owner has no barrier_everywhere().
template <typename Kernel, typename Word>
bool wake(BasicDoorbell<Word>& bell, bool needs_fence) {
  if (needs_fence) {
    bell.asleep.fetch_or(0, std::memory_order_seq_cst);
  }
  if (bell.asleep.load(std::memory_order_relaxed) == 0 || bell.asleep.exchange(0, std::memory_order_acq_rel) == 0) {
    return false;
  }
  bell.rings.fetch_add(1, std::memory_order_release);
  Kernel::wake(bell.rings);
  return true;
}

/// Sleeping on one's own doorbell, in three steps, since what one waits for may happen between any two of them:
/// announce; look once more; wait (or not); end.
template <typename Kernel, typename Word>
class Sleep {
 public:
  Sleep(BasicDoorbell<Word>& bell, bool has_barriers) : bell_(bell), has_barriers_(has_barriers) {}

  /// From here on peers ring.
  void announce() {
    rings_seen_ = bell_.rings.load(std::memory_order_acquire);
    bell_.asleep.exchange(1, std::memory_order_seq_cst);
    if (has_barriers_) {
      Kernel::barrier_everywhere();
    }
  }

  /// Returns when a peer has rung since announce(), or after `longest`.
  void wait(Seconds longest) { Kernel::wait(bell_.rings, rings_seen_, longest); }
  void end() { bell_.asleep.store(0, std::memory_order_relaxed); }

 private:
  BasicDoorbell<Word>& bell_;
  bool has_barriers_;
  std::uint32_t rings_seen_ = 0;
};

/// Futexes and membarrier.
struct Linux {
  static void wait(std::atomic<std::uint32_t>& word, std::uint32_t seen, Seconds longest);
  static void wake(std::atomic<std::uint32_t>& word);
  static void barrier_everywhere();
  /// Whether this process can make barriers everywhere; to be asked once, before any.
  [[nodiscard]] static bool register_for_barriers();
};

using Doorbell = BasicDoorbell<std::atomic<std::uint32_t>>;

}  // namespace postage::shm
