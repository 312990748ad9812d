#pragma once

#include <postage/schedule/schedule.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// The symbolic state of every block at every rank while a schedule is followed. All sends of a round are read into one
/// buffer of words before any of them is delivered.
class BlockState {
 public:
  BlockState() = default;
  BlockState(const BlockState&) = delete;
  BlockState& operator=(const BlockState&) = delete;
  virtual ~BlockState() = default;

  /// The first block of the run that the rank does not hold, -1 where it holds all.
  [[nodiscard]] virtual Index first_missing(Index rank, BlockRun run) const = 0;

  /// Appends what the rank holds of the run: the same number of words for each block.
  virtual void read(Index rank, BlockRun run, std::vector<std::uint64_t>& words) const = 0;

  /// Takes what `read` gave. On a mistake, the predicate of a sentence whose subject is the receiver.
  [[nodiscard]] virtual std::optional<std::string> deliver(Index rank, BlockRun run, Combine combine,
                                                           std::span<const std::uint64_t> words) = 0;

  /// The first postcondition of the collective that does not hold, as a sentence.
  [[nodiscard]] virtual std::optional<std::string> violated_postcondition() const = 0;
};

/// In the initial state of the schedule's collective.
[[nodiscard]] std::unique_ptr<BlockState> initial_state(const Schedule& schedule, bool ordered);

/// One for each family of collectives; `initial_state` chooses.
[[nodiscard]] std::unique_ptr<BlockState> barrier_state(const Schedule& schedule);
[[nodiscard]] std::unique_ptr<BlockState> copy_state(const Schedule& schedule);
[[nodiscard]] std::unique_ptr<BlockState> reduction_state(const Schedule& schedule, bool ordered);
[[nodiscard]] std::unique_ptr<BlockState> prefix_state(const Schedule& schedule, bool ordered);

}  // namespace postage
