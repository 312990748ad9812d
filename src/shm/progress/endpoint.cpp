#include "shm/progress/endpoint.hpp"

#include "shm/progress/receiving.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>

namespace postage::shm {

Endpoint::Endpoint(const ShmSegment& segment, std::int32_t rank, const ShmOptions& options)
    : group_(segment, rank, options),
      liveness_(group_),
      matcher_(group_.size),
      output_(group_, matcher_),
      rendezvous_(group_, liveness_, operations_, output_),
      input_(group_, matcher_, rendezvous_) {
  liveness_.before_giving_up([this] { rendezvous_.close(); });
  group_.join(liveness_);
}

Endpoint::~Endpoint() {
  rendezvous_.close();
  if (liveness_.is_usable()) {
    send_last_answers();
  }
  group_.leave();
}

/// Peers may wait for answers that had no room so far.
void Endpoint::send_last_answers() {
  Patience patience(group_.options.waiting, group_.more_ranks_than_cores);
  const auto has_answers = [&](const Peer* to) { return !to->answers.empty() && Liveness::is_present(*to); };
  try {
    while (std::any_of(output_.unsent().begin(), output_.unsent().end(), has_answers)) {
      if (!progress(nullptr)) {
        idle(patience, nullptr);
      }
    }
  } catch (const Error&) {
    // A rank died: then there is nobody to answer.
  }
}

bool Endpoint::progress(const Operation* awaited) {
  bool moved = !output_.is_empty() && output_.flush();
  moved = rendezvous_.progress() || moved;
  return input_.drain_all(awaited) || moved;
}

void Endpoint::wait_for(Operation& operation) {
  Patience patience(group_.options.waiting, group_.more_ranks_than_cores);
  while (operation.state == Operation::State::kPending) {
    if (!progress(&operation)) {
      idle(patience, &operation);
      continue;
    }
    patience.reset();
    if (liveness_.watch_occasionally()) {
      abandon_if_hopeless(&operation);
    }
  }
}

void Endpoint::idle(Patience& patience, Operation* awaited) {
  switch (patience.next()) {
    case Patience::Step::kLook:
      relax();
      return;
    case Patience::Step::kYield:
      ++group_.counts.yields;
      sched_yield();
      watch(awaited);
      return;
    case Patience::Step::kSleep:
      sleep(awaited);
      return;
  }
}

void Endpoint::sleep(Operation* awaited) {
  watch(awaited);
  Sleep<Linux, std::atomic<std::uint32_t>> sleep(group_.own->doorbell, group_.has_barriers);
  sleep.announce();
  if (!progress(awaited) && (awaited == nullptr || awaited->state == Operation::State::kPending)) {
    ++group_.counts.sleeps;
    sleep.wait(group_.options.waiting.watch);
  }
  sleep.end();
}

void Endpoint::watch(Operation* awaited) {
  if (liveness_.watch()) {
    abandon_if_hopeless(awaited);
  }
}

void Endpoint::abandon_if_hopeless(Operation* awaited) {
  if (awaited == nullptr || awaited->state != Operation::State::kPending) {
    return;
  }
  const bool is_matched = awaited->kind == Operation::Kind::kReceive && !awaited->in_list;
  if (liveness_.is_silent(is_matched ? awaited->status.source : awaited->peer)) {
    abandon(*awaited);
  }
}

void Endpoint::abandon(Operation& operation) {
  if (operation.kind == Operation::Kind::kSend) {
    output_.withdraw(operation);
  } else if (operation.in_list) {
    matcher_.withdraw(operation);
  } else {
    input_.withdraw(operation);
  }
  fail(operation, Operation::Failure::kPeerLeft);
}

MessageStatus Endpoint::conclude(Operation& operation) {
  const MessageStatus status = operation.status;
  const Operation::Failure failure = operation.failure;
  const Bytes room = static_cast<Bytes>(operation.buffer.bytes);
  const bool is_send = operation.kind == Operation::Kind::kSend;
  const std::int32_t other = operation.peer;
  operations_.release(operation);
  switch (failure) {
    case Operation::Failure::kNone:
      break;
    case Operation::Failure::kTruncated:
      throw Truncated(
          fmt::format("a message of {} bytes from rank {} with tag {} does not fit into a receive of {} bytes",
                      status.bytes, status.source, status.tag, room));
    case Operation::Failure::kUnreadable:
      throw Error(fmt::format("rank {} cannot read the {} bytes that rank {} sends: is its buffer still there?",
                              group_.rank, status.bytes, status.source));
    case Operation::Failure::kPeerLeft:
      throw PeerLeft(is_send ? fmt::format("a message cannot reach rank {}: it has left the shared-memory group", other)
                             : no_message_from(other));
  }
  return is_send ? MessageStatus{} : status;
}

Connection Endpoint::connection(std::int32_t peer) const {
  const Peer& other = group_.known_peer(peer);
  return {.level = other.level,
          .thresholds = other.thresholds,
          .sent = other.sent,
          .received = other.received,
          .non_temporal = other.non_temporal.selected(),
          .single_copy_refused = other.access == Peer::Access::kRefused || !group_.options.single_copy,
          .peer_reports_skew = other.reports_skew(),
          .skew_reported = other.skew.skewed(),
          .skew_raised = other.skew.raised(),
          .skew_restored = other.skew.restored(),
          .bidirectional_messages = other.direction.count(),
          .unexpected_messages = matcher_.unexpected_from(peer)};
}

}  // namespace postage::shm
