#include "shm/endpoint.hpp"
#include "shm/remote_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace postage::shm {
namespace {

/// A process number cannot have come to mean another process within this time.
constexpr Seconds kTrust = 50e-3;
constexpr std::chrono::microseconds kShortPause(50);
/// Between the end of a process's memory and that of its locks, on a machine that has much else to do.
constexpr Seconds kLongestEnd = 0.5;
/// A joint copy is cut into parts of this size: few enough to claim, enough to end together.
constexpr std::uint64_t kPart = 64 << 10;

std::uint32_t parts_of(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes + kPart - 1) / kPart);
}

bool is_refusal(int error) {
  return error == EPERM || error == EACCES || error == ENOSYS;
}

}  // namespace

void Endpoint::accept_offer(Peer& peer, Operation& receive, const Envelope& envelope, const Offer& offer) {
  receive.status = {envelope.source, envelope.tag, static_cast<Bytes>(offer.buffer.bytes)};
  const Judged judged = judge_offer(peer, offer);
  if (offer.buffer.bytes > receive.buffer.bytes) {
    answer(peer, make_answer(Record::kFinished, Finished{.send = offer.send}));
    finish_receive(receive, envelope, offer.buffer.bytes);
  } else if (judged.is_pushed || !can_touch(peer)) {
    receive.judged = judged;
    ask_for_push(peer, receive, offer);
  } else if (!begin_joint(peer, receive, offer, judged)) {
    read_offer(peer, receive, offer, judged);
  }
}

bool Endpoint::can_touch(Peer& peer) {
  if (peer.reach == Peer::Reach::kUnknown) {
    if (!options_.single_copy) {
      peer.reach = Peer::Reach::kNo;
    } else if (try_token(peer)) {
      peer.reach = Peer::Reach::kYes;
    } else if (is_present(peer)) {
      refuse_single_copy(peer);
    }
  }
  return peer.reach == Peer::Reach::kYes;
}

bool Endpoint::try_token(Peer& peer) {
  const Card& card = peer.block->card;
  const int error = read_token(card.pid, card.token_address, card.token);
  if (error != 0 && !is_refusal(error)) {
    await_end(peer, kTrust);
  }
  return error == 0;
}

/// A process that ends has lost its memory some time before it loses its lock: a failure to reach its memory may be its
/// end. Returns when the peer has left or `longest` has passed; throws PeerDied.
void Endpoint::await_end(Peer& peer, Seconds longest) {
  const Seconds deadline = now() + longest;
  while (is_present(peer) && now() < deadline) {
    check_peers();
    std::this_thread::sleep_for(kShortPause);
  }
}

void Endpoint::refuse_single_copy(Peer& peer) {
  peer.reach = Peer::Reach::kNo;
  peer.tell->two_copies.store(1, std::memory_order_release);
  if (!has_warned_) {
    has_warned_ = true;
    warn(fmt::format(
        "rank {} may not read the memory of rank {} (process_vm_readv; ptrace_scope, seccomp or user "
        "namespaces forbid it): large messages between them, and between ranks of which this is true later, "
        "are copied twice",
        rank_, peer.rank));
  }
}

void Endpoint::read_offer(Peer& peer, Operation& receive, const Offer& offer, Judged judged) {
  const int error =
      copy_remote(process_vm_readv, peer.block->card.pid, receive.buffer, offer.buffer, 0, offer.buffer.bytes);
  if (error != 0) {
    fail_remote_copy(peer, receive, offer, error);
    return;
  }
  if (!still_offers(peer)) {
    abandon(receive);
    return;
  }
  judged.took = ticks() - judged.began;
  observe(peer, judged, LongWay::kSingleCopy, offer.buffer.bytes);
  ++peer.received.single_copy;
  answer(peer, make_answer(Record::kFinished, Finished{.send = offer.send}));
  finish_receive(receive, {peer.rank, receive.status.tag}, offer.buffer.bytes);
}

/// A copy moved nothing: the peer is gone, or now forbids it, or the program took its buffer away.
void Endpoint::fail_remote_copy(Peer& peer, Operation& receive, const Offer& offer, int error) {
  if (is_refusal(error)) {
    refuse_single_copy(peer);
    ask_for_push(peer, receive, offer);
    return;
  }
  await_end(peer, kLongestEnd);
  if (still_offers(peer)) {
    answer(peer, make_answer(Record::kFinished, Finished{.send = offer.send}));
    fail(receive, Operation::Failure::kUnreadable);
  } else {
    abandon(receive);
  }
}

void Endpoint::trust(Peer& peer) {
  const Seconds time = coarse_now();
  if (time - peer.seen_alive > kTrust) {
    if (is_dead(peer)) {
      give_up(fmt::format("rank {} of the channel has died", peer.rank));
    }
    peer.seen_alive = time;
  }
}

bool Endpoint::still_offers(Peer& peer) {
  trust(peer);
  const Presence presence = peer.block->card.presence.load(std::memory_order_acquire);
  if (presence == Presence::kGaveUp) {
    give_up(fmt::format("rank {} of the channel gave up after another rank's death", peer.rank));
  }
  return presence == Presence::kPresent;
}

void Endpoint::ask_for_push(Peer& peer, Operation& receive, const Offer& offer) {
  answer(peer, make_answer(Record::kPush, Push{.send = offer.send, .receive = receive.id()}));
}

