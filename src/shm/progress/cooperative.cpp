#include "shm/progress/cooperative.hpp"

#include "shm/copy/page.hpp"
#include "shm/copy/remote_copy.hpp"
#include "shm/progress/receiving.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <thread>
#include <utility>

namespace postage::shm {
namespace {

constexpr std::chrono::microseconds kPauseOfCopy(50);
/// Shorter parts are not worth a system call of their own.
constexpr std::uint64_t kLeastCooperativePart = 64 << 10;

/// A message is cut into two parts: calls of two processes into one another's memory wait for each other in the kernel,
/// so that many short parts take longer than one rank that reads all of them. Whole pages, each of which
/// only one side then needs.
std::uint64_t part_of(std::uint64_t bytes) {
  return std::max(kLeastCooperativePart, whole_pages((bytes + 1) / 2));
}

std::uint32_t parts_of(std::uint64_t bytes) {
  return bytes > part_of(bytes) ? 2 : 1;
}

}  // namespace

bool CooperativeCopies::begin(Peer& peer, Operation& receive, const Rts& rts) {
  const std::uint64_t bytes = rts.buffer.bytes;
  const bool contiguous = receive.buffer.is_contiguous() && rts.buffer.block == bytes;
  // Where both send to each other, both are busy reading already.
  if (static_cast<Bytes>(bytes) < peer.thresholds.cooperative || peer.rts_pending > 0 || !contiguous ||
      slots_used_ == (1U << kCooperativeCopies) - 1) {
    return false;
  }
  const auto slot = static_cast<std::uint32_t>(std::countr_one(slots_used_));
  Copy copy{.receive = &receive,
            .rts = rts,
            .source = peer.rank,
            .slot = slot,
            .parts = parts_of(bytes),
            .turn = ++turns_[slot]};
  begin_turn(claims_of(copy), copy.turn);
  const Cooperate with{.send = rts.send,
                       .address = reinterpret_cast<std::uintptr_t>(receive.buffer.data),
                       .bytes = bytes,
                       .slot = slot,
                       .turn = copy.turn};
  if (!output_.answer_now(peer, make_answer(Record::kCooperate, with))) {
    return false;
  }
  slots_used_ |= 1U << slot;
  copies_.push_back(copy);
  read_parts(copies_.back());
  if (conclude(copies_.back())) {
    copies_.pop_back();
  }
  return true;
}

bool CooperativeCopies::read_part(Copy& copy, std::uint32_t part) {
  const std::uint64_t offset = part * part_of(copy.rts.buffer.bytes);
  Peer& from = group_.peer(copy.source);
  const int error = read_remote(from.block->card.pid, copy.receive->buffer, copy.rts.buffer, offset,
                                std::min(part_of(copy.rts.buffer.bytes), copy.rts.buffer.bytes - offset));
  if (error != 0) {
    copy.failed = true;
    liveness_.await_end(from, kLongestEnd);
    return false;
  }
  ++copy.read;
  return true;
}

void CooperativeCopies::read_parts(Copy& copy) {
  std::uint32_t part = 0;
  while (claim(claims_of(copy), copy.turn, copy.parts, part) && read_part(copy, part)) {
  }
}

void CooperativeCopies::send_fin(const Copy& copy) {
  output_.answer(group_.peer(copy.source), make_answer(Record::kFin, Fin{.send = copy.rts.send}));
}

/// Done, if neither side has a part in hand.
bool CooperativeCopies::conclude(Copy& copy) {
  PartClaims& claims = claims_of(copy);
  if (const std::uint32_t left = claims.left_over.load(std::memory_order_acquire); left > 0) {
    claims.left_over.store(0, std::memory_order_relaxed);
    static_cast<void>(read_part(copy, left - 1));
  }
  Peer& from = group_.peer(copy.source);
  if (copy.failed || !Liveness::is_present(from)) {
    conclude_failed(copy);
    return true;
  }
  if (copy.read + claims.written.load(std::memory_order_acquire) < copy.parts) {
    return false;
  }
  slots_used_ &= ~(1U << copy.slot);
  if (!liveness_.still_sends(from)) {
    fail(*copy.receive, Operation::Failure::kPeerLeft);
    return true;
  }
  ++from.received.cooperative;
  send_fin(copy);
  finish_receive(*copy.receive, copy.rts.buffer.bytes);
  return true;
}

void CooperativeCopies::conclude_failed(Copy& copy) {
  close(copy);
  slots_used_ &= ~(1U << copy.slot);
  if (liveness_.still_sends(group_.peer(copy.source))) {
    send_fin(copy);
    fail(*copy.receive, Operation::Failure::kUnreadable);
  } else {
    fail(*copy.receive, Operation::Failure::kPeerLeft);
  }
}

bool CooperativeCopies::conclude_all() {
  return std::erase_if(copies_, [&](Copy& copy) { return conclude(copy); }) > 0;
}

void CooperativeCopies::help(Peer& peer, const Operation& send, const Cooperate& with) {
  PartClaims& claims = peer.block->claims[with.slot];
  const RemoteBuffer there{with.address, with.bytes, with.bytes, with.bytes};
  std::uint32_t part = 0;
  // Whether the peer still lives is asked before a claim: after it nothing may keep from a report.
  for (liveness_.confirm_alive(peer); claim(claims, with.turn, parts_of(with.bytes), part);
       liveness_.confirm_alive(peer)) {
    const std::uint64_t offset = part * part_of(with.bytes);
    if (copy_remote(process_vm_writev, peer.block->card.pid, send.buffer, there, offset,
                    std::min(part_of(with.bytes), with.bytes - offset)) != 0) {
      report_left_over(claims, part);
      break;
    }
    report_written(claims);
  }
  group_.ring_bell(peer);
}

void CooperativeCopies::close(Copy& copy) {
  if (std::exchange(copy.closed, true)) {
    return;
  }
  PartClaims& claims = claims_of(copy);
  const std::uint32_t theirs = end_turn(claims, copy.turn, copy.parts) - copy.read - (copy.failed ? 1 : 0);
  const Peer& from = group_.peer(copy.source);
  while (reported(claims) < theirs && !liveness_.is_gone(from)) {
    std::this_thread::sleep_for(kPauseOfCopy);
  }
}

void CooperativeCopies::close_all() {
  for (Copy& copy : copies_) {
    close(copy);
  }
  copies_.clear();
}

}  // namespace postage::shm
