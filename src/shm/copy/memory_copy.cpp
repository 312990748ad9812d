#include "shm/copy/memory_copy.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace postage::shm {

#if defined(__x86_64__)

void copy_by_blocks(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  constexpr std::uint64_t kBlock = 4 * sizeof(__m128i);
  const std::uint64_t end = bytes / kBlock * kBlock;
  for (std::uint64_t at = 0; at < end; at += kBlock) {
    const auto* source = reinterpret_cast<const __m128i*>(from + at);
    auto* target = reinterpret_cast<__m128i*>(to + at);
    const __m128i first = _mm_loadu_si128(source);
    const __m128i second = _mm_loadu_si128(source + 1);
    const __m128i third = _mm_loadu_si128(source + 2);
    const __m128i fourth = _mm_loadu_si128(source + 3);
    _mm_storeu_si128(target, first);
    _mm_storeu_si128(target + 1, second);
    _mm_storeu_si128(target + 2, third);
    _mm_storeu_si128(target + 3, fourth);
  }
  std::memcpy(to + end, from + end, bytes - end);
}

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

void copy_by_blocks(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  std::memcpy(to, from, bytes);
}

void copy_non_temporal(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  std::memcpy(to, from, bytes);
}

#endif

}  // namespace postage::shm
