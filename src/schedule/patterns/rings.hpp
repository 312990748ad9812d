#pragma once

#include <postage/schedule/schedule.hpp>

namespace postage {

/// As many blocks as virtual ranks; v starts with block v + first (mod ranks), and in ranks - 1 iterations every rank
/// passes on to the next what it got last.
[[nodiscard]] Stage ring_allgather(Index ranks, Index first, const Numbering& numbering);

/// In the same direction, each rank adding its contribution: v starts with block v and ends with all of block v + 1
/// (mod ranks). Each block's contributions are combined in the ring's order, which starts elsewhere for each block.
[[nodiscard]] Stage ring_reduce_scatter(Index ranks, const Numbering& numbering);

}  // namespace postage
