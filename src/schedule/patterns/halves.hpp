#pragma once

#include <postage/schedule/schedule.hpp>

#include <vector>

namespace postage {

/// Two blocks from virtual rank 0 to all `ranks` virtual ranks in two phases: the first half of the ranks gets block 0
/// down a binomial tree, the second half, from its first rank, block 1; then each rank gets what it lacks from its
/// partner in the other half (the odd one out from rank 0).
/// Q. Ali, S. P. Midkiff, V. S. Pai, Modeling advanced collective communication algorithms on Cell-based systems,
/// PPoPP 2010, section 5.2. ceil(log2(ranks)) + 1 rounds.
[[nodiscard]] std::vector<Round> halves_bcast(Index ranks, const Numbering& numbering);

}  // namespace postage
