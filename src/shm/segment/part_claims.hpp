#pragma once

#include <atomic>
#include <cstdint>

namespace postage::shm {

// Cooperative get and put: two processes copy one message, each claiming parts of it until none are left. The claims
// are the receiver's, which begins a new turn for each message; a sender that comes late, when the turn is over, finds
// nothing to claim. The sender writes into the receiver's memory only between a claim and the report that follows it,
// so that the receiver knows when its buffer is its own again.
//
// `Word` and `LongWord` are atomics of 32 and 64 bits, or what a checker puts in their place.

template <typename LongWord, typename Word>
struct alignas(64) BasicPartClaims {
  LongWord word;   ///< turn (high half) and parts claimed in it (low half)
  Word written;    ///< parts that the sender has written
  Word left_over;  ///< number + 1 of a part that the sender claimed and could not write
};

inline constexpr std::uint64_t kPartsOfWord = 0xffffffff;

/// The receiver's, before it tells the sender.
template <typename LongWord, typename Word>
void begin_turn(BasicPartClaims<LongWord, Word>& claims, std::uint32_t turn) {
  claims.written.store(0, std::memory_order_relaxed);
  claims.left_over.store(0, std::memory_order_relaxed);
  claims.word.store(std::uint64_t{turn} << 32, std::memory_order_release);
}

/// Claims the next part of a turn; false where there is none, or the turn is over.
template <typename LongWord, typename Word>
bool claim(BasicPartClaims<LongWord, Word>& claims, std::uint32_t turn, std::uint32_t parts, std::uint32_t& part) {
  std::uint64_t word = claims.word.load(std::memory_order_acquire);
  while (word >> 32 == turn && (word & kPartsOfWord) < parts) {
    if (claims.word.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel)) {
      part = static_cast<std::uint32_t>(word & kPartsOfWord);
      return true;
    }
  }
  return false;
}

/// The sender's reports on a part that it claimed.
template <typename LongWord, typename Word>
void report_written(BasicPartClaims<LongWord, Word>& claims) {
  claims.written.fetch_add(1, std::memory_order_release);
}

/// After this the sender claims nothing more.
template <typename LongWord, typename Word>
void report_left_over(BasicPartClaims<LongWord, Word>& claims, std::uint32_t part) {
  claims.left_over.store(part + 1, std::memory_order_release);
}

/// Nobody claims anything of this turn any more. How many parts had been claimed.
template <typename LongWord, typename Word>
std::uint32_t end_turn(BasicPartClaims<LongWord, Word>& claims, std::uint32_t turn, std::uint32_t parts) {
  return static_cast<std::uint32_t>(claims.word.exchange(std::uint64_t{turn} << 32 | parts, std::memory_order_acq_rel) &
                                    kPartsOfWord);
}

/// Parts that the sender has claimed and reported on.
template <typename LongWord, typename Word>
[[nodiscard]] std::uint32_t reported(BasicPartClaims<LongWord, Word>& claims) {
  return claims.written.load(std::memory_order_acquire) +
         (claims.left_over.load(std::memory_order_acquire) > 0 ? 1U : 0U);
}

using PartClaims = BasicPartClaims<std::atomic<std::uint64_t>, std::atomic<std::uint32_t>>;

}  // namespace postage::shm
