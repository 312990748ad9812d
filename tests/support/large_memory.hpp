#pragma once

#include "support/ranks.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <span>

namespace postage::test {

/// Memory without contents, in pages as large as there are: a hundred times fewer page faults.
inline std::span<std::byte> new_memory(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(memory != MAP_FAILED, "memory");
  madvise(memory, bytes, MADV_HUGEPAGE);
  return {static_cast<std::byte*>(memory), bytes};
}

/// The period again and again, in the memory of one.
inline std::span<const std::byte> repeated(std::span<const std::byte> period, std::size_t bytes) {
  const int file = memfd_create("period", 0);
  require(write(file, period.data(), period.size()) == static_cast<ssize_t>(period.size()), "a file of one period");
  const std::span memory = new_memory(bytes);
  for (std::size_t at = 0; at < bytes; at += period.size()) {
    const std::size_t length = std::min(period.size(), bytes - at);
    require(mmap(memory.data() + at, length, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED, "a period");
  }
  close(file);
  return memory;
}

}  // namespace postage::test
