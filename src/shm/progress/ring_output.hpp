#pragma once

#include "shm/progress/group.hpp"
#include "shm/progress/matching.hpp"
#include "shm/protocols/chunk_pool.hpp"

#include <cstdint>
#include <vector>

namespace postage::shm {

/// The sending half of the rings: puts messages, RTS and answers into the cells of each peer's ring, and queues what
/// finds no room. Sends of one peer leave in order.
class RingOutput {
 public:
  RingOutput(Group& group, const Matcher& matcher);

  /// A message of one cell, at once; false where it is longer or has to wait.
  [[nodiscard]] bool send_now(const Buffer& buffer, std::int32_t target, const Envelope& envelope);
  /// Starts a send to another rank, which is done (eager, buffered), under way (RTS) or queued afterwards.
  void start(Operation& send);
  /// Goes on with a send whose receiver asks for it through the pool.
  void start_pipelined(Operation& send);
  /// Takes a pending send whose peer has left out of wherever it is.
  void withdraw(Operation& send);

  /// Queues the answer where it finds no room.
  void answer(Peer& peer, const Answer& answer);
  /// False where it would have to wait.
  [[nodiscard]] bool answer_now(Peer& peer, const Answer& answer) {
    return peer.answers.empty() && put_answer(peer, answer);
  }

  /// Puts into the rings what waits for room; whether anything moved.
  bool flush();
  [[nodiscard]] bool is_empty() const { return unsent_.empty(); }
  /// Peers with a queue of sends, answers or pipelined messages.
  [[nodiscard]] const std::vector<Peer*>& unsent() const { return unsent_; }

 private:
  // Those that return bool say whether the send needs no place in the queue any more.
  [[nodiscard]] bool advance(Peer& peer, Operation& send);
  [[nodiscard]] SendConditions conditions_of(const Peer& peer) const {
    return {.skewed = peer.reports_skew(),
            .answered = peer.is_answered,
            .single_copy_possible = group_.options.single_copy &&
                                    peer.control_of_peer->no_single_copy.load(std::memory_order_relaxed) == 0};
  }
  [[nodiscard]] SendProtocol select(Peer& peer, Operation& send);
  [[nodiscard]] bool put_whole(Peer& peer, const Buffer& buffer, const Envelope& envelope);
  [[nodiscard]] bool put_eager(Peer& peer, Operation& send);
  [[nodiscard]] bool put_buffered(Peer& peer, Operation& send);
  [[nodiscard]] bool put_rts(Peer& peer, Operation& send);
  [[nodiscard]] bool put_pipelined(Peer& peer, Operation& send);

  /// Cells of a message as long as there is room; whether that was all.
  [[nodiscard]] bool put_pieces(Peer& peer, Operation& send, bool non_temporal);
  [[nodiscard]] bool reserve_chunks(const Peer& peer, Operation& send);
  void copy_to_chunk(Peer& peer, const Operation& send, std::uint32_t chunk, std::uint64_t bytes);
  [[nodiscard]] bool put_answer(Peer& peer, const Answer& answer);
  void publish(Peer& peer);
  bool flush(Peer& peer);
  void note_unsent(Peer& peer);

  Group& group_;
  const Matcher& matcher_;
  ChunkPool pool_;
  std::vector<Peer*> unsent_;
};

// Every short message passes through these.

inline void RingOutput::publish(Peer& peer) {
  peer.out.publish();
  if (!peer.knows_sender) {
    peer.knows_sender = true;
    const auto self = static_cast<std::size_t>(group_.rank);
    peer.block->senders.bits[self / 64].fetch_or(std::uint64_t{1} << (self % 64), std::memory_order_release);
  }
  group_.ring_bell(peer);
}

inline bool RingOutput::put_whole(Peer& peer, const Buffer& buffer, const Envelope& envelope) {
  Cell* cell = peer.out.reserve();
  if (cell == nullptr) {
    return false;
  }
  if (buffer.bytes > Cell::kBody) {
    prefetch_for_writing(cell->payload() + Cell::kBody, buffer.bytes - Cell::kBody);
  }
  cell->record = Record::kWhole;
  cell->bytes = static_cast<std::uint16_t>(buffer.bytes);
  cell->tag = envelope.tag;
  cell->context = envelope.context;
  copy_out(buffer, 0, cell->payload(), buffer.bytes);
  publish(peer);
  ++peer.sent.eager;
  return true;
}

inline bool RingOutput::send_now(const Buffer& buffer, std::int32_t target, const Envelope& envelope) {
  if (buffer.bytes > group_.cell_payload) {
    return false;
  }
  Peer& to = group_.peer(target);
  return to.queue.empty() &&
         (buffer.bytes <= Cell::kBody ||
          takes_ring(to.thresholds, conditions_of(to), buffer.bytes, group_.cell_payload)) &&
         put_whole(to, buffer, envelope);
}

}  // namespace postage::shm
