#pragma once

#include <postage/predict/flows/flows.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace postage {

/// Messages that start together, `times` times one after another.
struct MessagePhase {
  std::vector<StartedMessage> messages{};
  double times = 1;
};

/// Predicted seconds of phases for one placement of ranks on slots, which changes by swaps. A phase takes what its
/// slowest rank takes, as sum_rounds has it for a round: every message is charged with those that share its node's
/// memory or network card; under tau-Lop ranks move in step. Under a model of flows a phase also takes no less than the
/// bytes on each link between switches take on it. Acknowledged gets (ModelProperties::gets_data) are taken as
/// messages.
///
/// O(messages) to begin with. A swap costs O(m log P), where m are the messages of the two ranks and, under a model
/// that feels contention, those of the ranks on the nodes whose number of messages the swap changes: at most the two
/// ranks' nodes and their partners'.
class PlacementCost {
 public:
  /// As many ranks as `slots.mapping()` has, rank r on slot r: where that mapping puts rank r. `slots` and `model` must
  /// live as long. Throws UsageError for a message of another rank, Error where a channel is unknown.
  PlacementCost(std::span<const MessagePhase> phases, const ChannelMap& slots, const Model& model);
  ~PlacementCost();
  PlacementCost(PlacementCost&&) noexcept;
  PlacementCost& operator=(PlacementCost&&) noexcept;

  /// Puts each rank on a slot of its own. Throws UsageError where one is taken twice or is none, naming it.
  void place(const std::vector<Rank>& slot_of_rank);
  /// Two ranks take each other's slot.
  void swap(Rank a, Rank b);

  [[nodiscard]] Seconds seconds() const;
  /// The power mean, with exponent 4, over ranks of their own time: tells placements apart whose slowest ranks take as
  /// long, by how many are slow.
  [[nodiscard]] Seconds mean_seconds() const;
  /// How often the cost of a message was worked out so far: what swaps took.
  [[nodiscard]] std::int64_t charged() const;
  [[nodiscard]] const std::vector<Rank>& slot_of_rank() const;
  /// A rank that takes longest in the longest phase; -1 where no message is sent.
  [[nodiscard]] Rank slowest_rank() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace postage
