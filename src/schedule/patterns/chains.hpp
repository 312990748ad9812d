#pragma once

#include <postage/schedule/schedule.hpp>

namespace postage {

// Virtual ranks 1, 2, ... cut into `chains` chains of consecutive ranks (at most one for each rank), as evenly as
// possible, the longer ones first. Virtual rank 0 is before the first rank of each.

/// Rank 0 sends `blocks` to the first rank of each chain, then each rank to the next. Iteration t is the t-th step
/// along the chains.
[[nodiscard]] Stage chains_down(Index ranks, Index chains, const Numbering& numbering, const BlockSelector& blocks);

/// The same backwards: each chain combines towards its first rank, and rank 0 combines one chain after the other, so
/// that all is combined in the order of the virtual ranks.
[[nodiscard]] Stage chains_up(Index ranks, Index chains, const Numbering& numbering, const BlockSelector& blocks);

/// A single chain from rank 0 to the last one.
[[nodiscard]] Stage pipeline_down(Index ranks, const Numbering& numbering, const BlockSelector& blocks,
                                  Combine combine);

/// A single chain from the last rank to rank 0, combined in the order of the virtual ranks.
[[nodiscard]] Stage pipeline_up(Index ranks, const Numbering& numbering, const BlockSelector& blocks);

}  // namespace postage
