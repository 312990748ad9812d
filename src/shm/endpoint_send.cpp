#include "shm/endpoint.hpp"

#include <fmt/format.h>

namespace postage::shm {
namespace {

/// This share of a pool is left to messages whose receive is there: those always come to their end, so that unmatched
/// ones cannot keep them from it.
constexpr std::size_t kReservedShare = 4;
/// Of messages through the ring in several pieces, one in so many is timed.
constexpr std::uint32_t kSample = 8;

/// Asks for lines that the receiver's core holds, all at once: a store would ask for one after another.
void take_lines(std::byte* memory, std::uint64_t bytes) {
#if defined(__x86_64__)
  for (std::uint64_t at = 0; at < bytes; at += kLine) {
    asm volatile("prefetchw %0" : : "m"(memory[at]));
  }
#else
  static_cast<void>(memory);
  static_cast<void>(bytes);
#endif
}

/// Between cores that share no cache it takes a quarter off to ask for the lines of the next block while one is copied;
/// between others it takes longer than it saves.
void copy_through_caches(const Peer& peer, const Buffer& buffer, std::uint64_t offset, std::byte* to,
                         std::uint64_t bytes) {
  if (peer.distance == LocalityLevel::kSameCache) {
    copy_out(buffer, offset, to, bytes);
    return;
  }
  constexpr std::uint64_t kBlock = 2048;
  take_lines(to, std::min(kBlock, bytes));
  for (std::uint64_t done = 0; done < bytes; done += kBlock) {
    const std::uint64_t now = std::min(kBlock, bytes - done);
    const std::uint64_t rest = bytes - done - now;
    take_lines(to + done + now, std::min(kBlock, rest));
    copy_out(buffer, offset + done, to + done, now);
  }
}

void copy_to_chunk(Peer& peer, ChunkPool& pool, Operation& send, std::uint32_t chunk, std::uint64_t bytes) {
  std::byte* to = pool.memory(chunk);
  const bool past_caches = peer.writing.next_past_caches();
  const Ticks begin = ticks();
  if (past_caches) {
    copy_out_past_caches(send.buffer, send.moved, to, bytes);
  } else {
    copy_through_caches(peer, send.buffer, send.moved, to, bytes);
  }
  const Ticks took = ticks() - begin;
  peer.writing.observe(past_caches, bytes, took);
  pool.note_written(bytes, took);
  send.took += took;
}

}  // namespace

void Endpoint::check_target(std::int32_t target, int tag) const {
  if (target < 0 || target >= size_) {
    throw UsageError(fmt::format("cannot send to rank {}: this channel has ranks 0 to {}", target, size_ - 1));
  }
  if (tag < 0) {
    throw UsageError(fmt::format("cannot send with tag {}: tags are not negative", tag));
  }
  check_usable();
}

void Endpoint::send(const ConstStridedBytes& message, std::int32_t target, int tag, std::uint32_t context) {
  check_target(target, tag);
  Buffer::check(message);
  const Buffer buffer = Buffer::of(message);
  if (send_at_once(buffer, target, tag, context)) {
    return;
  }
  Operation& send = create_send(buffer, target, tag, context);
  begin_send(send, true);
  wait_for(send);
  conclude(send);
}

ShmRequest Endpoint::start_send(const ConstStridedBytes& message, std::int32_t target, int tag, std::uint32_t context) {
  check_target(target, tag);
  Buffer::check(message);
  const Buffer buffer = Buffer::of(message);
  if (send_at_once(buffer, target, tag, context)) {
    return {};
  }
  Operation& send = create_send(buffer, target, tag, context);
  begin_send(send, false);
  return ShmRequest(send.id());
}

Operation& Endpoint::create_send(const Buffer& buffer, std::int32_t target, int tag, std::uint32_t context) {
  Operation& send = operations_.create();
  send.kind = Operation::Kind::kSend;
  send.peer = target;
  send.envelope = {rank_, tag, context};
  send.buffer = buffer;
  return send;
}

/// The short way of a short message: nothing to remember, if there is room.
bool Endpoint::send_at_once(const Buffer& buffer, std::int32_t target, int tag, std::uint32_t context) {
  if (buffer.bytes > cell_payload_ || target == rank_) {
    return false;
  }
  Peer& to = peer(target);
  return to.line.empty() && goes_through_ring(to, buffer.bytes) && put_whole(to, buffer, {rank_, tag, context});
}

void Endpoint::begin_send(Operation& send, bool blocking) {
  send.blocks = blocking;
  if (send.peer == rank_) {
    send_to_self(send, blocking);
    return;
  }
  Peer& to = peer(send.peer);
  if (!to.line.empty()) {
    // A sender that computes between its sends comes by here only.
    push_out_to(to);
  }
  if (to.line.empty() && advance(to, send)) {
    return;
  }
  send.in_list = true;
  to.line.push_back(send);
  note_unsent(to);
}

void Endpoint::publish(Peer& peer) {
  peer.out.publish();
  if (!peer.introduced) {
    peer.introduced = true;
    const auto self = static_cast<std::size_t>(rank_);
    peer.block->senders.bits[self / 64].fetch_or(std::uint64_t{1} << (self % 64), std::memory_order_release);
  }
  ring_bell(peer);
}

bool Endpoint::advance(Peer& peer, Operation& send) {
  if (send.way == Operation::Way::kUndecided) {
    choose_way(peer, send);
  }
  switch (send.way) {
    case Operation::Way::kRing:
      return put_in_ring(peer, send);
    case Operation::Way::kPool:
      return put_in_pool(peer, send);
    case Operation::Way::kUndecided:
    case Operation::Way::kOffer:
      break;
  }
  return put_offer(peer, send);
}

bool Endpoint::takes_single_copy(const Peer& peer, std::uint64_t bytes) const {
  const bool skewed = peer.told->skewed.load(std::memory_order_relaxed) != 0;
  const Bytes from = skewed ? peer.thresholds.skewed_single_copy : peer.thresholds.single_copy;
  return static_cast<Bytes>(bytes) >= from && options_.single_copy &&
         peer.told->two_copies.load(std::memory_order_relaxed) == 0;
}

bool Endpoint::goes_through_ring(const Peer& peer, std::uint64_t bytes) const {
  if (bytes <= Cell::kBody) {
    return true;
  }
  // A ring has room for few messages of several cells: a stream of them, or a peer that falls behind, would fill it.
  const bool would_fill =
      bytes > cell_payload_ && (!peer.is_answered || peer.told->skewed.load(std::memory_order_relaxed) != 0);
  return static_cast<Bytes>(bytes) <= peer.thresholds.eager && !would_fill && !takes_single_copy(peer, bytes);
}

void Endpoint::choose_way(Peer& peer, Operation& send) {
  if (goes_through_ring(peer, send.buffer.bytes)) {
    send.way = Operation::Way::kRing;
    return;
  }
  peer.exchanges.note_sent();
  const auto judged = exchange_way(peer, send);
  send.is_read = judged ? judged == LongWay::kSingleCopy : takes_single_copy(peer, send.buffer.bytes);
  send.way = !send.is_read && reserve_chunks(send) ? Operation::Way::kPool : Operation::Way::kOffer;
}

bool Endpoint::reserve_chunks(Operation& send) {
  const std::uint64_t chunk_bytes = layout_.shape().chunk_bytes;
  const std::size_t needed = (send.buffer.bytes + chunk_bytes - 1) / chunk_bytes;
  const std::size_t reserved = pool_.size() / kReservedShare;
  if (needed + reserved > pool_.size() || !pool_.has(needed + reserved)) {
    return false;
  }
  send.chunks.resize(needed);
  for (std::uint32_t& chunk : send.chunks) {
    static_cast<void>(pool_.take(chunk));  // there are enough
  }
  return true;
}

template <typename Body>
void Endpoint::put_piece(Cell& cell, const Operation& send, const Body& piece) {
  cell.record = send.moved == 0 ? Record::kFirst : Record::kNext;
  cell.tag = send.envelope.tag;
  cell.context = send.envelope.context;
  cell.put(piece);
}

bool Endpoint::put_whole(Peer& peer, const Buffer& buffer, const Envelope& envelope) {
  Cell* cell = peer.out.reserve();
  if (cell == nullptr) {
    return false;
  }
  if (buffer.bytes > Cell::kBody) {
    take_lines(cell->payload() + Cell::kBody, buffer.bytes - Cell::kBody);
  }
  cell->record = Record::kWhole;
  cell->bytes = static_cast<std::uint16_t>(buffer.bytes);
  cell->tag = envelope.tag;
  cell->context = envelope.context;
  copy_out(buffer, 0, cell->payload(), buffer.bytes);
  publish(peer);
  ++peer.sent.ring;
  return true;
}

bool Endpoint::put_in_ring(Peer& peer, Operation& send) {
  if (send.buffer.bytes <= cell_payload_) {
    send.state = put_whole(peer, send.buffer, send.envelope) ? Operation::State::kDone : send.state;
    return send.state == Operation::State::kDone;
  }
  const bool past_caches = peer.writing.next_past_caches();
  // A few pieces are written sooner than their lines are there: to see what they take means to wait for them.
  const bool is_sample = send.moved == 0 && (past_caches != peer.writing.far() || ++peer.ring_messages % kSample == 0);
  const Ticks begin = is_sample ? ticks() : 0;
  const bool is_written = put_pieces(peer, send, past_caches);
  if (!is_written) {
    return false;
  }
  if (is_sample) {
    finish_stores();
    peer.writing.observe(past_caches, send.buffer.bytes, ticks() - begin);
  }
  peer.is_answered = false;
  ++peer.sent.ring;
  send.state = Operation::State::kDone;
  return true;
}

/// Those for which there is room; whether that was all.
bool Endpoint::put_pieces(Peer& peer, Operation& send, bool past_caches) {
  const std::uint64_t room = (past_caches ? layout_.cells(0, 0).payload() : cell_payload_) - sizeof(Piece);
  while (send.moved < send.buffer.bytes) {
    const std::uint64_t bytes = std::min(room, send.buffer.bytes - send.moved);
    Cell* cell = peer.out.reserve();
    if (cell == nullptr) {
      return false;
    }
    if (!past_caches) {
      take_lines(cell->payload() + Cell::kBody, bytes);
    }
    put_piece(*cell, send, Piece{.total = send.buffer.bytes, .bytes = static_cast<std::uint32_t>(bytes)});
    (past_caches ? copy_out_past_caches : copy_out)(send.buffer, send.moved, cell->payload() + sizeof(Piece), bytes);
    publish(peer);
    send.moved += bytes;
  }
  return true;
}

bool Endpoint::put_in_pool(Peer& peer, Operation& send) {
  if (!put_chunks(peer, send)) {
    return false;
  }
  if (judges_exchanges(peer, send.buffer.bytes)) {
    peer.exchanges.note_written(send.buffer.bytes, send.took);
  }
  ++peer.sent.pool;
  send.state = Operation::State::kDone;
  return true;
}

/// Those for which there is room; whether that was all.
bool Endpoint::put_chunks(Peer& peer, Operation& send) {
  const std::uint64_t chunk_bytes = layout_.shape().chunk_bytes;
  while (send.moved < send.buffer.bytes) {
    const std::uint64_t bytes = std::min(chunk_bytes, send.buffer.bytes - send.moved);
    Cell* cell = peer.out.reserve();
    if (cell == nullptr) {
      return false;
    }
    const std::uint32_t chunk = pool_.rather_than(send.chunks[send.moved / chunk_bytes]);
    copy_to_chunk(peer, pool_, send, chunk, bytes);
    const Piece piece{.total = send.buffer.bytes, .bytes = static_cast<std::uint32_t>(bytes), .chunk = chunk};
    put_piece(*cell, send, PieceInPool{.piece = piece, .seen = peer.exchanges.taken()});
    publish(peer);
    send.moved += bytes;
  }
  return true;
}

bool Endpoint::put_offer(Peer& peer, Operation& send) {
  Cell* cell = peer.out.reserve();
  if (cell == nullptr) {
    return false;
  }
  cell->record = Record::kOffer;
  cell->tag = send.envelope.tag;
  cell->context = send.envelope.context;
  cell->put(Offer{.send = send.id(),
                  .buffer = send.buffer.as_remote(),
                  .two_copies = send.is_read ? 0U : 1U,
                  .seen = peer.exchanges.taken()});
  publish(peer);
  ++peer.offered;
  return true;
}

void Endpoint::send_to_self(Operation& send, bool blocking) {
  Operation* receive = matcher_.take_posted(send.envelope);
  if (receive != nullptr) {
    std::uint64_t offset = 0;
    for_each_run(send.buffer, 0, send.buffer.bytes, [&](const std::byte* run, std::uint64_t length) {
      receive_piece(*receive, run, offset, length);
      offset += length;
      return true;
    });
    finish_receive(*receive, send.envelope, send.buffer.bytes);
    send.state = Operation::State::kDone;
    return;
  }
  Unexpected& message = create_unexpected(send.envelope, send.buffer.bytes);
  message.arrived = send.buffer.bytes;
  // Nobody else could take it while this call waits, so a blocking send leaves a copy behind.
  if (blocking || static_cast<Bytes>(send.buffer.bytes) <= peer(rank_).thresholds.eager) {
    message.held.resize(send.buffer.bytes);
    copy_out(send.buffer, 0, message.held.data(), send.buffer.bytes);
    send.state = Operation::State::kDone;
  } else {
    message.content = Unexpected::Content::kOwn;
    message.own = &send;
  }
}

/// Sends on what the receiver has asked for; true when all is on its way.
bool Endpoint::push_pieces(Operation& send) {
  Peer& to = peer(send.peer);
  const std::uint64_t chunk_bytes = layout_.shape().chunk_bytes;
  while (send.moved < send.buffer.bytes) {
    std::uint32_t chunk = 0;
    Cell* cell = to.out.reserve();
    if (cell == nullptr || !pool_.take(chunk)) {
      return false;
    }
    const std::uint64_t bytes = std::min(chunk_bytes, send.buffer.bytes - send.moved);
    copy_to_chunk(to, pool_, send, chunk, bytes);
    cell->record = Record::kPushed;
    cell->put(PushedPiece{.receive = send.remote, .chunk = chunk, .bytes = static_cast<std::uint32_t>(bytes)});
    publish(to);
    send.moved += bytes;
  }
  if (judges_exchanges(to, send.buffer.bytes)) {
    to.exchanges.note_written(send.buffer.bytes, send.took);
  }
  ++to.sent.pipeline;
  send.state = Operation::State::kDone;
  return true;
}

void Endpoint::note_unsent(Peer& peer) {
  if (!peer.in_unsent) {
    peer.in_unsent = true;
    unsent_.push_back(&peer);
  }
}

void Endpoint::answer(Peer& peer, const Answer& answer) {
  if (!peer.answers.empty() || !put_answer(peer, answer)) {
    peer.answers.push_back(answer);
    note_unsent(peer);
  }
}

bool Endpoint::put_answer(Peer& peer, const Answer& answer) {
  Cell* cell = peer.out.reserve();
  if (cell == nullptr) {
    return false;
  }
  cell->record = answer.record;
  std::copy(answer.body.begin(), answer.body.end(), cell->payload());
  publish(peer);
  return true;
}

bool Endpoint::push_out_to(Peer& peer) {
  bool moved = false;
  while (!peer.answers.empty() && put_answer(peer, peer.answers.front())) {
    peer.answers.pop_front();
    moved = true;
  }
  while (!peer.pushes.empty()) {
    Operation& push = *peer.pushes.front();
    const std::uint64_t before = push.moved;
    const bool done = push_pieces(push);
    moved = moved || push.moved != before;
    if (!done) {
      break;
    }
    peer.pushes.pop_front();
  }
  while (Operation* first = peer.line.first()) {
    const std::uint64_t before = first->moved;
    const bool out_of_line = advance(peer, *first);
    moved = moved || out_of_line || first->moved != before;
    if (!out_of_line) {
      break;
    }
    peer.line.remove(*first);
    first->in_list = false;
  }
  return moved;
}

bool Endpoint::push_out() {
  bool moved = false;
  std::erase_if(unsent_, [&](Peer* to) {
    moved = push_out_to(*to) || moved;
    to->in_unsent = !to->line.empty() || !to->answers.empty() || !to->pushes.empty();
    return !to->in_unsent;
  });
  return moved;
}

}  // namespace postage::shm
