#pragma once

#include <postage/schedule/schedule.hpp>

#include <vector>

namespace postage {

/// P = core + remainder ranks, where `core` is a power of two and remainder < core.
struct PowerOfTwoCore {
  Index core = 1;
  Index remainder = 0;
};
[[nodiscard]] PowerOfTwoCore core_of(Index ranks);

/// The core's ranks after `fold` or `fold_halves`, in the order in which `halving_reduce_scatter` combines neighbours
/// first, then pairs of neighbours, ...: contributions stay in rank order.
[[nodiscard]] FoldedNumbering neighbours_first(const PowerOfTwoCore& size, bool keep_odd);

/// v -> v + distance and v + distance -> v for every v whose bit `distance` (a power of two) is clear, as far as both
/// are virtual ranks below `ranks`, which is any number.
[[nodiscard]] TiledPairs to_upper(Index ranks, Index distance);
[[nodiscard]] TiledPairs to_lower(Index ranks, Index distance);

/// What an exchange does with what arrives: take it, or combine it with the receiver's, the lower rank's on the left.
enum class Exchange { kCopy, kReduce };

/// Both partners at a distance send each other `blocks`.
[[nodiscard]] Round exchange(Index ranks, Index distance, const Numbering& numbering, const BlockSelector& blocks,
                             Exchange kind);

/// Recursive doubling of whole values: exchanges at distances 1, 2, 4, ... of those who have a partner below `ranks`.
/// For a power of two every rank gets all contributions; for any number of ranks, those of all lower ones.
[[nodiscard]] std::vector<Round> doubling_exchanges(Index ranks, const Numbering& numbering,
                                                    const BlockSelector& blocks, Exchange kind);

/// Reduce-scatter by recursive halving among `ranks` virtual ranks, a power of two and the number of blocks: exchanges
/// at distances ranks/2, ..., 2, 1 of the half that the partner goes on with; virtual rank v ends with block v.
[[nodiscard]] std::vector<Round> halving_reduce_scatter(Index ranks, const Numbering& numbering);

/// Allgather by recursive doubling among any number of virtual ranks, the number of blocks; v starts with block v.
/// Where the last run of a distance is short, those who have no partner get what they miss in a binomial tree from
/// those who had one (Thakur, Rabenseifner, Gropp, section 4.1). At most 2*ceil(log2(ranks)) rounds.
[[nodiscard]] std::vector<Round> doubling_allgather(Index ranks, const Numbering& numbering);

/// Binomial gather among `ranks` virtual ranks, a power of two and the number of blocks, to virtual rank `root`, by
/// doubling distances below `below`: then to every virtual rank that is `root` modulo `below`. v starts with block v.
[[nodiscard]] std::vector<Round> binomial_gather(Index ranks, Index root, Index below, const Numbering& numbering);

// The following have no rounds where remainder is 0.

/// Of the first 2*remainder virtual ranks every second one hands its vector to its neighbour, which stays; `unfold`
/// hands the result back. The neighbours that stay have even or odd numbers. See FoldedNumbering.
[[nodiscard]] std::vector<Round> fold(Index remainder, bool keep_odd, const Numbering& numbering,
                                      const BlockSelector& blocks);
[[nodiscard]] std::vector<Round> unfold(Index remainder, bool keep_odd, const Numbering& numbering,
                                        const BlockSelector& blocks);

/// The fold in two rounds of half the work: the neighbours exchange and reduce one half of the `blocks` blocks each
/// (an even number), and the one that leaves hands over its half (Rabenseifner).
[[nodiscard]] std::vector<Round> fold_halves(Index remainder, bool keep_odd, const Numbering& numbering, Index blocks);

/// The ranks from `core` on hand their vector to the rank that is `core` lower, and get the result back (Ali et al.,
/// section 4).
[[nodiscard]] std::vector<Round> fold_upper(const PowerOfTwoCore& size, const Numbering& numbering,
                                            const BlockSelector& blocks, Combine combine);
[[nodiscard]] std::vector<Round> unfold_upper(const PowerOfTwoCore& size, const Numbering& numbering,
                                              const BlockSelector& blocks);

/// Adds `more` at the end.
void append(std::vector<Round>& rounds, const std::vector<Round>& more);

}  // namespace postage
