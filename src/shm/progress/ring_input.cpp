#include "shm/progress/ring_input.hpp"

#include "shm/progress/receiving.hpp"
#include "shm/progress/waiting.hpp"
#include "shm/protocols/chunk_pool.hpp"

#include <bit>
#include <utility>

namespace postage::shm {
namespace {

/// How often a blocking receive looks for a short message before it does what all waits do.
constexpr std::uint32_t kFirstLooks = 16;

bool is_done(const Operation* awaited) {
  return awaited != nullptr && awaited->state == Operation::State::kDone;
}

}  // namespace

RingInput::RingInput(Group& group, Matcher& matcher, Rendezvous& rendezvous)
    : group_(group), matcher_(matcher), rendezvous_(rendezvous), senders_seen_(ShmSegment::kMostRanks / 64, 0) {}

std::optional<MessageStatus> RingInput::receive_now(const Buffer& buffer, const Envelope& wanted) {
  if (matcher_.unexpected_from(wanted.source) > 0) {
    return std::nullopt;
  }
  Peer& from = group_.peer(wanted.source);
  const Cell* cell = from.in.front();
  const std::uint32_t looks = group_.more_ranks_than_cores || group_.options.waiting.spin == 0 ? 0 : kFirstLooks;
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
  ++from.received.eager;
  pop(from);
  return status;
}

void RingInput::find_senders() {
  const auto words = static_cast<std::size_t>(group_.size + 63) / 64;
  for (std::size_t word = 0; word < words; ++word) {
    std::uint64_t added = group_.own->senders.bits[word].load(std::memory_order_acquire) & ~senders_seen_[word];
    senders_seen_[word] |= added;
    for (; added != 0; added &= added - 1) {
      senders_.push_back(&group_.peers[64 * word + static_cast<std::size_t>(std::countr_zero(added))]);
    }
  }
}

bool RingInput::drain_all(const Operation* awaited) {
  bool moved = false;
  find_senders();
  for (Peer* from : senders_) {
    moved = drain(*from, awaited) || moved;
    if (is_done(awaited)) {
      return true;
    }
  }
  return moved;
}

bool RingInput::drain(Peer& peer, const Operation* awaited) {
  bool moved = false;
  for (std::size_t i = 0; i < kCells; ++i) {
    const Cell* cell = peer.in.front();
    if (cell == nullptr) {
      break;
    }
    moved = true;
    take(peer, *cell);
    if (is_done(awaited) && !takes_ahead(peer)) {
      break;
    }
  }
  return moved;
}

/// Whether to take the next cell although nobody waits for it: a sender that is ahead fills the ring with messages that
/// lie in its pool, and to note them costs nearly nothing.
bool RingInput::takes_ahead(Peer& peer) {
  if (!peer.skew.skewed() || matcher_.posted_for(peer.rank) > 0 || peer.inbound.receive != nullptr) {
    return false;
  }
  const Cell* cell = peer.in.front();
  return cell != nullptr && (cell->record == Record::kFirst || cell->record == Record::kNext) &&
         cell->get<Piece>().chunk != Piece::kInCell;
}

void RingInput::pop(Peer& peer) {
  if (peer.in.pop()) {
    group_.ring_bell(peer);
  }
}

/// The cell is popped as soon as its content is known: what follows from it may take long.
template <typename Body>
Body RingInput::pop_body(Peer& peer, const Cell& cell) {
  const auto body = cell.get<Body>();
  pop(peer);
  return body;
}

void RingInput::take(Peer& peer, const Cell& cell) {
  peer.is_answered = true;
  switch (cell.record) {
    case Record::kWhole:
      take_whole(peer, cell);
      pop(peer);
      return;
    case Record::kFirst:
      begin_message(peer, {peer.rank, cell.tag, cell.context}, cell.get<Piece>(), cell.get<PieceInPool>().received);
      take_piece(peer, cell.get<Piece>(), cell.payload() + sizeof(Piece));
      return;
    case Record::kNext:
      take_piece(peer, cell.get<Piece>(), cell.payload() + sizeof(Piece));
      return;
    case Record::kRts: {
      const Envelope envelope{peer.rank, cell.tag, cell.context};
      take_rts(peer, envelope, pop_body<Rts>(peer, cell));
      return;
    }
    case Record::kCts:
      rendezvous_.take_cts(pop_body<Cts>(peer, cell));
      return;
    case Record::kPipelined: {
      const auto piece = pop_body<PipelinedPiece>(peer, cell);
      rendezvous_.take_pipelined(peer, piece);
      give_back(peer, piece.chunk);
      return;
    }
    case Record::kFin:
      rendezvous_.take_fin(peer, pop_body<Fin>(peer, cell));
      return;
    case Record::kCooperate:
      rendezvous_.take_cooperate(peer, pop_body<Cooperate>(peer, cell));
      return;
  }
}

void RingInput::take_whole(Peer& peer, const Cell& cell) {
  const Envelope envelope{peer.rank, cell.tag, cell.context};
  ++peer.received.eager;
  if (Operation* receive = matcher_.take_posted(envelope)) {
    receive_piece(*receive, cell.payload(), 0, cell.bytes);
    finish_receive(*receive, envelope, cell.bytes);
    return;
  }
  Unexpected& message = matcher_.create(envelope, cell.bytes);
  message.arrived = cell.bytes;
  message.held.assign(cell.payload(), cell.payload() + cell.bytes);
}

void RingInput::give_back(Peer& peer, std::uint32_t chunk) {
  give_back_chunk(group_.layout, peer.rank, chunk);
  group_.ring_bell(peer);
}

void RingInput::take_rts(Peer& peer, const Envelope& envelope, const Rts& rts) {
  if (Operation* receive = matcher_.take_posted(envelope)) {
    observe_skew(peer, false);
    rendezvous_.accept(peer, *receive, envelope, rts);
    return;
  }
  Unexpected& message = matcher_.create(envelope, rts.buffer.bytes);
  message.content = Unexpected::Content::kRts;
  message.rts = rts;
}

void RingInput::withdraw(Operation& receive) {
  if (Inbound& inbound = group_.peer(receive.status.source).inbound; inbound.receive == &receive) {
    inbound = {};
  }
}

void RingInput::observe_skew(Peer& peer, bool found_full) {
  std::size_t waiting = waiting_from(peer);
  if (found_full && waiting > 0) {
    // The sender waited for room: what it had not written could not be seen from here.
    waiting = std::max(waiting, SkewDetector::kLongQueue);
  }
  if (peer.skew.observe(waiting)) {
    peer.own_control->skewed.store(peer.skew.skewed() ? 1 : 0, std::memory_order_release);
  }
}

/// Messages that have arrived and that no receive is there for. Those that still lie in the ring count too, but only as
/// far as it takes to decide.
std::size_t RingInput::waiting_from(Peer& peer) const {
  const std::size_t posted = matcher_.posted_for(peer.rank);
  const std::size_t waiting = matcher_.unexpected_from(peer.rank);
  std::size_t ahead = 0;
  for (std::size_t i = 0; i < kCells && waiting + ahead < posted + SkewDetector::kLongQueue; ++i) {
    const Cell* cell = peer.in.at(i);
    if (cell == nullptr) {
      break;
    }
    const bool begins =
        cell->record == Record::kWhole || cell->record == Record::kFirst || cell->record == Record::kRts;
    ahead += begins ? 1 : 0;
  }
  return waiting + (ahead > posted ? ahead - posted : 0);
}

}  // namespace postage::shm
