#include "schedule/check/block_state.hpp"

#include <fmt/format.h>

namespace postage {
namespace {

/// A barrier: the set of ranks that each rank knows to have arrived. Tokens carry the whole set, so that the run says
/// nothing.
class BarrierState : public BlockState {
 public:
  explicit BarrierState(Index ranks) : ranks_(ranks), words_((ranks + 63) / 64) {
    known_.resize(static_cast<std::size_t>(ranks * words_), 0);
    for (Index rank = 0; rank < ranks; ++rank) {
      at(rank, rank / 64) |= 1ULL << static_cast<unsigned>(rank % 64);
    }
  }

  Index first_missing(Index /*rank*/, BlockRun /*run*/) const override { return -1; }

  void read(Index rank, BlockRun /*run*/, std::vector<std::uint64_t>& words) const override {
    const auto row = known_.begin() + rank * words_;
    words.insert(words.end(), row, row + words_);
  }

  std::optional<std::string> deliver(Index rank, BlockRun /*run*/, Combine /*combine*/,
                                     std::span<const std::uint64_t> words) override {
    for (Index w = 0; w < words_; ++w) {
      at(rank, w) |= words[static_cast<std::size_t>(w)];
    }
    return std::nullopt;
  }

  std::optional<std::string> violated_postcondition() const override {
    for (Index rank = 0; rank < ranks_; ++rank) {
      for (Index other = 0; other < ranks_; ++other) {
        const std::uint64_t word = known_[static_cast<std::size_t>(rank * words_ + other / 64)];
        if ((word >> static_cast<unsigned>(other % 64) & 1U) == 0) {
          return fmt::format("rank {} may leave the barrier before rank {} has entered it", rank, other);
        }
      }
    }
    return std::nullopt;
  }

 private:
  std::uint64_t& at(Index rank, Index word) { return known_[static_cast<std::size_t>(rank * words_ + word)]; }

  Index ranks_;
  Index words_;
  std::vector<std::uint64_t> known_;
};

}  // namespace

std::unique_ptr<BlockState> barrier_state(const Schedule& schedule) {
  return std::make_unique<BarrierState>(schedule.ranks);
}

}  // namespace postage
