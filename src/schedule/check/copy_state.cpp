#include "schedule/check/block_state.hpp"

#include <fmt/format.h>

#include <unordered_set>

namespace postage {
namespace {

/// Which (rank, block) pairs have been received: bits where that is affordable, a hash set otherwise (alltoall among
/// thousands of ranks), in which what has reached its last rank is kept as bits.
class Received {
 public:
  Received(Index ranks, Index blocks) : ranks_(ranks), blocks_(blocks), is_dense_(ranks * blocks <= kDenseBits) {
    bits_.resize(static_cast<std::size_t>(is_dense_ ? ranks * blocks : blocks), false);
  }

  [[nodiscard]] bool has(Index rank, Index block) const {
    if (is_dense_ || is_home(rank, block)) {
      return bits_[bit_of(rank, block)];
    }
    return forwarded_.count(rank * blocks_ + block) > 0;
  }

  void insert(Index rank, Index block) {
    if (is_dense_ || is_home(rank, block)) {
      bits_[bit_of(rank, block)] = true;
    } else {
      forwarded_.insert(rank * blocks_ + block);
    }
  }

 private:
  static constexpr Index kDenseBits = Index{1} << 31;
  [[nodiscard]] bool is_home(Index rank, Index block) const { return block % ranks_ == rank; }
  [[nodiscard]] std::size_t bit_of(Index rank, Index block) const {
    return static_cast<std::size_t>(is_dense_ ? rank * blocks_ + block : block);
  }

  Index ranks_;
  Index blocks_;
  bool is_dense_;
  std::vector<bool> bits_;
  std::unordered_set<Index> forwarded_;
};

/// The collectives that only move blocks.
class CopyState : public BlockState {
 public:
  explicit CopyState(const Schedule& schedule)
      : collective_(schedule.collective),
        ranks_(schedule.ranks),
        root_(schedule.root),
        blocks_(schedule.layout.blocks()),
        received_(ranks_, blocks_) {}

  Index first_missing(Index rank, BlockRun run) const override {
    for (Index block = run.first; block < run.first + run.count; ++block) {
      if (!holds(rank, block)) {
        return block;
      }
    }
    return -1;
  }

  void read(Index /*rank*/, BlockRun /*run*/, std::vector<std::uint64_t>& /*words*/) const override {}

  std::optional<std::string> deliver(Index rank, BlockRun run, Combine combine,
                                     std::span<const std::uint64_t> /*words*/) override {
    if (combine != Combine::kCopy) {
      return fmt::format("reduces block {}, but {} has no operation", run.first, name_of(collective_));
    }
    for (Index block = run.first; block < run.first + run.count; ++block) {
      received_.insert(rank, block);
    }
    return std::nullopt;
  }

  std::optional<std::string> violated_postcondition() const override {
    for (Index block = 0; block < blocks_; ++block) {
      const auto [first, count] = owners(block);
      for (Index rank = first; rank < first + count; ++rank) {
        if (!holds(rank, block)) {
          return fmt::format("rank {} ends without block {}", rank, block);
        }
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool holds(Index rank, Index block) const {
    return starts_with(rank, block) || received_.has(rank, block);
  }

  [[nodiscard]] bool starts_with(Index rank, Index block) const {
    switch (collective_) {
      case Collective::kBcast:
      case Collective::kScatter:
        return rank == root_;
      case Collective::kAlltoall:
        return block / ranks_ == rank;
      default:
        return block == rank;
    }
  }

  /// The ranks that must end with the block.
  [[nodiscard]] IndexRange owners(Index block) const {
    switch (collective_) {
      case Collective::kScatter:
        return {block, 1};
      case Collective::kGather:
        return {root_, 1};
      case Collective::kAlltoall:
        return {block % ranks_, 1};
      default:
        return {0, ranks_};
    }
  }

  Collective collective_;
  Index ranks_;
  Index root_;
  Index blocks_;
  Received received_;
};

}  // namespace

std::unique_ptr<BlockState> copy_state(const Schedule& schedule) {
  return std::make_unique<CopyState>(schedule);
}

}  // namespace postage
