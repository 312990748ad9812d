#include "launch/lab/switch.hpp"

#include "launch/lab/namespaces.hpp"
#include "launch/lab/network.hpp"
#include "launch/lab/switch_clock.hpp"

#include <postage/base/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <queue>

namespace postage {

int make_tap(const std::string& network_namespace) {
  const NamespaceScope scope(network_namespace);
  const int descriptor = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    throw Error(
        fmt::format("the switch needs /dev/net/tun, which cannot be opened: {}; load the kernel's module tun, or take "
                    "--bridge",
                    std::strerror(errno)));
  }
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  std::strncpy(request.ifr_name, kLabInterface, sizeof request.ifr_name - 1);
  if (ioctl(descriptor, TUNSETIFF, &request) != 0) {
    const int reason = errno;
    close(descriptor);
    throw Error(fmt::format("cannot make an interface in {}: {}", network_namespace, std::strerror(reason)));
  }
  return descriptor;
}

namespace {

constexpr std::size_t kLargestFrame = 65536;
/// Frames read from one host before the others and the clock get their turn.
constexpr int kMostAtOnce = 32;
constexpr std::uint32_t kTimer = ~std::uint32_t{0};

Seconds now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

timespec to_timespec(Seconds time) {
  const double whole = std::floor(time);
  return {static_cast<time_t>(whole), static_cast<long>((time - whole) * 1e9)};
}

/// A frame that the switch holds, to be given to its next cable or to its receiver.
struct Frame {
  Seconds due = 0;
  std::uint64_t number = 0;  ///< frames that are due at once keep their order
  Passage passage;
  std::vector<char> content;
  bool operator>(const Frame& other) const { return std::pair(due, number) > std::pair(other.due, other.number); }
};

using FrameQueue = std::priority_queue<Frame, std::vector<Frame>, std::greater<>>;

Frame pop(FrameQueue& queue) {
  // Moving leaves the order alone, which does not look at the content.
  Frame frame = std::move(const_cast<Frame&>(queue.top()));
  queue.pop();
  return frame;
}

class Switch {
 public:
  Switch(const LabPlan& plan, const std::vector<int>& taps)
      : clock_(plan), taps_(taps), epoll_(epoll_create1(0)), timer_(timerfd_create(CLOCK_MONOTONIC, 0)) {
    watch(timer_, kTimer);
    for (std::size_t i = 0; i < taps.size(); ++i) {
      watch(taps[i], static_cast<std::uint32_t>(i));
    }
  }

  /// Waits for a frame from a host, or until there is something to do with one that is here.
  void turn() {
    std::array<epoll_event, 64> events{};
    const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      if (events[static_cast<std::size_t>(i)].data.u32 != kTimer) {
        take_from(events[static_cast<std::size_t>(i)].data.u32);
      }
    }
    pass_on();
    deliver();
    set_timer();
  }

 private:
  void watch(int descriptor, std::uint32_t what) {
    epoll_event event{.events = EPOLLIN, .data = {.u32 = what}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  }

  void take_from(std::size_t host) {
    for (int i = 0; i < kMostAtOnce; ++i) {
      const ssize_t size = read(taps_[host], buffer_.data(), buffer_.size());
      if (size <= 0) {
        return;
      }
      // The last byte of the hardware address is the host's number; what is for nobody or for all is not passed on.
      const auto to = static_cast<std::size_t>(static_cast<unsigned char>(buffer_[5]));
      if (buffer_[0] == 2 && to < taps_.size() && to != host) {
        const Passage passage = clock_.send(host, to, size, now());
        crossing_.push({passage.reaches, number_++, passage, {buffer_.data(), buffer_.data() + size}});
      }
    }
  }

  /// Frames reach cables in order of time, not in that in which they were read: those that no later one can overtake.
  void pass_on() {
    const Seconds certain = now() + clock_.lookahead();
    while (!crossing_.empty() && crossing_.top().due <= certain) {
      Frame frame = pop(crossing_);
      const SwitchClock::Step step = clock_.pass_on(frame.passage);
      if (step == SwitchClock::Step::kOnTheWay) {
        frame.due = frame.passage.reaches;
        crossing_.push(std::move(frame));
      } else if (step == SwitchClock::Step::kArrives) {
        frame.due = frame.passage.complete;
        arriving_.push(std::move(frame));
      }
    }
  }

  void deliver() {
    for (const Seconds time = now(); !arriving_.empty() && arriving_.top().due <= time;) {
      const Frame frame = pop(arriving_);
      // An interface that is down, as at the lab's end, takes nothing.
      static_cast<void>(write(taps_[frame.passage.to], frame.content.data(), frame.content.size()) > 0);
    }
  }

  void set_timer() {
    Seconds next = std::numeric_limits<Seconds>::infinity();
    if (!crossing_.empty()) {
      next = crossing_.top().due - clock_.lookahead();
    }
    if (!arriving_.empty()) {
      next = std::min(next, arriving_.top().due);
    }
    itimerspec timer{};
    if (std::isfinite(next)) {
      timer.it_value = to_timespec(next);
    }
    timerfd_settime(timer_, TFD_TIMER_ABSTIME, &timer, nullptr);
  }

  SwitchClock clock_;
  const std::vector<int>& taps_;
  int epoll_;
  int timer_;
  std::uint64_t number_ = 0;
  FrameQueue crossing_;
  FrameQueue arriving_;
  std::array<char, kLargestFrame> buffer_{};
};

/// Late frames are wrong frames: the switch goes before whatever else runs here, as far as the system allows, also
/// before ranks that someone starts with a low real-time priority.
void hurry() {
  const sched_param priority{.sched_priority = 10};
  if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0) {
    static_cast<void>(setpriority(PRIO_PROCESS, 0, -20));
  }
  prctl(PR_SET_TIMERSLACK, 1);
  mlockall(MCL_CURRENT | MCL_FUTURE);
}

}  // namespace

void run_switch(const LabPlan& plan, const std::vector<int>& taps) {
  hurry();
  for (Switch running(plan, taps);;) {
    running.turn();
  }
}

}  // namespace postage