bool Endpoint::begin_joint(Peer& peer, Operation& receive, const Offer& offer, const Judged& judged) {
  const std::uint64_t bytes = offer.buffer.bytes;
  const bool contiguous = receive.buffer.is_contiguous() && offer.buffer.block == bytes;
  // Where both send to each other, both are busy reading already.
  if (static_cast<Bytes>(bytes) < peer.thresholds.joint_copy || peer.offered > 0 || !contiguous ||
      bytes / kPart >= kPartsOfClaims || slots_used_ == (1U << kShares) - 1) {
    return false;
  }
  const auto slot = static_cast<std::uint32_t>(std::countr_one(slots_used_));
  JointReceive joint{.receive = &receive,
                     .offer = offer,
                     .source = peer.rank,
                     .slot = slot,
                     .parts = parts_of(bytes),
                     .turn = ++turns_[slot],
                     .judged = judged};
  begin_turn(own().shares[slot], joint.turn);
  const Join join{.send = offer.send,
                  .address = reinterpret_cast<std::uintptr_t>(receive.buffer.data),
                  .bytes = bytes,
                  .slot = slot,
                  .turn = joint.turn};
  if (!peer.answers.empty() || !put_answer(peer, make_answer(Record::kJoin, join))) {
    return false;
  }
  slots_used_ |= 1U << slot;
  joints_.push_back(joint);
  read_parts(joints_.back());
  if (finish_joint(joints_.back())) {
    joints_.pop_back();
  }
  return true;
}

bool Endpoint::read_part(JointReceive& joint, std::uint32_t part) {
  const std::uint64_t offset = std::uint64_t{part} * kPart;
  Peer& from = peer(joint.source);
  const int error = copy_remote(process_vm_readv, from.block->card.pid, joint.receive->buffer, joint.offer.buffer,
                                offset, std::min(kPart, joint.offer.buffer.bytes - offset));
  if (error != 0) {
    joint.failed = true;
    await_end(from, kLongestEnd);
    return false;
  }
  ++joint.read;
  return true;
}

void Endpoint::read_parts(JointReceive& joint) {
  std::uint32_t part = 0;
  while (claim(own().shares[joint.slot], joint.turn, joint.parts, part) && read_part(joint, part)) {
  }
}

/// Done, if neither side has a part in hand.
bool Endpoint::finish_joint(JointReceive& joint) {
  Share& share = own().shares[joint.slot];
  if (const std::uint32_t left = share.left_over.load(std::memory_order_acquire); left > 0) {
    share.left_over.store(0, std::memory_order_relaxed);
    static_cast<void>(read_part(joint, left - 1));
  }
  Peer& from = peer(joint.source);
  if (joint.failed || !is_present(from)) {
    close_joint(joint);
    slots_used_ &= ~(1U << joint.slot);
    if (still_offers(from)) {
      answer(from, make_answer(Record::kFinished, Finished{.send = joint.offer.send}));
      fail(*joint.receive, Operation::Failure::kUnreadable);
    } else {
      fail(*joint.receive, Operation::Failure::kPeerLeft);
    }
    return true;
  }
  if (joint.read + share.written.load(std::memory_order_acquire) < joint.parts) {
    return false;
  }
  slots_used_ &= ~(1U << joint.slot);
  if (!still_offers(from)) {
    fail(*joint.receive, Operation::Failure::kPeerLeft);
    return true;
  }
  joint.judged.took = ticks() - joint.judged.began;
  observe(from, joint.judged, LongWay::kSingleCopy, joint.offer.buffer.bytes);
  ++from.received.joint_copy;
  answer(from, make_answer(Record::kFinished, Finished{.send = joint.offer.send}));
  finish_receive(*joint.receive, {from.rank, joint.receive->status.tag}, joint.offer.buffer.bytes);
  return true;
}

bool Endpoint::continue_joints() {
  return std::erase_if(joints_, [&](JointReceive& joint) { return finish_joint(joint); }) > 0;
}

/// The sender's side of a joint copy: writes parts into the receiver's memory as long as there are any.
void Endpoint::take_join(Peer& peer, const Join& join) {
  Operation* send = operations_.find(join.send);
  if (send == nullptr || !can_touch(peer)) {
    return;
  }
  send->joined = true;
  Share& share = peer.block->shares[join.slot];
  const RemoteBuffer there{join.address, join.bytes, join.bytes, join.bytes};
  std::uint32_t part = 0;
  // Whether the peer is still the one that it was is asked before a claim: after it nothing may keep from a report.
  for (trust(peer); claim(share, join.turn, parts_of(join.bytes), part); trust(peer)) {
    const std::uint64_t offset = std::uint64_t{part} * kPart;
    if (copy_remote(process_vm_writev, peer.block->card.pid, send->buffer, there, offset,
                    std::min(kPart, join.bytes - offset)) != 0) {
      report_left_over(share, part);
      break;
    }
    report_written(share);
  }
  ring_bell(peer);
}

/// No part is claimed any more, and none is being written: the buffer is the program's again.
void Endpoint::close_joint(JointReceive& joint) {
  if (std::exchange(joint.closed, true)) {
    return;
  }
  Share& share = own().shares[joint.slot];
  const std::uint32_t theirs = end_turn(share, joint.turn, joint.parts) - joint.read - (joint.failed ? 1 : 0);
  const Peer& from = peer(joint.source);
  while (reported(share) < theirs && !is_gone(from)) {
    std::this_thread::sleep_for(kShortPause);
  }
}

void Endpoint::close_joints() {
  for (JointReceive& joint : joints_) {
    close_joint(joint);
  }
  joints_.clear();
}

}  // namespace postage::shm
