#pragma once

#include "schedule/check/block_state.hpp"
#include "schedule/check/contributions.hpp"

namespace postage {

/// A table of one value for each rank and block.
class ValueTable {
 public:
  ValueTable(Index ranks, Index blocks) : blocks_(blocks), values_(static_cast<std::size_t>(ranks * blocks)) {}

  /// Every rank holds its own contribution to every block.
  void fill_with_own(Index ranks) {
    for (Index rank = 0; rank < ranks; ++rank) {
      for (Index block = 0; block < blocks_; ++block) {
        at(rank, block) = Contributions::run(rank, 1);
      }
    }
  }

  [[nodiscard]] Contributions::Value& at(Index rank, Index block) { return values_[index(rank, block)]; }
  [[nodiscard]] Contributions::Value at(Index rank, Index block) const { return values_[index(rank, block)]; }

  void append(Index rank, BlockRun run, std::vector<std::uint64_t>& words) const {
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(index(rank, run.first));
    words.insert(words.end(), first, first + run.count);
  }

 private:
  [[nodiscard]] std::size_t index(Index rank, Index block) const {
    return static_cast<std::size_t>(rank * blocks_ + block);
  }

  Index blocks_;
  std::vector<Contributions::Value> values_;
};

/// Why `contributions.combine(left, right)` of a block gave `mistake`, as the predicate of a sentence.
[[nodiscard]] std::string combine_mistake(const Contributions& contributions, Contributions::Value mistake, Index block,
                                          Contributions::Value left, Contributions::Value right);

}  // namespace postage
