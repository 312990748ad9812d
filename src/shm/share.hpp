#pragma once

#include <atomic>
#include <cstdint>

namespace postage::shm {

// A message that two processes copy together, each claiming parts of it until none are left. It is the receiver's,
// which begins a new turn for each message; a sender that comes late, when the turn is over, finds nothing to claim.
// The sender writes into the receiver's memory only between a claim and the report that follows it, so that the
// receiver knows when its buffer is its own again.
//
// `Word` and `LongWord` are atomics of 32 and 64 bits, or what a checker puts in their place.

template <typename LongWord, typename Word>
struct alignas(64) BasicShare {
  LongWord claims;  ///< turn (high half) and parts claimed in it (low half)
  Word written;     ///< parts that the sender has written
  Word left_over;   ///< number + 1 of a part that the sender claimed and could not write
};

inline constexpr std::uint64_t kPartsOfClaims = 0xffffffff;

/// The receiver's, before it tells the sender.
template <typename LongWord, typename Word>
void begin_turn(BasicShare<LongWord, Word>& share, std::uint32_t turn) {
  share.written.store(0, std::memory_order_relaxed);
  share.left_over.store(0, std::memory_order_relaxed);
  share.claims.store(std::uint64_t{turn} << 32, std::memory_order_release);
}

/// Claims the next part of a turn; false where there is none, or the turn is over.
template <typename LongWord, typename Word>
bool claim(BasicShare<LongWord, Word>& share, std::uint32_t turn, std::uint32_t parts, std::uint32_t& part) {
  std::uint64_t claims = share.claims.load(std::memory_order_acquire);
  while (claims >> 32 == turn && (claims & kPartsOfClaims) < parts) {
    if (share.claims.compare_exchange_weak(claims, claims + 1, std::memory_order_acq_rel)) {
      part = static_cast<std::uint32_t>(claims & kPartsOfClaims);
      return true;
    }
  }
  return false;
}

/// The sender's reports on a part that it claimed.
template <typename LongWord, typename Word>
void report_written(BasicShare<LongWord, Word>& share) {
  share.written.fetch_add(1, std::memory_order_release);
}

/// After this the sender claims nothing more.
template <typename LongWord, typename Word>
void report_left_over(BasicShare<LongWord, Word>& share, std::uint32_t part) {
  share.left_over.store(part + 1, std::memory_order_release);
}

/// Nobody claims anything of this turn any more. How many parts had been claimed.
template <typename LongWord, typename Word>
std::uint32_t end_turn(BasicShare<LongWord, Word>& share, std::uint32_t turn, std::uint32_t parts) {
  return static_cast<std::uint32_t>(
      share.claims.exchange(std::uint64_t{turn} << 32 | parts, std::memory_order_acq_rel) & kPartsOfClaims);
}

/// Parts that the sender has claimed and reported on.
template <typename LongWord, typename Word>
[[nodiscard]] std::uint32_t reported(BasicShare<LongWord, Word>& share) {
  return share.written.load(std::memory_order_acquire) +
         (share.left_over.load(std::memory_order_acquire) > 0 ? 1U : 0U);
}

using Share = BasicShare<std::atomic<std::uint64_t>, std::atomic<std::uint32_t>>;

}  // namespace postage::shm
