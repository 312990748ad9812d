#pragma once

#include "program/combine_lowering.hpp"

namespace postage {

/// Lowers the messages of scan and exscan. A scan's carry is its result until the first message from the right; from
/// then on it is in the staging area.
class PrefixLowering {
 public:
  PrefixLowering(LoweringState& state, ArrivalBuffers& arrivals, CombineLowering& combine)
      : state_(state), arrivals_(arrivals), combine_(combine) {}

  /// Returns the memory that the message arrives in.
  [[nodiscard]] Region receive(Step& step, const Ranges& ranges, Combine side);

 private:
  [[nodiscard]] bool carry_is_needed() const { return state_.round + 1 < state_.outlook.sends_end; }
  [[nodiscard]] bool has_own_carry(const Ranges& ranges) const;
  Region receive_from_left(Step& step, const Ranges& ranges);
  void combine_carry(Step& step, const Ranges& ranges, Address from);
  [[nodiscard]] std::optional<Region> receive_first_result(const Ranges& ranges);

  LoweringState& state_;
  ArrivalBuffers& arrivals_;
  CombineLowering& combine_;
};

}  // namespace postage
