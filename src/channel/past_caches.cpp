#include "channel/past_caches.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace postage::channel {

#if defined(__x86_64__)

Ticks memory_latency() {
  alignas(64) static std::atomic<std::uint32_t> line{1};
  std::array<Ticks, 15> times{};
  for (Ticks& time : times) {
    _mm_clflush(&line);
    _mm_mfence();
    const Ticks begin = ticks();
    static_cast<void>(line.load(std::memory_order_relaxed));
    time = ticks() - begin;
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

void copy_past_caches(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  constexpr std::uint64_t kLine = 64;
  constexpr std::uint64_t kStore = sizeof(__m128i);
  // A line is spared only if it is written as a whole.
  const std::uint64_t head = std::min(bytes, (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine);
  std::memcpy(to, from, head);
  const std::uint64_t end = head + (bytes - head) / kLine * kLine;
  for (std::uint64_t at = head; at < end; at += kStore) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  }
  std::memcpy(to + end, from + end, bytes - end);
  _mm_sfence();
}

#else

Ticks memory_latency() {
  return 0;
}

void copy_past_caches(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  std::memcpy(to, from, bytes);
}

#endif

}  // namespace postage::channel
