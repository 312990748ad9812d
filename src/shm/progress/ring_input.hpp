#pragma once

#include "shm/progress/group.hpp"
#include "shm/progress/matching.hpp"
#include "shm/progress/rendezvous.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace postage::shm {

/// The receiving half of the rings: takes cells out of each peer's ring, matches the messages in them, copies eager and
/// buffered messages, hands RTS and what follows from it to the rendezvous, and tells senders whether this rank falls
/// behind.
class RingInput {
 public:
  RingInput(Group& group, Matcher& matcher, Rendezvous& rendezvous);

  /// A short message that is in the ring already, or comes within a moment, at once. Only to be called while no
  /// operation is pending and nothing is unsent.
  [[nodiscard]] std::optional<MessageStatus> receive_now(const Buffer& buffer, const Envelope& wanted);
  /// Moves what has arrived of a message into its receive, which takes over what is still to come. The message is
  /// removed from the matcher.
  void take_unexpected(Operation& receive, Unexpected& message);
  /// Takes what is in all rings, until `awaited` is done; whether anything moved.
  bool drain_all(const Operation* awaited);
  /// A pending receive will never be completed: what still comes of its message is dropped.
  void withdraw(Operation& receive);

 private:
  void find_senders();
  bool drain(Peer& peer, const Operation* awaited);
  [[nodiscard]] bool takes_ahead(Peer& peer);
  void take(Peer& peer, const Cell& cell);
  template <typename Body>
  [[nodiscard]] Body pop_body(Peer& peer, const Cell& cell);
  void pop(Peer& peer);
  void take_whole(Peer& peer, const Cell& cell);
  void begin_message(Peer& peer, const Envelope& envelope, const Piece& piece, std::uint32_t received);
  void take_piece(Peer& peer, const Piece& piece, const std::byte* in_cell);
  void store_piece(Peer& peer, const Piece& piece, const std::byte* in_cell);
  void take_rts(Peer& peer, const Envelope& envelope, const Rts& rts);
  void take_arrived(Peer& from, Operation& receive, Unexpected& message);
  void take_chunks(Peer& from, Operation& receive, const Unexpected& message);
  void give_back(Peer& peer, std::uint32_t chunk);
  /// How many messages wait for this rank counts for SkewDetector. `found_full`: a message was taken from a full ring.
  void observe_skew(Peer& peer, bool found_full);
  [[nodiscard]] std::size_t waiting_from(Peer& peer) const;

  Group& group_;
  Matcher& matcher_;
  Rendezvous& rendezvous_;
  std::vector<std::uint64_t> senders_seen_;
  std::vector<Peer*> senders_;  ///< peers that have ever sent to this rank
};

}  // namespace postage::shm
