/// Preloaded into the ranks of a lab that has more of them than this machine has cores. Message libraries ask the
/// kernel for events in a loop and never sleep; so many spinning ranks leave no core to those that have something to
/// do. Here a rank that has seen no event for a while sleeps until one comes: shortly at first, in case that it waits
/// for something else than the network.

#include <dlfcn.h>
#include <sys/epoll.h>

#include <algorithm>
#include <ctime>

namespace {

using EpollWait = int (*)(int, epoll_event*, int, int);

constexpr long kSpin = 30'000;     // ns: as long as it takes to wake up
constexpr int kShortestSleep = 1;  // ms
constexpr int kLongestSleep = 16;  // ms

struct Idle {
  long since = 0;  ///< ns; 0 while there are events
  int sleep = kShortestSleep;
};

long nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000L + time.tv_nsec;
}

}  // namespace

extern "C" int epoll_wait(int descriptor, epoll_event* events, int most, int timeout) {
  static const auto original = reinterpret_cast<EpollWait>(dlsym(RTLD_NEXT, "epoll_wait"));
  thread_local Idle idle;
  int count = original(descriptor, events, most, timeout);
  if (timeout != 0 || count != 0) {
    idle = {};
    return count;
  }
  const long time = nanoseconds();
  if (idle.since == 0) {
    idle.since = time;
  } else if (time - idle.since > kSpin) {
    count = original(descriptor, events, most, idle.sleep);
    idle.sleep = std::min(2 * idle.sleep, kLongestSleep);
    if (count != 0) {
      idle = {};
    }
  }
  return count;
}
