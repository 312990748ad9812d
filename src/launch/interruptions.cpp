#include <postage/base/error.hpp>
#include <postage/launch/interruptions.hpp>
#include <postage/launch/launch.hpp>

#include <csignal>
#include <mutex>

namespace postage {
namespace {

volatile std::sig_atomic_t interruptions = 0;
volatile std::sig_atomic_t last_signal = SIGINT;
void count_signal(int signal) {
  interruptions = interruptions + 1;
  last_signal = signal;
}

struct Counters {
  std::mutex mutex;
  int alive = 0;
  struct sigaction old_int {};
  struct sigaction old_term {};
};

Counters& counters() {
  static Counters all;
  return all;
}

}  // namespace

InterruptionCounter::InterruptionCounter() {
  Counters& all = counters();
  const std::lock_guard lock(all.mutex);
  if (all.alive++ == 0) {
    struct sigaction action {};
    action.sa_handler = count_signal;
    interruptions = 0;
    sigaction(SIGINT, &action, &all.old_int);
    sigaction(SIGTERM, &action, &all.old_term);
  }
}

InterruptionCounter::~InterruptionCounter() {
  Counters& all = counters();
  const std::lock_guard lock(all.mutex);
  if (--all.alive == 0) {
    sigaction(SIGINT, &all.old_int, nullptr);
    sigaction(SIGTERM, &all.old_term, nullptr);
  }
}

int InterruptionCounter::count() {
  return interruptions;
}

void InterruptionCounter::check() {
  if (count() > 0) {
    throw Interrupted("this was interrupted");
  }
}

int interrupting_signal() {
  return last_signal;
}

}  // namespace postage
