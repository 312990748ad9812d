#pragma once

#include "predict/node_ranks.hpp"

#include <optional>
#include <span>
#include <vector>

namespace postage {

/// The ranks of a job that sit where ranks were measured, so that models may have parameters of theirs. All others have
/// those of their channels, and of a job that is larger than what was measured most are such: they are looked at by
/// kinds.
class MeasuredRanks {
 public:
  /// O(P).
  MeasuredRanks(const ChannelMap& channels, Rank ranks);

  /// Ascending.
  [[nodiscard]] const std::vector<Rank>& ranks() const { return ranks_; }

  /// Those, and all with whom they have a message in the round, ascending; nothing where these are more than `most`.
  /// O(measured ranks * patterns + partners log partners).
  [[nodiscard]] std::optional<std::vector<Rank>> with_partners(const Round& round, Index iteration,
                                                               std::size_t most) const;

 private:
  std::vector<Rank> ranks_;
};

/// Sorts them, and leaves each once.
void sort_once(std::vector<Rank>& ranks);

/// For each slot of a node a rank that is not among `others`, which ascend, where there is one: of full nodes that are
/// alike. O((slots + others) log others).
[[nodiscard]] std::vector<Rank> one_of_each_slot(const NodeRanks& nodes, std::span<const Rank> others);

}  // namespace postage
