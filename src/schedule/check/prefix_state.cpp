#include "schedule/check/value_table.hpp"

#include <fmt/format.h>

namespace postage {
namespace {

using Value = Contributions::Value;

/// scan and exscan: carry and result, see Combine.
class PrefixState : public BlockState {
 public:
  PrefixState(const Schedule& schedule, bool ordered)
      : is_exclusive_(schedule.collective == Collective::kExscan),
        ranks_(schedule.ranks),
        blocks_(schedule.layout.blocks()),
        contributions_(schedule.ranks, ordered),
        carries_(ranks_, blocks_),
        results_(ranks_, blocks_) {
    carries_.fill_with_own(ranks_);
    if (!is_exclusive_) {
      results_.fill_with_own(ranks_);
    }
  }

  Index first_missing(Index /*rank*/, BlockRun /*run*/) const override { return -1; }

  void read(Index rank, BlockRun run, std::vector<std::uint64_t>& words) const override {
    carries_.append(rank, run, words);
  }

  std::optional<std::string> deliver(Index rank, BlockRun run, Combine combine,
                                     std::span<const std::uint64_t> words) override {
    for (Index i = 0; i < run.count; ++i) {
      const Index block = run.first + i;
      const Value arriving = words[static_cast<std::size_t>(i)];
      if (combine == Combine::kCopy) {
        return fmt::format("copies block {}, but a prefix is reduced", block);
      }
      Value& carry = carries_.at(rank, block);
      const bool from_left = combine == Combine::kReduceLeft;
      if (auto mistake = update(carry, from_left ? arriving : carry, from_left ? carry : arriving, block)) {
        return mistake;
      }
      Value& result = results_.at(rank, block);
      if (from_left && result == Contributions::kNothing) {
        result = arriving;
      } else if (from_left) {
        if (auto mistake = update(result, arriving, result, block)) {
          return mistake;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> violated_postcondition() const override {
    for (Index rank = is_exclusive_ ? 1 : 0; rank < ranks_; ++rank) {
      const Index last = is_exclusive_ ? rank - 1 : rank;
      for (Index block = 0; block < blocks_; ++block) {
        const Value value = results_.at(rank, block);
        if (value != Contributions::run(0, last + 1)) {
          return fmt::format("rank {} ends with block {} reduced over {}, not over ranks 0 to {}", rank, block,
                             contributions_.describe(value), last);
        }
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<std::string> update(Value& held, Value left, Value right, Index block) {
    const Value after = contributions_.combine(left, right);
    if (after >= Contributions::kDisorder) {
      return combine_mistake(contributions_, after, block, left, right);
    }
    held = after;
    return std::nullopt;
  }

  bool is_exclusive_;
  Index ranks_;
  Index blocks_;
  Contributions contributions_;
  ValueTable carries_;
  ValueTable results_;
};

}  // namespace

std::unique_ptr<BlockState> prefix_state(const Schedule& schedule, bool ordered) {
  return std::make_unique<PrefixState>(schedule, ordered);
}

}  // namespace postage
