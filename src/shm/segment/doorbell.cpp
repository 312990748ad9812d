#include "shm/segment/doorbell.hpp"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace postage::shm {

void Linux::wait(std::atomic<std::uint32_t>& word, std::uint32_t seen, Seconds longest) {
  const auto whole = static_cast<time_t>(longest);
  const timespec limit{whole, static_cast<long>((longest - static_cast<Seconds>(whole)) * 1e9)};
  // Returns at once where a ring came since.
  syscall(SYS_futex, &word, FUTEX_WAIT, seen, &limit, nullptr, 0);
}

void Linux::wake(std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void Linux::barrier_everywhere() {
  syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
}

bool Linux::register_for_barriers() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0 &&
         syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) == 0;
}

}  // namespace postage::shm
