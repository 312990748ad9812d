#include "channel/waiting.hpp"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace postage::channel {
namespace {

Seconds read_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<Seconds>(time.tv_sec) + 1e-9 * static_cast<Seconds>(time.tv_nsec);
}

}  // namespace

Seconds now() {
  return read_clock(CLOCK_MONOTONIC);
}

Seconds coarse_now() {
  return read_clock(CLOCK_MONOTONIC_COARSE);
}

bool register_for_barriers() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0 &&
         syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) == 0;
}

bool wake(Doorbell& bell, bool needs_fence) {
  if (needs_fence) {
    // Orders the message that was just published before the look at `asleep`.
    bell.asleep.fetch_or(0, std::memory_order_seq_cst);
  }
  if (bell.asleep.load(std::memory_order_relaxed) == 0 || bell.asleep.exchange(0, std::memory_order_acq_rel) == 0) {
    return false;
  }
  bell.rings.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &bell.rings, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  return true;
}

void Bed::lie_down() {
  rings_seen_ = bell_.rings.load(std::memory_order_acquire);
  bell_.asleep.store(1, std::memory_order_seq_cst);
  if (has_barriers_) {
    // Whoever published before this moment and saw nobody asleep has made its message visible now.
    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
  }
}

void Bed::sleep(Seconds longest) {
  const auto whole = static_cast<time_t>(longest);
  const timespec limit{whole, static_cast<long>((longest - static_cast<Seconds>(whole)) * 1e9)};
  // Returns at once where a ring came since.
  syscall(SYS_futex, &bell_.rings, FUTEX_WAIT, rings_seen_, &limit, nullptr, 0);
}

void Bed::get_up() {
  bell_.asleep.store(0, std::memory_order_relaxed);
}

Patience::Step Patience::next() {
  if (idle_looks_ == 0) {
    began_ = 0;
    step_ = spin_ > 0 ? Step::kLook : Step::kYield;
  }
  const bool reads_clock = idle_looks_ % (step_ == Step::kYield ? 8 : kLooksPerClock) == 0;
  ++idle_looks_;
  if (reads_clock) {
    const Seconds time = now();
    began_ = began_ == 0 ? time : began_;
    const Seconds waited = time - began_;
    step_ = waited < spin_ ? Step::kLook : waited < spin_ + policy_.yield ? Step::kYield : Step::kSleep;
  }
  return step_;
}

}  // namespace postage::channel
