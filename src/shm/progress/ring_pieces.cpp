// How RingInput takes messages of several pieces, and messages that arrived before their receive.
#include "shm/progress/receiving.hpp"
#include "shm/progress/ring_input.hpp"

namespace postage::shm {
namespace {

/// A ring with so many cells written has no room for its sender, which hears of those taken by the quarter.
constexpr std::size_t kFull = kCells - kCells / 4;

}  // namespace

/// `received` counts only where the piece is in a chunk.
void RingInput::begin_message(Peer& peer, const Envelope& envelope, const Piece& piece, std::uint32_t received) {
  const bool in_cell = piece.chunk == Piece::kInCell;
  ++(in_cell ? peer.received.eager : peer.received.buffered);
  // A message that fills the ring by itself says nothing of how far its sender is ahead.
  const bool could_fill = piece.total >= kFull * std::uint64_t{piece.bytes};
  peer.inbound = {.total = piece.total, .found_full = !could_fill && peer.in.at(kFull - 1) != nullptr};
  if (Operation* receive = matcher_.take_posted(envelope)) {
    receive->status = {envelope.source, envelope.tag, static_cast<Bytes>(piece.total)};
    peer.inbound.receive = receive;
    if (!in_cell) {
      peer.direction.receive(piece.total, received);
    }
    return;
  }
  Unexpected& message = matcher_.create(envelope, piece.total);
  message.content = in_cell ? Unexpected::Content::kHeld : Unexpected::Content::kChunks;
  message.received = received;
  peer.inbound.unexpected = &message;
}

void RingInput::take_piece(Peer& peer, const Piece& piece, const std::byte* in_cell) {
  Inbound& inbound = peer.inbound;
  store_piece(peer, piece, in_cell);
  inbound.arrived += piece.bytes;
  if (inbound.unexpected != nullptr) {
    inbound.unexpected->arrived = inbound.arrived;
  }
  pop(peer);
  if (inbound.arrived == inbound.total) {
    if (inbound.receive != nullptr) {
      finish_receive(*inbound.receive, inbound.total);
      observe_skew(peer, inbound.found_full);
    }
    inbound = {};
  }
}

void RingInput::store_piece(Peer& peer, const Piece& piece, const std::byte* in_cell) {
  const Inbound& inbound = peer.inbound;
  const bool in_chunk = piece.chunk != Piece::kInCell;
  const std::byte* from = in_chunk ? group_.layout.chunk(peer.rank, piece.chunk) : in_cell;
  if (inbound.receive != nullptr) {
    receive_piece(*inbound.receive, from, inbound.arrived, piece.bytes);
    if (in_chunk) {
      give_back(peer, piece.chunk);
    }
  } else if (inbound.unexpected != nullptr && in_chunk) {
    inbound.unexpected->chunks.push_back({.chunk = piece.chunk, .bytes = piece.bytes});
  } else if (inbound.unexpected != nullptr) {
    inbound.unexpected->held.insert(inbound.unexpected->held.end(), from, from + piece.bytes);
  }
}

void RingInput::take_chunks(Peer& from, Operation& receive, const Unexpected& message) {
  from.direction.receive(message.bytes, message.received);
  std::uint64_t offset = 0;
  for (const PipelinedPiece& piece : message.chunks) {
    receive_piece(receive, group_.layout.chunk(from.rank, piece.chunk), offset, piece.bytes);
    give_back(from, piece.chunk);
    offset += piece.bytes;
  }
}

void RingInput::take_unexpected(Operation& receive, Unexpected& message) {
  Peer& from = group_.peer(message.envelope.source);
  matcher_.remove(message);
  if (message.content == Unexpected::Content::kRts) {
    observe_skew(from, false);
    rendezvous_.accept(from, receive, message.envelope, message.rts);
  } else {
    take_arrived(from, receive, message);
  }
  matcher_.release(message);
  if (from.rank != group_.rank && receive.state == Operation::State::kDone && takes_ahead(from)) {
    drain(from, &receive);
  }
}

void RingInput::take_arrived(Peer& from, Operation& receive, Unexpected& message) {
  if (message.content == Unexpected::Content::kHeld) {
    receive_piece(receive, message.held.data(), 0, message.held.size());
  } else if (message.content == Unexpected::Content::kChunks) {
    take_chunks(from, receive, message);
  } else {
    receive_own(receive, message.own->buffer);
    message.own->state = Operation::State::kDone;
  }
  if (message.arrived < message.bytes) {
    receive.status = {message.envelope.source, message.envelope.tag, static_cast<Bytes>(message.bytes)};
    from.inbound.receive = &receive;
    from.inbound.unexpected = nullptr;
    return;
  }
  if (message.bytes > Cell::kBody && from.rank != group_.rank) {
    observe_skew(from, false);
  }
  finish_receive(receive, message.envelope, message.bytes);
}

}  // namespace postage::shm
