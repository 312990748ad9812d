#pragma once

#include <postage/predict/platform_model.hpp>
#include <postage/schedule/tree_file.hpp>

#include <cstddef>
#include <vector>

namespace postage {

/// Which way the messages of a tree go.
enum class TreeDirection { kDown, kUp };

/// A message between a rank and a child of its: how long it keeps the parent's processor, and the rest of it, on the
/// wire and at the child. Going down the rest follows, going up it comes before; read backwards, the one is the other
/// where no message needs its receiver's port.
struct EdgeCost {
  Seconds busy = 0;
  Seconds rest = 0;
  Seconds wire = 0;       ///< of the rest, what passes on the wire
  Seconds taking_in = 0;  ///< of the parent's processor, going up
  Seconds gap = 0;        ///< of the parent's port, going up, before the arrival ends
  [[nodiscard]] Seconds total() const { return busy + rest; }
  /// From the moment at which the child sends to the message's arrival at its parent.
  [[nodiscard]] Seconds arrival() const { return total() - taking_in; }
};

/// What the messages of a collective cost along any edge, by a platform's model.
class EdgeCosts {
 public:
  /// Of the collective `collective`, as far as its messages go in one direction: scatter and bcast down, gather and
  /// reduce up. Throws Error where the mapping has fewer than P ranks.
  EdgeCosts(const PlatformModel& platform, Collective collective, const ScheduleRequest& request);

  [[nodiscard]] std::size_t ranks() const { return blocks_.size(); }
  [[nodiscard]] TreeDirection direction() const { return direction_; }
  /// Null for a model without, and for a reduce, whose ranks take one message a round.
  [[nodiscard]] const FanLimits* fan_limits() const { return combines_ ? nullptr : model_->fan_limits(); }
  /// FanLimits' rules hold where a rank has several children and this is one of the messages: down above S; up from M_1
  /// to M_2, where gathers escalate, and above, unless kappa_2 is negative. Others cost what they cost alone if each
  /// child has a round of its own.
  [[nodiscard]] bool is_limited(Bytes message) const;
  /// Messages cost what they cost alone, and none needs its receiver's port for a while going up: a sub-tree that takes
  /// less time makes no tree slower. O(P^2).
  [[nodiscard]] bool are_independent() const;
  /// True where a message carries a block for each rank of the sub-tree below it; else all carry the whole vector.
  [[nodiscard]] bool grows() const { return grows_; }
  /// Of one rank; of reduce and bcast the vector's.
  [[nodiscard]] Bytes block(Rank rank) const { return blocks_[static_cast<std::size_t>(rank)]; }
  /// Bytes of the message to (from) a sub-tree with so many bytes of blocks.
  [[nodiscard]] Bytes message(Bytes sum_of_blocks) const { return grows_ ? sum_of_blocks : blocks_.front(); }
  /// kappa m and what else a fan makes of a message is not in it.
  [[nodiscard]] EdgeCost of(Rank parent, Rank child, Bytes bytes) const;

 private:
  const ChannelMap* channels_;
  const Model* model_;
  TreeDirection direction_;
  bool grows_;
  bool combines_;
  std::vector<Bytes> blocks_;
};

/// EdgeCosts::are_independent; of an allgather's two ways it is up that asks for more.
[[nodiscard]] bool are_independent(const PlatformModel& platform, Collective collective,
                                   const ScheduleRequest& request);

}  // namespace postage
