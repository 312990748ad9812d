#include "shm/endpoint.hpp"

#include <fmt/format.h>

#include <utility>

namespace postage::shm {
namespace {

/// A memory that held a large unexpected message is not kept for the next one.
constexpr std::size_t kKeptCapacity = 64 << 10;
/// A ring with so many cells written has no room for its sender, which hears of those taken by the quarter.
constexpr std::size_t kFull = kCells - kCells / 4;
/// How often a blocking receive looks for a short message before it does what all waits do.
constexpr std::uint32_t kFirstLooks = 16;

}  // namespace

void Endpoint::check_source(std::int32_t source, int tag) const {
  if (source != kAnySource && (source < 0 || source >= size_)) {
    throw UsageError(fmt::format("cannot receive from rank {}: this channel has ranks 0 to {}", source, size_ - 1));
  }
  if (tag != kAnyTag && tag < 0) {
    throw UsageError(fmt::format("cannot receive tag {}: tags are not negative", tag));
  }
  check_usable();
}

MessageStatus Endpoint::receive(const StridedBytes& message, std::int32_t source, int tag, std::uint32_t context) {
  check_source(source, tag);
  Buffer::check(message);
  if (const auto status = receive_at_once(Buffer::of(message), {source, tag, context})) {
    return *status;
  }
  Operation& receive = create_receive(message, source, tag, context);
  begin_receive(receive);
  wait_for(receive);
  return conclude(receive);
}

ShmRequest Endpoint::start_receive(const StridedBytes& message, std::int32_t source, int tag, std::uint32_t context) {
  check_source(source, tag);
  Operation& receive = create_receive(message, source, tag, context);
  begin_receive(receive);
  return ShmRequest(receive.id());
}

Operation& Endpoint::create_receive(const StridedBytes& message, std::int32_t source, int tag, std::uint32_t context) {
  Buffer::check(message);
  Operation& receive = operations_.create();
  receive.kind = Operation::Kind::kReceive;
  receive.peer = source;
  receive.envelope = {source, tag, context};
  receive.buffer = Buffer::of(message);
  return receive;
}

/// The short way of a short message that is there, or comes within a moment: nothing to remember, if no peer waits for
/// this rank to do something else.
std::optional<MessageStatus> Endpoint::receive_at_once(const Buffer& buffer, const Envelope& wanted) {
  if (wanted.source == kAnySource || wanted.source == rank_ || !operations_.is_empty() || !unsent_.empty() ||
      matcher_.unexpected_from(wanted.source) > 0) {
    return std::nullopt;
  }
  Peer& from = peer(wanted.source);
  const Cell* cell = from.in.front();
  const std::uint32_t looks = more_ranks_than_cores_ || options_.waiting.spin == 0 ? 0 : kFirstLooks;
  for (std::uint32_t i = 0; cell == nullptr && i < looks; ++i) {
    relax();
    cell = from.in.front();
  }
  if (cell == nullptr || cell->record != Record::kWhole || cell->bytes > buffer.bytes ||
      !wanted.accepts({wanted.source, cell->tag, cell->context})) {
    return std::nullopt;
  }
  const MessageStatus status{wanted.source, cell->tag, cell->bytes};
  copy_in(buffer, 0, cell->payload(), cell->bytes);
  from.is_answered = true;
  ++from.received.ring;
  pop(from);
  watch_now_and_then(nullptr);
  return status;
}

void Endpoint::begin_receive(Operation& receive) {
  Unexpected* message = matcher_.find_unexpected(receive.envelope);
  if (message == nullptr) {
    matcher_.post(receive);
    return;
  }
  Peer& from = peer(message->envelope.source);
  matcher_.remove(*message);
  take_unexpected(receive, *message);
  if (from.rank != rank_ && receive.state == Operation::State::kDone && takes_ahead(from)) {
    drain(from, &receive);
  }
}

/// Moves what has arrived of a message into its receive, which takes over what is still to come.
void Endpoint::take_unexpected(Operation& receive, Unexpected& message) {
  Peer& from = peer(message.envelope.source);
  switch (message.content) {
    case Unexpected::Content::kHeld:
      receive_piece(receive, message.held.data(), 0, message.held.size());
      break;
    case Unexpected::Content::kChunks: {
      Judged judged = judge_chunks(from, message.bytes, message.seen);
      const Ticks begin = ticks();
      std::uint64_t offset = 0;
      for (const PushedPiece& piece : message.chunks) {
        receive_piece(receive, layout_.chunk(from.rank, piece.chunk), offset, piece.bytes);
        give_back(from, piece.chunk);
        offset += piece.bytes;
      }
      judged.took = ticks() - begin;
      if (message.arrived == message.bytes) {
        observe(from, judged, LongWay::kTwoCopies, message.bytes);
      }
      break;
    }
    case Unexpected::Content::kOwn: {
      std::uint64_t offset = 0;
      for_each_run(message.own->buffer, 0, message.bytes, [&](const std::byte* run, std::uint64_t length) {
        receive_piece(receive, run, offset, length);
        offset += length;
        return true;
      });
      message.own->state = Operation::State::kDone;
      break;
    }
    case Unexpected::Content::kOffered:
      judge_skew(from, false);
      accept_offer(from, receive, message.envelope, message.offer);
      release_unexpected(message);
      return;
  }
  if (message.arrived == message.bytes) {
    if (message.bytes > Cell::kBody && from.rank != rank_) {
      judge_skew(from, false);
    }
    finish_receive(receive, message.envelope, message.bytes);
  } else {
    receive.status = {message.envelope.source, message.envelope.tag, static_cast<Bytes>(message.bytes)};
    from.inbound.receive = &receive;
    from.inbound.unexpected = nullptr;
  }
  release_unexpected(message);
}

bool Endpoint::drain(Peer& peer, const Operation* awaited) {
  bool moved = false;
  if (peer.inbound.judged.as == Judged::As::kExchange) {
    peer.inbound.counted_to = ticks();
  }
  for (std::size_t i = 0; i < kCells; ++i) {
    const Cell* cell = peer.in.front();
    if (cell == nullptr) {
      break;
    }
    moved = true;
    take(peer, *cell);
    if (awaited != nullptr && awaited->state == Operation::State::kDone && !takes_ahead(peer)) {
      break;
    }
  }
  return moved;
}

/// Whether to take the next cell although nobody waits for it: a sender that is ahead fills the ring with messages that
/// lie in its pool, and to note them costs nearly nothing.
bool Endpoint::takes_ahead(Peer& peer) {
  if (!peer.skew.skewed() || matcher_.posted_for(peer.rank) > 0 || peer.inbound.receive != nullptr) {
    return false;
  }
  const Cell* cell = peer.in.front();
  return cell != nullptr && (cell->record == Record::kFirst || cell->record == Record::kNext) &&
         cell->get<Piece>().chunk != Piece::kInCell;
}

/// The cell is popped as soon as what it says is known: what follows from it may take long.
void Endpoint::take(Peer& peer, const Cell& cell) {
  peer.is_answered = true;
  switch (cell.record) {
    case Record::kWhole:
      take_whole(peer, cell);
      pop(peer);
      return;
    case Record::kFirst:
      begin_message(peer, {peer.rank, cell.tag, cell.context}, cell.get<Piece>(), cell.get<PieceInPool>().seen);
      take_piece(peer, cell.get<Piece>(), cell.payload() + sizeof(Piece));
      return;
    case Record::kNext:
      take_piece(peer, cell.get<Piece>(), cell.payload() + sizeof(Piece));
      return;
    case Record::kOffer: {
      const Envelope envelope{peer.rank, cell.tag, cell.context};
      const auto offer = cell.get<Offer>();
      pop(peer);
      take_offer(peer, envelope, offer);
      return;
    }
    case Record::kPush: {
      const auto push = cell.get<Push>();
      pop(peer);
      take_push(push);
      return;
    }
    case Record::kPushed: {
      const auto piece = cell.get<PushedPiece>();
      pop(peer);
      take_pushed(peer, piece);
      return;
    }
    case Record::kFinished: {
      const auto finished = cell.get<Finished>();
      pop(peer);
      take_finished(peer, finished);
      return;
    }
    case Record::kJoin: {
      const auto join = cell.get<Join>();
      pop(peer);
      take_join(peer, join);
      return;
    }
  }
}

void Endpoint::pop(Peer& peer) {
  if (peer.in.pop()) {
    ring_bell(peer);
  }
}

void Endpoint::take_whole(Peer& peer, const Cell& cell) {
  const Envelope envelope{peer.rank, cell.tag, cell.context};
  ++peer.received.ring;
  if (Operation* receive = matcher_.take_posted(envelope)) {
    receive_piece(*receive, cell.payload(), 0, cell.bytes);
    finish_receive(*receive, envelope, cell.bytes);
    return;
  }
  Unexpected& message = create_unexpected(envelope, cell.bytes);
  message.arrived = cell.bytes;
  message.held.assign(cell.payload(), cell.payload() + cell.bytes);
}

/// `seen` counts only where the piece is in a chunk.
void Endpoint::begin_message(Peer& peer, const Envelope& envelope, const Piece& piece, std::uint32_t seen) {
  const bool in_cell = piece.chunk == Piece::kInCell;
  ++(in_cell ? peer.received.ring : peer.received.pool);
  // A message that fills the ring by itself says nothing of how far its sender is ahead.
  const bool could_fill = piece.total >= kFull * std::uint64_t{piece.bytes};
  peer.inbound = {.total = piece.total, .found_full = !could_fill && peer.in.at(kFull - 1) != nullptr};
  if (Operation* receive = matcher_.take_posted(envelope)) {
    receive->status = {envelope.source, envelope.tag, static_cast<Bytes>(piece.total)};
    peer.inbound.receive = receive;
    if (!in_cell) {
      peer.inbound.judged = judge_chunks(peer, piece.total, seen);
      peer.inbound.counted_to = peer.inbound.judged.as == Judged::As::kExchange ? ticks() : 0;
    }
    return;
  }
  Unexpected& message = create_unexpected(envelope, piece.total);
  message.content = in_cell ? Unexpected::Content::kHeld : Unexpected::Content::kChunks;
  message.seen = seen;
  peer.inbound.unexpected = &message;
}

void Endpoint::take_piece(Peer& peer, const Piece& piece, const std::byte* in_cell) {
  Inbound& inbound = peer.inbound;
  const bool in_chunk = piece.chunk != Piece::kInCell;
  const std::byte* from = in_chunk ? layout_.chunk(peer.rank, piece.chunk) : in_cell;
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
  inbound.arrived += piece.bytes;
  if (inbound.unexpected != nullptr) {
    inbound.unexpected->arrived = inbound.arrived;
  }
  pop(peer);
  if (inbound.judged.as == Judged::As::kExchange) {
    const Ticks now = ticks();
    inbound.judged.took += now - std::exchange(inbound.counted_to, now);
  }
  if (inbound.arrived == inbound.total) {
    if (inbound.receive != nullptr) {
      const MessageStatus& status = inbound.receive->status;
      finish_receive(*inbound.receive, {status.source, status.tag}, inbound.total);
      observe(peer, inbound.judged, LongWay::kTwoCopies, inbound.total);
      judge_skew(peer, inbound.found_full);
    }
    inbound = {};
  }
}

void Endpoint::take_offer(Peer& peer, const Envelope& envelope, const Offer& offer) {
  if (Operation* receive = matcher_.take_posted(envelope)) {
    judge_skew(peer, false);
    accept_offer(peer, *receive, envelope, offer);
    return;
  }
  Unexpected& message = create_unexpected(envelope, offer.buffer.bytes);
  message.content = Unexpected::Content::kOffered;
  message.offer = offer;
}

void Endpoint::take_push(const Push& push) {
  if (Operation* send = operations_.find(push.send)) {
    send->remote = push.receive;
    send->way = Operation::Way::kPool;
    --peer(send->peer).offered;
    Peer& to = peer(send->peer);
    if (!to.pushes.empty() || !push_pieces(*send)) {
      to.pushes.push_back(send);
      note_unsent(to);
    }
  }
}

void Endpoint::take_pushed(Peer& peer, const PushedPiece& piece) {
  if (Operation* receive = operations_.find(piece.receive)) {
    Judged& judged = receive->judged;
    const bool is_timed = judged.as == Judged::As::kExchange;
    const Ticks begin = is_timed ? ticks() : 0;
    receive_piece(*receive, layout_.chunk(peer.rank, piece.chunk), receive->moved, piece.bytes);
    judged.took += is_timed ? ticks() - begin : 0;
    receive->moved += piece.bytes;
    const MessageStatus& status = receive->status;
    if (receive->moved == static_cast<std::uint64_t>(status.bytes)) {
      ++peer.received.pipeline;
      observe_pushed(peer, judged, receive->moved);
      finish_receive(*receive, {status.source, status.tag}, receive->moved);
    }
  }
  give_back(peer, piece.chunk);
}

void Endpoint::take_finished(Peer& peer, const Finished& finished) {
  if (Operation* send = operations_.find(finished.send)) {
    ++(send->joined ? peer.sent.joint_copy : peer.sent.single_copy);
    --peer.offered;
    send->state = Operation::State::kDone;
  }
}

/// Bytes beyond the receive's buffer are dropped: the receive then fails as truncated.
void Endpoint::receive_piece(Operation& receive, const std::byte* from, std::uint64_t offset, std::uint64_t bytes) {
  if (offset < receive.buffer.bytes) {
    copy_in(receive.buffer, offset, from, std::min(bytes, receive.buffer.bytes - offset));
  }
}

void Endpoint::finish_receive(Operation& receive, const Envelope& envelope, std::uint64_t total) {
  receive.status = {envelope.source, envelope.tag, static_cast<Bytes>(total)};
  receive.failure = total > receive.buffer.bytes ? Operation::Failure::kTruncated : Operation::Failure::kNone;
  receive.state = Operation::State::kDone;
}

Unexpected& Endpoint::create_unexpected(const Envelope& envelope, std::uint64_t bytes) {
  if (unexpected_free_.empty()) {
    unexpected_free_.push_back(&unexpected_store_.emplace_back());
  }
  Unexpected& message = *unexpected_free_.back();
  unexpected_free_.pop_back();
  message.envelope = envelope;
  message.bytes = bytes;
  message.arrived = 0;
  message.content = Unexpected::Content::kHeld;
  matcher_.add(message);
  return message;
}

void Endpoint::release_unexpected(Unexpected& message) {
  message.chunks.clear();
  message.held.clear();
  if (message.held.capacity() > kKeptCapacity) {
    message.held = {};
  }
  unexpected_free_.push_back(&message);
}

void Endpoint::give_back(Peer& peer, std::uint32_t chunk) {
  give_back_chunk(layout_, peer.rank, chunk);
  ring_bell(peer);
}

/// How far this rank is behind the peer: messages that have arrived and that no receive is there for. Those that still
/// lie in the ring count too, but only as far as it takes to decide. `found_full`: a message was taken from a full
/// ring.
void Endpoint::judge_skew(Peer& peer, bool found_full) {
  const std::size_t posted = matcher_.posted_for(peer.rank);
  std::size_t waiting = matcher_.unexpected_from(peer.rank);
  std::size_t ahead = 0;
  for (std::size_t i = 0; i < kCells && waiting + ahead < posted + SkewJudge::kLongQueue; ++i) {
    const Cell* cell = peer.in.at(i);
    if (cell == nullptr) {
      break;
    }
    const bool begins =
        cell->record == Record::kWhole || cell->record == Record::kFirst || cell->record == Record::kOffer;
    ahead += begins ? 1 : 0;
  }
  waiting += ahead > posted ? ahead - posted : 0;
  if (found_full && waiting > 0) {
    // The sender waited for room: what it had not written could not be seen from here.
    waiting = std::max(waiting, SkewJudge::kLongQueue);
  }
  if (peer.skew.observe(waiting)) {
    peer.tell->skewed.store(peer.skew.skewed() ? 1 : 0, std::memory_order_release);
  }
}

std::optional<MessageStatus> Endpoint::try_probe(std::int32_t source, int tag, std::uint32_t context) {
  check_source(source, tag);
  const Envelope wanted{source, tag, context};
  const Unexpected* found = matcher_.find_unexpected(wanted);
  if (found == nullptr && !progress(nullptr)) {
    watch(nullptr);
  }
  found = found != nullptr ? found : matcher_.find_unexpected(wanted);
  if (found == nullptr) {
    return std::nullopt;
  }
  return MessageStatus{found->envelope.source, found->envelope.tag, static_cast<Bytes>(found->bytes)};
}

MessageStatus Endpoint::probe(std::int32_t source, int tag, std::uint32_t context) {
  Patience patience(options_.waiting, more_ranks_than_cores_);
  for (;;) {
    if (const auto found = try_probe(source, tag, context)) {
      return *found;
    }
    if (is_silent_source(source)) {
      throw PeerLeft(no_message_from(source));
    }
    idle(patience, nullptr);
  }
}

}  // namespace postage::shm
