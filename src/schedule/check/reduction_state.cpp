#include "schedule/check/value_table.hpp"

#include <fmt/format.h>

namespace postage {
namespace {

using Value = Contributions::Value;

/// reduce, allreduce, reduce_scatter: one value of each block at each rank.
class ReductionState : public BlockState {
 public:
  ReductionState(const Schedule& schedule, bool ordered)
      : collective_(schedule.collective),
        ranks_(schedule.ranks),
        root_(schedule.root),
        blocks_(schedule.layout.blocks()),
        contributions_(schedule.ranks, ordered),
        values_(ranks_, blocks_) {
    values_.fill_with_own(ranks_);
  }

  Index first_missing(Index /*rank*/, BlockRun /*run*/) const override { return -1; }

  void read(Index rank, BlockRun run, std::vector<std::uint64_t>& words) const override {
    values_.append(rank, run, words);
  }

  std::optional<std::string> deliver(Index rank, BlockRun run, Combine combine,
                                     std::span<const std::uint64_t> words) override {
    for (Index i = 0; i < run.count; ++i) {
      Value& own = values_.at(rank, run.first + i);
      const Value arriving = words[static_cast<std::size_t>(i)];
      const Value left = combine == Combine::kReduceLeft ? arriving : own;
      const Value right = combine == Combine::kReduceLeft ? own : arriving;
      const Value after = combine == Combine::kCopy ? arriving : contributions_.combine(left, right);
      if (after >= Contributions::kDisorder) {
        return combine_mistake(contributions_, after, run.first + i, left, right);
      }
      own = after;
    }
    return std::nullopt;
  }

  std::optional<std::string> violated_postcondition() const override {
    for (Index block = 0; block < blocks_; ++block) {
      const auto [first, count] = owners(block);
      for (Index rank = first; rank < first + count; ++rank) {
        const Value value = values_.at(rank, block);
        if (value != Contributions::run(0, ranks_)) {
          return fmt::format("rank {} ends with block {} reduced over {} only, not over ranks 0 to {}", rank, block,
                             contributions_.describe(value), ranks_ - 1);
        }
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] IndexRange owners(Index block) const {
    switch (collective_) {
      case Collective::kReduce:
        return {root_, 1};
      case Collective::kReduceScatter:
        return {block, 1};
      default:
        return {0, ranks_};
    }
  }

  Collective collective_;
  Index ranks_;
  Index root_;
  Index blocks_;
  Contributions contributions_;
  ValueTable values_;
};

}  // namespace

std::unique_ptr<BlockState> reduction_state(const Schedule& schedule, bool ordered) {
  return std::make_unique<ReductionState>(schedule, ordered);
}

}  // namespace postage
