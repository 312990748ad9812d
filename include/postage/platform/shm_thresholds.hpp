#pragma once

#include <postage/base/units.hpp>

#include <string>

namespace postage {

/// What a program does with a send buffer between two sends. A buffer that is sent again unmodified is still in the
/// receiver's cache; one that was written since is in the sender's.
enum class BufferUse { kRewritten, kReused };

/// Message sizes, in bytes, from which shared memory takes another protocol. A message of m bytes goes by
///
///   m:  0 ...... eager ............. single_copy .......... cooperative ........
///       eager    copy-in copy-out     the receiver reads     sender and receiver
///       (ring)   (sender's pool)      the sender's memory    copy parts each
///
/// where the intervals that come out empty are skipped. Without single copy (forbidden, or switched off) everything
/// above `eager` goes through the pool.
struct ProtocolThresholds {
  /// A size that no message has: for a protocol that is never the fastest.
  static constexpr Bytes kNever = Bytes{1} << 50;

  Bytes eager = 0;        ///< through the pair's ring up to and including this size
  Bytes single_copy = 0;  ///< by single copy from this size on
  Bytes cooperative = 0;  ///< by cooperative get and put from this size on; not below single_copy
  /// Stands in for `single_copy` towards a receiver that reports skew (Chai et al., section 4.2); not below it.
  Bytes skewed_single_copy = 0;
  /// Stands in for `single_copy` where two ranks send to each other at the same time.
  Bytes bidirectional_single_copy = kNever;
  /// The pool is used over and over at its beginning, so that its lines stay in the caches, not all of it in turn.
  bool pool_window = false;
  bool operator==(const ProtocolThresholds&) const = default;
};

/// Those that were measured between two cores of a node, by the name of their locality level: kSharedCache,
/// kIntraSocket or kInterSocket.
struct MeasuredThresholds {
  std::string level;
  BufferUse buffers = BufferUse::kRewritten;
  ProtocolThresholds thresholds;
  bool operator==(const MeasuredThresholds&) const = default;
};

}  // namespace postage
