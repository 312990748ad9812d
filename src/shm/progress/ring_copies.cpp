// How RingOutput fills cells and chunks.
#include "shm/progress/ring_output.hpp"

#include <algorithm>

namespace postage::shm {
namespace {

/// Of eager messages in several pieces, one in so many is timed.
constexpr std::uint32_t kTimed = 8;

/// Between cores that share no cache it saves a quarter to prefetch the lines of the next block while one is copied;
/// between others it takes longer than it saves.
void copy_through_caches(const Peer& peer, const Buffer& buffer, std::uint64_t offset, std::byte* to,
                         std::uint64_t bytes) {
  if (peer.level == LocalityLevel::kCache) {
    copy_out(buffer, offset, to, bytes);
    return;
  }
  constexpr std::uint64_t kBlock = 2048;
  prefetch_for_writing(to, std::min(kBlock, bytes));
  for (std::uint64_t done = 0; done < bytes; done += kBlock) {
    const std::uint64_t now = std::min(kBlock, bytes - done);
    const std::uint64_t rest = bytes - done - now;
    prefetch_for_writing(to + done + now, std::min(kBlock, rest));
    copy_out(buffer, offset + done, to + done, now);
  }
}

template <typename Body>
void write_piece(Cell& cell, const Operation& send, const Body& piece) {
  cell.record = send.moved == 0 ? Record::kFirst : Record::kNext;
  cell.tag = send.envelope.tag;
  cell.context = send.envelope.context;
  cell.put(piece);
}

}  // namespace

bool RingOutput::put_eager(Peer& peer, Operation& send) {
  if (send.buffer.bytes <= group_.cell_payload) {
    send.state = put_whole(peer, send.buffer, send.envelope) ? Operation::State::kDone : send.state;
    return send.state == Operation::State::kDone;
  }
  const bool non_temporal = peer.non_temporal.next();
  // A few pieces are written sooner than their lines are there: to time them means to wait for the stores.
  const bool is_timed =
      send.moved == 0 && (non_temporal != peer.non_temporal.selected() || ++peer.eager_in_pieces % kTimed == 0);
  const Ticks begin = is_timed ? ticks() : 0;
  if (!put_pieces(peer, send, non_temporal)) {
    return false;
  }
  if (is_timed) {
    finish_stores();
    peer.non_temporal.observe(non_temporal, send.buffer.bytes, ticks() - begin);
  }
  peer.is_answered = false;
  ++peer.sent.eager;
  send.state = Operation::State::kDone;
  return true;
}

bool RingOutput::put_pieces(Peer& peer, Operation& send, bool non_temporal) {
  const std::uint64_t room = (non_temporal ? group_.layout.cells(0, 0).payload() : group_.cell_payload) - sizeof(Piece);
  while (send.moved < send.buffer.bytes) {
    const std::uint64_t bytes = std::min(room, send.buffer.bytes - send.moved);
    Cell* cell = peer.out.reserve();
    if (cell == nullptr) {
      return false;
    }
    if (!non_temporal) {
      prefetch_for_writing(cell->payload() + Cell::kBody, bytes);
    }
    write_piece(*cell, send, Piece{.total = send.buffer.bytes, .bytes = static_cast<std::uint32_t>(bytes)});
    (non_temporal ? copy_out_non_temporal : copy_out)(send.buffer, send.moved, cell->payload() + sizeof(Piece), bytes);
    publish(peer);
    send.moved += bytes;
  }
  return true;
}

void RingOutput::copy_to_chunk(Peer& peer, const Operation& send, std::uint32_t chunk, std::uint64_t bytes) {
  std::byte* to = pool_.memory(chunk);
  const bool non_temporal = peer.non_temporal.next();
  const Ticks begin = ticks();
  if (non_temporal) {
    copy_out_non_temporal(send.buffer, send.moved, to, bytes);
  } else {
    copy_through_caches(peer, send.buffer, send.moved, to, bytes);
  }
  peer.non_temporal.observe(non_temporal, bytes, ticks() - begin);
}

bool RingOutput::put_buffered(Peer& peer, Operation& send) {
  const std::uint64_t chunk_bytes = group_.layout.shape().chunk_bytes;
  while (send.moved < send.buffer.bytes) {
    const std::uint64_t bytes = std::min(chunk_bytes, send.buffer.bytes - send.moved);
    Cell* cell = peer.out.reserve();
    if (cell == nullptr) {
      return false;
    }
    std::uint32_t& chunk = send.chunks[send.moved / chunk_bytes];
    if (peer.thresholds.pool_window) {
      chunk = pool_.swap_for_window(chunk);
    }
    copy_to_chunk(peer, send, chunk, bytes);
    const Piece piece{.total = send.buffer.bytes, .bytes = static_cast<std::uint32_t>(bytes), .chunk = chunk};
    write_piece(*cell, send, PieceInPool{.piece = piece, .received = peer.direction.received()});
    publish(peer);
    send.moved += bytes;
  }
  ++peer.sent.buffered;
  send.state = Operation::State::kDone;
  return true;
}

bool RingOutput::put_rts(Peer& peer, Operation& send) {
  Cell* cell = peer.out.reserve();
  if (cell == nullptr) {
    return false;
  }
  cell->record = Record::kRts;
  cell->tag = send.envelope.tag;
  cell->context = send.envelope.context;
  cell->put(Rts{.send = send.id(),
                .buffer = send.buffer.as_remote(),
                .pipelined = send.protocol == SendProtocol::kPipelined ? 1U : 0U,
                .received = peer.direction.received()});
  publish(peer);
  ++peer.rts_pending;
  return true;
}

bool RingOutput::put_pipelined(Peer& peer, Operation& send) {
  const std::uint64_t chunk_bytes = group_.layout.shape().chunk_bytes;
  while (send.moved < send.buffer.bytes) {
    std::uint32_t chunk = 0;
    Cell* cell = peer.out.reserve();
    if (cell == nullptr || !pool_.take(chunk, peer.thresholds.pool_window)) {
      return false;
    }
    const std::uint64_t bytes = std::min(chunk_bytes, send.buffer.bytes - send.moved);
    copy_to_chunk(peer, send, chunk, bytes);
    cell->record = Record::kPipelined;
    cell->put(PipelinedPiece{.receive = send.remote, .chunk = chunk, .bytes = static_cast<std::uint32_t>(bytes)});
    publish(peer);
    send.moved += bytes;
  }
  ++peer.sent.pipelined;
  send.state = Operation::State::kDone;
  return true;
}

bool RingOutput::put_answer(Peer& peer, const Answer& answer) {
  Cell* cell = peer.out.reserve();
  if (cell == nullptr) {
    return false;
  }
  cell->record = answer.record;
  std::copy(answer.body.begin(), answer.body.end(), cell->payload());
  publish(peer);
  return true;
}

}  // namespace postage::shm
