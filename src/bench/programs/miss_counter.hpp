#pragma once

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace postage::bench {

/// What the processor or the kernel counts for this process, in user space and in the kernel: by default misses of the
/// last cache, copies that the kernel makes for the process included. Virtual machines often have no such counter, and
/// /proc/sys/kernel/perf_event_paranoid above 1 refuses it to ordinary users.
class MissCounter {
 public:
  explicit MissCounter(std::uint32_t type = PERF_TYPE_HARDWARE, std::uint64_t event = PERF_COUNT_HW_CACHE_MISSES) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = type;
    attributes.config = event;
    attributes.disabled = 1;
    file_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
    error_ = file_ < 0 ? errno : 0;
  }
  ~MissCounter() {
    if (file_ >= 0) {
      close(file_);
    }
  }
  MissCounter(const MissCounter&) = delete;
  MissCounter& operator=(const MissCounter&) = delete;

  /// 0, or the errno of perf_event_open; then nothing is counted.
  [[nodiscard]] int error() const { return error_; }
  void start() { control(PERF_EVENT_IOC_ENABLE); }
  void stop() { control(PERF_EVENT_IOC_DISABLE); }
  /// Between all starts and stops so far.
  [[nodiscard]] double count() const {
    std::uint64_t value = 0;
    return file_ >= 0 && read(file_, &value, sizeof value) == sizeof value ? static_cast<double>(value) : 0;
  }

 private:
  void control(unsigned long request) const {
    if (file_ >= 0) {
      ioctl(file_, request, 0);
    }
  }

  int file_ = -1;
  int error_ = 0;
};

}  // namespace postage::bench
