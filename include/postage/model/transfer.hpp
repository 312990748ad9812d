#pragma once

#include <postage/base/protocol.hpp>
#include <postage/base/units.hpp>

#include <cstddef>
#include <cstdint>

namespace postage {

/// Index into a platform's list of channels (shared-cache, intra-socket, ..., inter-node).
using ChannelId = std::uint8_t;

/// The question that every model answers: what does one transfer cost?
struct TransferQuestion {
  /// The measured ranks that stand for the two ends: those of the same placement; -1 where none does, so that only
  /// the channel's parameters apply.
  std::int32_t source = -1;
  std::int32_t target = -1;
  ChannelId channel = 0;
  Bytes bytes = 0;
  /// Distance in bytes between the pieces of a strided message; 0 for a contiguous one.
  Bytes stride = 0;
  /// Transfers that share the channel's wire (node memory, network card in or out) at that time, this one included.
  double concurrency = 1;
  /// Transfers on that wire in the opposite direction at that time, where its directions are told apart: between nodes.
  double opposing = 0;
  /// Copies that share the source's memory while this message leaves, and the target's while it is taken in.
  double sending_concurrency = 1;
  double receiving_concurrency = 1;
  /// The target sends at that time too, so that its processor moves either its own message or this one.
  bool receiver_sends = false;
  /// Of the data: kEager and kRendezvous for models that know both; else as if it were kDefault.
  Protocol protocol = Protocol::kDefault;

  bool operator==(const TransferQuestion&) const = default;
};

/// The answer, all in seconds. The message reaches its receiver's memory at
/// start + sender_busy + wire, and the receiver has it receiver_busy later. Where a model lets the two overheads of a
/// message overlap, the overlapping time counts for the sender, so that no part is ever negative.
struct TransferCost {
  Seconds sender_busy = 0;    ///< the source's processor can do nothing else
  Seconds wire = 0;           ///< neither processor is busy
  Seconds receiver_busy = 0;  ///< the target's processor can do nothing else
  /// From the start of this message to the earliest start of the next one, at the source. 0 where only the processors
  /// keep messages apart.
  Seconds gap = 0;
  /// What of sender_busy and gap passes before the first byte leaves and after the last one has arrived: of a
  /// rendezvous. Other messages arrive meanwhile.
  Seconds handshake = 0;
  /// Where the message is acknowledged, the last part of what keeps the receiver busy before it combines: from the
  /// moment at which the target takes the message in to that at which the source has the acknowledgement.
  Seconds acknowledgement = 0;
  /// Between acknowledgements, and other messages without data, at the rank that gets them.
  Seconds gap_of_acks = 0;
  /// The source's processor waits for the acknowledgement.
  bool source_waits = false;

  /// From the end of the last arrival to the earliest end of this one's, at the target: what its port needs for it.
  [[nodiscard]] Seconds receive_gap() const { return gap - handshake; }

  [[nodiscard]] Seconds total() const { return sender_busy + wire + receiver_busy; }
  bool operator==(const TransferCost&) const = default;
};

}  // namespace postage
