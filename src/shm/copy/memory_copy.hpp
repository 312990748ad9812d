#pragma once

#include <postage/base/memory_copy.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace postage::shm {

/// A time in units of the processor's time-stamp counter; always zero where there is none (not x86-64).
using Ticks = std::uint64_t;

/// The counter now: after all loads before the call, before all loads after it.
[[nodiscard]] inline Ticks ticks() {
#if defined(__x86_64__)
  __builtin_ia32_lfence();
  const Ticks now = __builtin_ia32_rdtsc();
  __builtin_ia32_lfence();
  return now;
#else
  return 0;
#endif
}

/// Waits until every store of this core is in its cache or in memory.
inline void finish_stores() {
#if defined(__x86_64__)
  __builtin_ia32_mfence();
#endif
}

/// Asks for lines that the receiver's core holds, all at once: stores would ask for one after another.
inline void prefetch_for_writing(std::byte* memory, std::uint64_t bytes) {
#if defined(__x86_64__)
  constexpr std::uint64_t kCacheLine = 64;
  for (std::uint64_t at = 0; at < bytes; at += kCacheLine) {
    asm volatile("prefetchw %0" : : "m"(memory[at]));
  }
#else
  static_cast<void>(memory);
  static_cast<void>(bytes);
#endif
}

/// Of memory that does not overlap, and that is often misaligned (see move_memory).
inline void copy_bytes(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  constexpr std::uint64_t kLeastByBlocks = 1024;
  if (bytes < kLeastByBlocks) {
    std::memcpy(to, from, bytes);
  } else {
    copy_by_blocks(to, from, bytes);
  }
}

/// Copies with non-temporal stores, which write to memory without fetching the lines of `to`. Complete for whoever sees
/// a later store of this core. Elsewhere than on x86-64, a memcpy.
void copy_non_temporal(std::byte* to, const std::byte* from, std::uint64_t bytes);

}  // namespace postage::shm
