#include "schedule/contributions.hpp"
#include "schedule/holdings.hpp"

#include <fmt/format.h>

namespace postage {
namespace {

using Value = Contributions::Value;

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

  [[nodiscard]] Value& at(Index rank, Index block) { return values_[index(rank, block)]; }
  [[nodiscard]] Value at(Index rank, Index block) const { return values_[index(rank, block)]; }

  void append(Index rank, BlockRun run, std::vector<std::uint64_t>& words) const {
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(index(rank, run.first));
    words.insert(words.end(), first, first + run.count);
  }

 private:
  [[nodiscard]] std::size_t index(Index rank, Index block) const {
    return static_cast<std::size_t>(rank * blocks_ + block);
  }

  Index blocks_;
  std::vector<Value> values_;
};

std::string combine_mistake(const Contributions& contributions, Value mistake, Index block, Value left, Value right) {
  const std::string sides =
      fmt::format("those of {} and of {}", contributions.describe(left), contributions.describe(right));
  return mistake == Contributions::kOverlap
             ? fmt::format("reduces block {} with contributions that it already has: {}", block, sides)
             : fmt::format("reduces block {} out of rank order: {}", block, sides);
}

/// reduce, allreduce, reduce_scatter: one value of each block at each rank.
class ReductionHoldings : public Holdings {
 public:
  ReductionHoldings(const Schedule& schedule, bool ordered)
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

  std::optional<std::string> broken_promise() const override {
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

/// scan and exscan: carry and result, see Combine.
class PrefixHoldings : public Holdings {
 public:
  PrefixHoldings(const Schedule& schedule, bool ordered)
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

  std::optional<std::string> broken_promise() const override {
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

std::unique_ptr<Holdings> reduction_holdings(const Schedule& schedule, bool ordered) {
  return std::make_unique<ReductionHoldings>(schedule, ordered);
}

std::unique_ptr<Holdings> prefix_holdings(const Schedule& schedule, bool ordered) {
  return std::make_unique<PrefixHoldings>(schedule, ordered);
}

}  // namespace postage
