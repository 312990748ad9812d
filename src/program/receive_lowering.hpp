#pragma once

#include "program/prefix_lowering.hpp"
#include "program/send_lowering.hpp"

namespace postage {

/// Lowers the receives of a round: straight to where the blocks are kept, or to scratch memory from which they are then
/// unpacked or combined.
class ReceiveLowering {
 public:
  ReceiveLowering(LoweringState& state, const SendLowering& sends)
      : state_(state),
        sends_(sends),
        arrivals_(state.scratch),
        combine_(state, arrivals_),
        prefix_(state, arrivals_, combine_) {}

  void append_receives(Step& step, const RankRound& round);

 private:
  [[nodiscard]] Region receive(Step& step, const Ranges& ranges, Combine combine);
  [[nodiscard]] Region receive_copy(Step& step, const Ranges& ranges);
  [[nodiscard]] IovecSegments copy_targets(const Ranges& ranges);

  LoweringState& state_;
  const SendLowering& sends_;
  ArrivalBuffers arrivals_;
  CombineLowering combine_;
  PrefixLowering prefix_;
};

}  // namespace postage
