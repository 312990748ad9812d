#pragma once

#include <postage/model/transfer.hpp>

#include <algorithm>
#include <limits>

namespace postage {

/// When each of a rank's three resources is free.
struct RankClocks {
  Seconds processor = 0;
  Seconds send_port = 0;     ///< earliest start of its next message
  Seconds receive_port = 0;  ///< earliest end of its next arrival
};

/// Starts a message; returns when.
inline Seconds start_message(RankClocks& rank, const TransferCost& cost) {
  const Seconds begin = std::max(rank.processor, rank.send_port);
  rank.processor = begin + cost.sender_busy;
  rank.send_port = begin + cost.gap;
  return begin;
}

/// Takes a message in that reaches the rank at `arrival`; returns when its arrival ends.
inline Seconds take_in(RankClocks& rank, Seconds arrival, const TransferCost& cost) {
  const Seconds arrived = std::max(arrival, rank.receive_port);
  rank.receive_port = arrived + cost.gap;
  rank.processor = std::max(arrived, rank.processor) + cost.receiver_busy;
  return arrived;
}

/// The longest time from the moment at which each of a rank's resources is free to the end of the collective: the two
/// rules above are linear in the (max, +) algebra, and are read backwards here.
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
  const Seconds from_arrival = std::max(rank.processor, rank.receive_port + cost.gap);
  rank.receive_port = from_arrival;
  return from_arrival;
}

}  // namespace postage
