#pragma once

#include "program/lowering_state.hpp"

#include <optional>

namespace postage {

/// Lowers messages whose blocks are combined with the rank's own: what must be done after they arrived is appended to
/// `step.after`.
class CombineLowering {
 public:
  CombineLowering(LoweringState& state, ArrivalBuffers& arrivals) : state_(state), arrivals_(arrivals) {}

  /// Returns the memory that the message arrives in. `values` are the state's values or results.
  [[nodiscard]] Region receive(Step& step, Values& values, const Ranges& ranges, Combine side);

  /// Combines with what arrived at `from`, segment by segment.
  void combine_all(Step& step, Values& values, const Ranges& ranges, Address from, Combine side);

 private:
  [[nodiscard]] bool is_carry(const Values& values) const;
  [[nodiscard]] bool may_change(const Values& values, Address at) const;
  [[nodiscard]] IovecSegments targets_of(const Values& values, const IovecSegment& segment, bool all_are_results);
  [[nodiscard]] std::optional<Region> receive_at_target(Step& step, Values& values, const Ranges& ranges, Combine side);
  void combine_segment(Step& step, const Region& arrived, bool has_value, Address own, Address target, Combine side);

  LoweringState& state_;
  ArrivalBuffers& arrivals_;
};

}  // namespace postage
