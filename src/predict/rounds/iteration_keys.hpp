#pragma once

#include <postage/platform/mapping.hpp>
#include <postage/schedule/schedule.hpp>

#include <optional>
#include <vector>

namespace postage {

/// What decides how long the rounds of one iteration of a stage take, whatever the model: iterations with equal keys
/// take equally long, to the last bit.
class IterationKeys {
 public:
  using Key = std::vector<Index>;

  /// Both must outlive the object.
  IterationKeys(const Schedule& schedule, std::size_t stage, const ChannelMap& channels)
      : schedule_(schedule), stage_(stage), channels_(channels) {}

  /// Of an iteration whose patterns do not move and have messages of one size, their sizes; of one that has few
  /// messages, what these are. Nothing for others. O(patterns + messages of a walk).
  [[nodiscard]] std::optional<Key> of(Index iteration) const;

 private:
  [[nodiscard]] std::optional<Key> of_still(Index iteration) const;
  [[nodiscard]] std::optional<Key> of_few(Index iteration) const;

  const Schedule& schedule_;
  std::size_t stage_;
  const ChannelMap& channels_;
};

}  // namespace postage
