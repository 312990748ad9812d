#include "shm/progress/ring_output.hpp"

#include <algorithm>

namespace postage::shm {
namespace {

/// This share of a pool is left to messages whose receive is there: those always come to their end, so that unmatched
/// ones cannot keep them from it.
constexpr std::size_t kReservedShare = 4;

}  // namespace

RingOutput::RingOutput(Group& group, const Matcher& matcher)
    : group_(group), matcher_(matcher), pool_(group.layout, group.rank) {}

void RingOutput::start(Operation& send) {
  Peer& to = group_.peer(send.peer);
  if (!to.queue.empty()) {
    // A sender that computes between its sends makes progress only here.
    flush(to);
  }
  if (to.queue.empty() && advance(to, send)) {
    return;
  }
  send.in_list = true;
  to.queue.push_back(send);
  note_unsent(to);
}

bool RingOutput::advance(Peer& peer, Operation& send) {
  if (send.protocol == SendProtocol::kUndecided) {
    send.protocol = select(peer, send);
  }
  switch (send.protocol) {
    case SendProtocol::kEager:
      return put_eager(peer, send);
    case SendProtocol::kBuffered:
      return put_buffered(peer, send);
    case SendProtocol::kUndecided:
    case SendProtocol::kPipelined:
    case SendProtocol::kSingleCopy:
      break;
  }
  return put_rts(peer, send);
}

SendProtocol RingOutput::select(Peer& peer, Operation& send) {
  const std::uint64_t bytes = send.buffer.bytes;
  SendConditions conditions = conditions_of(peer);
  if (send.mode == SendMode::kSingleCopy && bytes > 0 && conditions.single_copy_possible) {
    peer.direction.note_sent();
    return SendProtocol::kSingleCopy;
  }
  if (takes_ring(peer.thresholds, conditions, bytes, group_.cell_payload)) {
    return SendProtocol::kEager;
  }
  peer.direction.note_sent();
  // Where both ranks receive only after their blocking sends, neither may wait for the other one's receive.
  const bool is_blocking_unmatched = send.mode == SendMode::kBlocking && matcher_.posted_for(peer.rank) == 0;
  conditions.bidirectional = !is_blocking_unmatched && peer.direction.expects_bidirectional(bytes);
  if (takes_single_copy(peer.thresholds, conditions, bytes)) {
    return SendProtocol::kSingleCopy;
  }
  return reserve_chunks(peer, send) ? SendProtocol::kBuffered : SendProtocol::kPipelined;
}

bool RingOutput::reserve_chunks(const Peer& peer, Operation& send) {
  const std::uint64_t chunk_bytes = group_.layout.shape().chunk_bytes;
  const std::size_t needed = (send.buffer.bytes + chunk_bytes - 1) / chunk_bytes;
  const std::size_t reserved = pool_.size() / kReservedShare;
  if (needed + reserved > pool_.size() || !pool_.has(needed + reserved)) {
    return false;
  }
  send.chunks.resize(needed);
  for (std::uint32_t& chunk : send.chunks) {
    static_cast<void>(pool_.take(chunk, peer.thresholds.pool_window));  // there are enough
  }
  return true;
}

void RingOutput::start_pipelined(Operation& send) {
  Peer& to = group_.peer(send.peer);
  if (!to.pipelined.empty() || !put_pipelined(to, send)) {
    to.pipelined.push_back(&send);
    note_unsent(to);
  }
}

void RingOutput::withdraw(Operation& send) {
  Peer& to = group_.peer(send.peer);
  if (send.in_list) {
    to.queue.remove(send);
    send.in_list = false;
  } else if (send.protocol == SendProtocol::kSingleCopy || send.protocol == SendProtocol::kPipelined) {
    --to.rts_pending;
  }
  // Nothing was put into these.
  for (std::size_t i = send.moved / group_.layout.shape().chunk_bytes; i < send.chunks.size(); ++i) {
    give_back_chunk(group_.layout, group_.rank, send.chunks[i]);
  }
  std::erase(to.pipelined, &send);
}

void RingOutput::note_unsent(Peer& peer) {
  if (!peer.in_unsent) {
    peer.in_unsent = true;
    unsent_.push_back(&peer);
  }
}

void RingOutput::answer(Peer& peer, const Answer& answer) {
  if (!answer_now(peer, answer)) {
    peer.answers.push_back(answer);
    note_unsent(peer);
  }
}

bool RingOutput::flush(Peer& peer) {
  bool moved = false;
  while (!peer.answers.empty() && put_answer(peer, peer.answers.front())) {
    peer.answers.pop_front();
    moved = true;
  }
  while (!peer.pipelined.empty()) {
    Operation& send = *peer.pipelined.front();
    const std::uint64_t before = send.moved;
    const bool done = put_pipelined(peer, send);
    moved = moved || send.moved != before;
    if (!done) {
      break;
    }
    peer.pipelined.pop_front();
  }
  while (Operation* first = peer.queue.first()) {
    const std::uint64_t before = first->moved;
    const bool leaves = advance(peer, *first);
    moved = moved || leaves || first->moved != before;
    if (!leaves) {
      break;
    }
    peer.queue.remove(*first);
    first->in_list = false;
  }
  return moved;
}

bool RingOutput::flush() {
  bool moved = false;
  std::erase_if(unsent_, [&](Peer* to) {
    moved = flush(*to) || moved;
    to->in_unsent = !to->queue.empty() || !to->answers.empty() || !to->pipelined.empty();
    return !to->in_unsent;
  });
  return moved;
}

}  // namespace postage::shm
