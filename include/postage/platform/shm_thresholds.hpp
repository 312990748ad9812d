#pragma once

#include <postage/base/units.hpp>

#include <string>

namespace postage {

/// Message sizes, in bytes, from which the intra-node channel takes another way. The way of a message of m bytes is
///
///   m:  0 ....... eager ............ single_copy ........... joint_copy ........
///       ring of    pool of the sender:    the receiver reads    sender and receiver
///       the pair   copy-in, copy-out      the sender's memory   copy parts each
///
/// where the intervals that come out empty are skipped. Without single copy (forbidden, or switched off) everything
/// above `eager` goes through the pool.
struct ProtocolThresholds {
  /// A size that no message has: for a way that is never the fastest.
  static constexpr Bytes kNever = Bytes{1} << 50;
  /// Below it what a call of the kernel takes before it copies is more than a second copy.
  static constexpr Bytes kLeastExchange = 32768;

  Bytes eager = 0;        ///< through the pair's ring up to and including this size
  Bytes single_copy = 0;  ///< by single copy from this size on
  Bytes joint_copy = 0;   ///< both processes copy from this size on; not below single_copy
  /// Stands in for `single_copy` towards a receiver that reports skew (Chai et al., section 4.2); not below it.
  Bytes skewed_single_copy = 0;
  /// From this size on, and above `eager`, messages that two ranks send each other at the same time may go either by
  /// the pool or by single copy, whatever the sizes above say: the channel tries both and keeps what takes less. So do
  /// receivers of other messages with those from `single_copy` on. kNever leaves it to those sizes.
  Bytes exchange = kNever;
  bool operator==(const ProtocolThresholds&) const = default;
};

/// Those that were measured between cores of a node, by the name of what joins them: kSharedCache, kIntraSocket or
/// kInterSocket.
struct MeasuredThresholds {
  std::string channel;
  ProtocolThresholds thresholds;
  bool operator==(const MeasuredThresholds&) const = default;
};

}  // namespace postage
