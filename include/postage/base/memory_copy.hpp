#pragma once

#include <postage/base/units.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace postage {

/// A memcpy of 64 bytes at a time, of memory that does not overlap. Elsewhere than on x86-64, a memcpy.
inline void copy_by_blocks(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  std::uint64_t end = 0;
#if defined(__x86_64__)
  constexpr std::uint64_t kBlock = 4 * sizeof(__m128i);
  end = bytes / kBlock * kBlock;
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
#endif
  std::memcpy(to + end, from + end, bytes - end);
}

/// A memmove. The C library leaves long copies to `rep movsb`, which takes ten to twenty times as long where the target
/// has another offset from a multiple of 16 than the source, on many processors only where it is a few bytes further
/// into its page: those are copied by blocks.
inline void move_memory(std::byte* to, const std::byte* from, Bytes bytes) {
  constexpr Bytes kLeastByBlocks = 1024;
  constexpr std::uint64_t kUnit = 16;
  const std::uint64_t distance = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  const auto length = static_cast<std::uint64_t>(bytes);
  const bool overlaps = distance < length || 0 - distance < length;
  if (bytes == 0) {
    return;  // of no memory
  }
  if (bytes < kLeastByBlocks || distance % kUnit == 0 || overlaps) {
    std::memmove(to, from, length);
  } else {
    copy_by_blocks(to, from, length);
  }
}

}  // namespace postage
