#pragma once

#include "shm/collectives/direct_state.hpp"

namespace postage::shm {

// V-variants of two ranks, who both know how long each block is, so that long ones go through slots in pieces too.

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

}  // namespace postage::shm
