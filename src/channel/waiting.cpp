#include "channel/waiting.hpp"

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

Patience::Step Patience::next() {
  if (idle_looks_ == 0) {
    began_ = 0;
    step_ = spin_ > 0 ? Step::kLook : Step::kYield;
  }
  // Not at the first look: most waits are over before they are worth a look at the clock.
  ++idle_looks_;
  const bool reads_clock = idle_looks_ % (step_ == Step::kYield ? kYieldsPerClock : kLooksPerClock) == 0;
  if (reads_clock) {
    const Seconds time = now();
    began_ = began_ == 0 ? time : began_;
    const Seconds waited = time - began_;
    step_ = waited < spin_ ? Step::kLook : waited < spin_ + policy_.yield ? Step::kYield : Step::kSleep;
  }
  return step_;
}

}  // namespace postage::channel
