#pragma once

#include "measure/campaign/stages.hpp"

namespace postage {

/// The pairs to measure in full, in concurrent sets.
[[nodiscard]] std::vector<ConcurrentSet> pairs_of(const StageRanks& ranks);

/// Triplets of all ranks, or of representatives alone: see triplets_to_measure.
[[nodiscard]] std::vector<ConcurrentSet> triplets_of(const StageRanks& ranks, int at_least);

/// Each first rank of a triplet with the two others, without the pairs that are measured in full.
[[nodiscard]] std::vector<ConcurrentSet> further_pairs(const StageRanks& ranks,
                                                       const std::vector<ConcurrentSet>& triplets);

/// The first rank of each host, or of each that has a representative.
[[nodiscard]] ConcurrentSet one_of_each_host(const StageRanks& ranks);

/// channels_among, with those of their units that hold representatives, and no more than some of them.
[[nodiscard]] std::vector<ChannelRanks> measured_channels(const StageRanks& ranks);

}  // namespace postage
