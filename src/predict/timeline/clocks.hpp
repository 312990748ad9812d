#pragma once

#include <postage/model/transfer.hpp>

#include <algorithm>
#include <limits>

namespace postage {

/// When each of a rank's three resources is free.
struct RankClocks {
  static constexpr Seconds kNever = -std::numeric_limits<Seconds>::infinity();

  Seconds processor = 0;
  Seconds send_port = 0;          ///< earliest start of its next message
  Seconds receive_port = kNever;  ///< when its last arrival ended
};

/// Starts a message; returns when.
inline Seconds start_message(RankClocks& rank, const TransferCost& cost) {
  const Seconds begin = std::max(rank.processor, rank.send_port);
  rank.processor = begin + cost.sender_busy;
  rank.send_port = begin + cost.gap;
  return begin;
}

/// Lets the last byte of a message in, that reaches the rank at `arrival`, after those of all that came before and its
/// own gap; returns when.
inline Seconds end_arrival(RankClocks& rank, Seconds arrival, Seconds gap) {
  rank.receive_port = std::max(arrival, rank.receive_port + gap);
  return rank.receive_port;
}

/// Takes in a message whose arrival ended at `end`.
inline void take_in(RankClocks& rank, Seconds end, const TransferCost& cost) {
  rank.processor = std::max(end, rank.processor) + cost.receiver_busy;
}

/// When the source of the message that `target` has just taken in has its acknowledgement, which the target puts before
/// it combines.
inline Seconds acknowledged_at(const RankClocks& target, const TransferCost& cost) {
  return target.processor - (cost.receiver_busy - cost.acknowledgement);
}

inline void wait_until(RankClocks& rank, Seconds when) {
  rank.processor = std::max(rank.processor, when);
}

/// The longest time from the moment at which each of a rank's resources is free to the end of the collective, where
/// messages reach each rank in the order in which it takes them in: the three rules above are linear in the (max, +)
/// algebra then, and are read backwards here.
struct RankRemainders {
  static constexpr Seconds kNothing = -std::numeric_limits<Seconds>::infinity();

  Seconds processor = 0;
  Seconds send_port = kNothing;
  Seconds receive_port = kNothing;
};

/// `from_arrival` is the remainder from the message's arrival at its target.
inline void before_start(RankRemainders& rank, Seconds from_arrival, const TransferCost& cost) {
  const Seconds from_begin = std::max(
      {rank.processor + cost.sender_busy, rank.send_port + cost.gap, cost.sender_busy + cost.wire + from_arrival});
  rank.processor = rank.send_port = from_begin;
}

/// Returns the remainder from the message's arrival.
inline Seconds before_take_in(RankRemainders& rank, const TransferCost& cost) {
  rank.processor += cost.receiver_busy;
  const Seconds from_end = std::max(rank.processor, rank.receive_port);
  rank.receive_port = from_end + cost.receive_gap();
  return from_end;
}

}  // namespace postage
