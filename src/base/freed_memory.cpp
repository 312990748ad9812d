#include <postage/base/freed_memory.hpp>

#include <malloc.h>

namespace postage {

void keep_freed_memory() {
  constexpr int kLongestKept = 32 << 20;  // the most that glibc takes
  mallopt(M_MMAP_THRESHOLD, kLongestKept);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

}  // namespace postage
