#pragma once

#include "shm/collectives/direct_state.hpp"

namespace postage::shm {

// What two ranks do otherwise than more of them: both know how long each block of a v-variant is, so that long ones go
// through slots in pieces too; and what one has and the other wants, both move at once.

/// Who sends gives the block for its peer, and who receives the place of that from its peer; either may have none. The
/// own block, of `own_bytes`, goes from `own` to `own_place` meanwhile.
struct PairMove {
  const std::byte* out = nullptr;
  Bytes out_bytes = 0;
  std::byte* in = nullptr;
  Bytes in_bytes = 0;
  const std::byte* own = nullptr;
  std::byte* own_place = nullptr;
  Bytes own_bytes = 0;
  bool sends = true;
  bool receives = true;
};

void move_between_two(DirectState& state, const PairMove& move);

/// Whether so many bytes that one of two ranks has and the other wants are moved by both of them; `beside_own`: while
/// one of them has a block of its own to copy.
[[nodiscard]] bool is_moved_by_both(const DirectState& state, Bytes bytes, bool beside_own = false);
/// One part is read by who wants it, the rest is written by who has it, so that both are busy for as long. Of a move
/// that either sends or receives.
void move_by_both(DirectState& state, const PairMove& move);
/// The same of what one of two ranks, `giver`, has at `out` and the other one wants at `in`.
inline void give_by_both(DirectState& state, std::int32_t giver, const std::byte* out, std::byte* in, Bytes bytes) {
  move_by_both(state, state.rank() == giver ? PairMove{.out = out, .out_bytes = bytes, .receives = false}
                                            : PairMove{.in = in, .in_bytes = bytes, .sends = false});
}

}  // namespace postage::shm
