#pragma once

#include "predict/node_ranks.hpp"

namespace postage {

/// Every rank of the ring is a source once and a target once, in every iteration equally far from one another.
[[nodiscard]] bool goes_round(const Pattern& pattern, Rank ranks);

/// True where every rank sees the same in a round, but for which node it is on: each pattern goes round, or exchanges
/// across the bits of a mask with P a power of two.
[[nodiscard]] bool all_ranks_alike(const Round& round, Index iteration, Rank ranks);

/// True where every node sees the same in a round, so that any one tells of all.
[[nodiscard]] bool all_nodes_alike(const Round& round, Index iteration, const NodeRanks& nodes);

}  // namespace postage
