// The counter, with an event that the kernel counts on every machine.
#include "bench/programs/miss_counter.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace postage::bench {
namespace {

constexpr std::size_t kPages = 100;

void touch_new_pages() {
  constexpr std::size_t kPage = 4096;
  void* memory = mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(memory, kPages * kPage, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < kPages; ++i) {
    static_cast<volatile char*>(memory)[i * kPage] = 1;
  }
  munmap(memory, kPages * kPage);
}

TEST(MissCounter, CountsBetweenStartAndStop) {
  MissCounter faults(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
  if (faults.error() != 0) {
    GTEST_SKIP() << "perf_event_open is refused here: errno " << faults.error();
  }
  touch_new_pages();
  EXPECT_EQ(faults.count(), 0);
  faults.start();
  touch_new_pages();
  faults.stop();
  const double counted = faults.count();
  EXPECT_GE(counted, kPages);
  touch_new_pages();
  EXPECT_EQ(faults.count(), counted);
}

TEST(MissCounter, SaysWhyItCannotCount) {
  MissCounter none(PERF_TYPE_SOFTWARE, 1 << 20);
  EXPECT_NE(none.error(), 0);
  none.start();
  none.stop();
  EXPECT_EQ(none.count(), 0);
}

}  // namespace
}  // namespace postage::bench
