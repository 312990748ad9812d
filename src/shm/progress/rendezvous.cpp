#include "shm/progress/rendezvous.hpp"

#include "shm/copy/remote_copy.hpp"
#include "shm/progress/receiving.hpp"

namespace postage::shm {

void Rendezvous::accept(Peer& peer, Operation& receive, const Envelope& envelope, const Rts& rts) {
  receive.status = {envelope.source, envelope.tag, static_cast<Bytes>(rts.buffer.bytes)};
  peer.direction.receive(rts.buffer.bytes, rts.received);
  if (rts.buffer.bytes > receive.buffer.bytes) {
    send_fin(peer, rts);
    finish_receive(receive, envelope, rts.buffer.bytes);
  } else if (rts.pipelined != 0 || !access_.is_granted(peer)) {
    send_cts(peer, receive, rts);
  } else if (!cooperative_.begin(peer, receive, rts)) {
    read(peer, receive, rts);
  }
}

void Rendezvous::send_cts(Peer& peer, const Operation& receive, const Rts& rts) {
  output_.answer(peer, make_answer(Record::kCts, Cts{.send = rts.send, .receive = receive.id()}));
}

void Rendezvous::send_fin(Peer& peer, const Rts& rts) {
  output_.answer(peer, make_answer(Record::kFin, Fin{.send = rts.send}));
}

void Rendezvous::read(Peer& peer, Operation& receive, const Rts& rts) {
  const int error = read_remote(peer.block->card.pid, receive.buffer, rts.buffer, 0, rts.buffer.bytes);
  if (error != 0) {
    fail_read(peer, receive, rts, error);
    return;
  }
  if (!liveness_.still_sends(peer)) {
    fail(receive, Operation::Failure::kPeerLeft);
    return;
  }
  ++peer.received.single_copy;
  send_fin(peer, rts);
  finish_receive(receive, rts.buffer.bytes);
}

/// A copy moved nothing: the peer is gone, or now forbids it, or the program took its buffer away.
void Rendezvous::fail_read(Peer& peer, Operation& receive, const Rts& rts, int error) {
  if (RemoteAccess::is_refusal(error)) {
    access_.refuse(peer);
    send_cts(peer, receive, rts);
    return;
  }
  liveness_.await_end(peer, kLongestEnd);
  if (liveness_.still_sends(peer)) {
    send_fin(peer, rts);
    fail(receive, Operation::Failure::kUnreadable);
  } else {
    fail(receive, Operation::Failure::kPeerLeft);
  }
}

void Rendezvous::take_cts(const Cts& cts) {
  if (Operation* send = operations_.find(cts.send)) {
    send->remote = cts.receive;
    send->protocol = SendProtocol::kBuffered;
    --group_.peer(send->peer).rts_pending;
    output_.start_pipelined(*send);
  }
}

void Rendezvous::take_pipelined(Peer& peer, const PipelinedPiece& piece) {
  Operation* receive = operations_.find(piece.receive);
  if (receive == nullptr) {
    return;
  }
  receive_piece(*receive, group_.layout.chunk(peer.rank, piece.chunk), receive->moved, piece.bytes);
  receive->moved += piece.bytes;
  if (receive->moved == static_cast<std::uint64_t>(receive->status.bytes)) {
    ++peer.received.pipelined;
    finish_receive(*receive, receive->moved);
  }
}

void Rendezvous::take_fin(Peer& peer, const Fin& fin) {
  if (Operation* send = operations_.find(fin.send)) {
    ++(send->cooperated ? peer.sent.cooperative : peer.sent.single_copy);
    --peer.rts_pending;
    send->state = Operation::State::kDone;
  }
}

void Rendezvous::take_cooperate(Peer& peer, const Cooperate& with) {
  Operation* send = operations_.find(with.send);
  if (send == nullptr || !access_.is_granted(peer)) {
    return;
  }
  send->cooperated = true;
  cooperative_.help(peer, *send, with);
}

}  // namespace postage::shm
