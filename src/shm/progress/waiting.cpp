#include "shm/progress/waiting.hpp"

#include <ctime>

namespace postage::shm {
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

Patience::Step Patience::next() {
  if (idle_looks_ == 0) {
    began_ = 0;
    step_ = spin_ > 0 ? Step::kLook : Step::kYield;
  }
  // A rank that looks without pause does not begin with the clock: most such waits are over before they are worth it.
  const bool reads_clock =
      step_ == Step::kLook ? idle_looks_ % kLooksPerClock == kLooksPerClock - 1 : idle_looks_ % kYieldsPerClock == 0;
  ++idle_looks_;
  if (reads_clock) {
    const Seconds time = now();
    began_ = began_ == 0 ? time : began_;
    const Seconds waited = time - began_;
    step_ = waited < spin_ ? Step::kLook : waited < spin_ + policy_.yield ? Step::kYield : Step::kSleep;
  }
  return step_;
}

}  // namespace postage::shm
