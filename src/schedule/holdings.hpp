#pragma once

#include <postage/schedule/schedule.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// What every rank holds of every block while a schedule is followed. The walk reads all sends of a round into one
/// buffer of words before it delivers any of them.
class Holdings {
 public:
  Holdings() = default;
  Holdings(const Holdings&) = delete;
  Holdings& operator=(const Holdings&) = delete;
  virtual ~Holdings() = default;

  /// The first block of the run that the rank does not hold, -1 where it holds all.
  [[nodiscard]] virtual Index first_missing(Index rank, BlockRun run) const = 0;

  /// Appends what the rank holds of the run: the same number of words for each block.
  virtual void read(Index rank, BlockRun run, std::vector<std::uint64_t>& words) const = 0;

  /// Takes what `read` gave. On a mistake, a sentence without its beginning: what the receiver does wrong.
  [[nodiscard]] virtual std::optional<std::string> deliver(Index rank, BlockRun run, Combine combine,
                                                           std::span<const std::uint64_t> words) = 0;

  /// The first promise of the collective that is not kept, as a sentence.
  [[nodiscard]] virtual std::optional<std::string> broken_promise() const = 0;
};

/// In the initial state of the schedule's collective.
[[nodiscard]] std::unique_ptr<Holdings> initial_holdings(const Schedule& schedule, bool ordered);

/// One for each family of collectives; `initial_holdings` chooses.
[[nodiscard]] std::unique_ptr<Holdings> barrier_holdings(const Schedule& schedule);
[[nodiscard]] std::unique_ptr<Holdings> copy_holdings(const Schedule& schedule);
[[nodiscard]] std::unique_ptr<Holdings> reduction_holdings(const Schedule& schedule, bool ordered);
[[nodiscard]] std::unique_ptr<Holdings> prefix_holdings(const Schedule& schedule, bool ordered);

}  // namespace postage
