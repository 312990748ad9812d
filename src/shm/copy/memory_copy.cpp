#include "shm/copy/memory_copy.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace postage::shm {

#if defined(__x86_64__)

void copy_non_temporal(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  constexpr std::uint64_t kCacheLine = 64;
  constexpr std::uint64_t kStore = sizeof(__m128i);
  // Only a line that is written as a whole is not fetched.
  const std::uint64_t head =
      std::min(bytes, (kCacheLine - reinterpret_cast<std::uintptr_t>(to) % kCacheLine) % kCacheLine);
  std::memcpy(to, from, head);
  const std::uint64_t end = head + (bytes - head) / kCacheLine * kCacheLine;
  for (std::uint64_t at = head; at < end; at += kStore) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  }
  std::memcpy(to + end, from + end, bytes - end);
  _mm_sfence();
}

#else

void copy_non_temporal(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  std::memcpy(to, from, bytes);
}

#endif

}  // namespace postage::shm
