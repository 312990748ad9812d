#pragma once

#include "shm/progress/operations.hpp"
#include "shm/protocols/non_temporal.hpp"
#include "shm/protocols/skew.hpp"
#include "shm/protocols/traffic_direction.hpp"
#include "shm/segment/layout.hpp"

#include <postage/shm/endpoint.hpp>

#include <cstdint>
#include <deque>

namespace postage::shm {

/// A message that comes in pieces: exactly one of `receive` and `unexpected` is set while it does.
struct Inbound {
  Operation* receive = nullptr;
  Unexpected* unexpected = nullptr;
  std::uint64_t total = 0;
  std::uint64_t arrived = 0;
  bool found_full = false;  ///< its sender was waiting for room when it began
};

/// What this rank keeps of one peer.
struct Peer {
  Peer(const Layout& layout, std::int32_t self, std::int32_t peer, const NonTemporalSelector& selector)
      : rank(peer),
        block(&layout.rank(peer)),
        out(layout.cells(peer, self), layout.control(peer, self).acknowledged),
        in(layout.cells(self, peer), layout.control(self, peer).acknowledged),
        control_of_peer(&layout.control(peer, self)),
        own_control(&layout.control(self, peer)),
        non_temporal(selector) {}

  /// Whether single copy may read or write the peer's memory.
  enum class Access : std::uint8_t { kUnknown, kGranted, kRefused };

  std::int32_t rank;
  RankBlock* block;
  Producer out;
  Consumer in;
  const PairControl* control_of_peer;  ///< written by the peer, about what this rank sends
  PairControl* own_control;            ///< written by this rank, about what the peer sends

  LocalityLevel level = LocalityLevel::kCache;
  ProtocolThresholds thresholds{};
  bool knows_sender = false;  ///< the peer knows that this rank sends to it
  bool in_unsent = false;
  bool is_answered = true;        ///< it has sent something since the last eager message of several cells
  std::uint32_t rts_pending = 0;  ///< sends that wait for the peer to take them
  List<Operation> queue;          ///< sends that wait for room or for their turn
  std::deque<Answer> answers;
  std::deque<Operation*> pipelined;  ///< sends after their CTS, one after the other
  Inbound inbound;

  Access access = Access::kUnknown;
  Seconds seen_alive = 0;  ///< by coarse_now()
  SkewDetector skew;
  NonTemporalSelector non_temporal;  ///< of this rank's sends to the peer
  std::uint32_t eager_in_pieces = 0;
  TrafficDirection direction;
  ProtocolCounts sent{};
  ProtocolCounts received{};

  [[nodiscard]] bool reports_skew() const { return control_of_peer->skewed.load(std::memory_order_relaxed) != 0; }
};

}  // namespace postage::shm
