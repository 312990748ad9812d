#pragma once

#include <postage/measure/concurrent_sets.hpp>
#include <postage/samples/pair_structure.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace postage {

/// Jobs of so few ranks, and so few on each host, have all their pairs measured in full. Pairs of one host are measured
/// one after another, so that many of them would leave each a small share of the budget.
inline constexpr std::size_t kMostRanksWithAllPairs = 32;
inline constexpr std::ptrdiff_t kMostRanksOfHostWithAllPairs = 8;
/// The same of real hosts whose pairs disturb one another. Which pairs are alike is found out first there all the same:
/// few repetitions do not tell.
inline constexpr std::size_t kMostRanksInSeries = 4;
[[nodiscard]] bool have_all_pairs_measured(std::span<const int> host_of, bool in_series);
/// True where pairs are probed before.
[[nodiscard]] bool are_pairs_probed(std::span<const int> host_of, bool in_series);

/// Pairs that tell which pairs are alike: each rank with those 1, 2, 3, 4, 6, 8, 12, 16, ... ranks further on, up to
/// half way around: about 2 log2(count) for each rank. Groups of neighbours, and of every second, third, ... rank,
/// show. O(count log count).
[[nodiscard]] std::vector<RankPair> pairs_to_probe(Rank count);

/// Of each host the first pair over each channel within it that `pairs` hold none of. O(ranks).
[[nodiscard]] std::vector<RankPair> pairs_of_other_channels(std::span<const RankPair> pairs,
                                                            std::span<const Node> nodes,
                                                            std::span<const RankPlacement> ranks);

/// As many of the other pairs as there are ranks, by chance, or all that are left: whether they take what their class
/// says. The same ones for the same `known` and `round`.
[[nodiscard]] std::vector<RankPair> pairs_to_check(Rank count, std::span<const PairProbe> known, int round);

/// How many of the probes take more than 2 %, or within a node `within_nodes`, longer or shorter than their pairs'
/// classes, which were found without them.
[[nodiscard]] std::size_t surprises(const PairStructure& structure, std::span<const PairProbe> probes,
                                    std::span<const Node> nodes, std::span<const RankPlacement> ranks,
                                    double within_nodes = kLeastProbedDifference);

/// Jobs of so few ranks may have all their pairs probed: where hosts differ and are many steps apart, no rule tells
/// what a pair takes that was not. Probes of twice as many ranks would make samples of more than 1 MB.
inline constexpr Rank kMostRanksWithAllProbed = 64;
/// Rounds of pairs_to_check after which no more are made: three by chance and one of all that are left, or of more
/// ranks log2(count) + 2 by chance.
[[nodiscard]] int most_rounds(Rank count);

/// Checks that surprise in more than this share of a round ask for another one.
inline constexpr double kMostSurprises = 0.02;

/// What is measured in full, for all that is alike.
struct Representatives {
  std::vector<RankPair> pairs{};
  /// Ranks of each kind, on different hosts as far as possible: they send to two others, copy and reduce.
  std::vector<Rank> ranks{};
  bool operator==(const Representatives&) const = default;
};

/// Up to three pairs of each class, of different ranks; no more than about two for each rank in all, so that where
/// all ranks differ each is in some. Up to three ranks of each kind, and at least six.
[[nodiscard]] Representatives representatives_of(const PairStructure& structure, std::span<const int> host_of);

}  // namespace postage
