#include "shm/endpoint.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <bit>
#include <exception>

namespace postage::shm {
namespace {

/// Also a rank that always has something to do looks after its peers, every so many rounds.
constexpr std::uint32_t kRoundsPerWatch = 1024;

}  // namespace

std::string no_message_from(std::int32_t source) {
  return source == kAnySource ? "no message can come any more: all other ranks have left the channel"
                              : fmt::format("no message can come from rank {}: it has left the channel", source);
}

bool Endpoint::progress(const Operation* awaited) {
  bool moved = false;
  if (!unsent_.empty()) {
    moved = push_out();
  }
  if (!joints_.empty()) {
    moved = continue_joints() || moved;
  }
  find_senders();
  for (Peer* from : senders_) {
    moved = drain(*from, awaited) || moved;
    if (awaited != nullptr && awaited->state == Operation::State::kDone) {
      return true;
    }
  }
  return moved;
}

void Endpoint::find_senders() {
  const auto words = static_cast<std::size_t>(size_ + 63) / 64;
  for (std::size_t word = 0; word < words; ++word) {
    std::uint64_t fresh = own().senders.bits[word].load(std::memory_order_acquire) & ~senders_seen_[word];
    senders_seen_[word] |= fresh;
    for (; fresh != 0; fresh &= fresh - 1) {
      senders_.push_back(&peers_[64 * word + static_cast<std::size_t>(std::countr_zero(fresh))]);
    }
  }
}

void Endpoint::wait_for(Operation& operation) {
  Patience patience(options_.waiting, more_ranks_than_cores_);
  while (operation.state == Operation::State::kPending) {
    if (!progress(&operation)) {
      idle(patience, &operation);
      continue;
    }
    patience.reset();
    watch_now_and_then(&operation);
  }
}

void Endpoint::idle(Patience& patience, Operation* awaited) {
  switch (patience.next()) {
    case Patience::Step::kLook:
      relax();
      return;
    case Patience::Step::kYield:
      ++counts_.yields;
      sched_yield();
      watch(awaited);
      return;
    case Patience::Step::kSleep:
      doze(awaited);
      return;
  }
}

void Endpoint::doze(Operation* awaited) {
  watch(awaited);
  Bed<Linux, std::atomic<std::uint32_t>> bed(own().doorbell, has_barriers_);
  bed.lie_down();
  if (!progress(awaited) && (awaited == nullptr || awaited->state == Operation::State::kPending)) {
    ++counts_.sleeps;
    bed.sleep(options_.waiting.watch);
  }
  bed.get_up();
}

void Endpoint::watch_now_and_then(Operation* awaited) {
  if (++looks_ % kRoundsPerWatch == 0) {
    watch(awaited);
  }
}

void Endpoint::watch(Operation* awaited) {
  const Seconds time = coarse_now();
  if (time - watched_ < options_.waiting.watch) {
    return;
  }
  watched_ = time;
  check_peers();
  if (awaited != nullptr && awaited->state == Operation::State::kPending && is_hopeless(*awaited)) {
    abandon(*awaited);
  }
}

void Endpoint::check_peers() {
  for (Peer& other : peers_) {
    if (other.rank == rank_) {
      continue;
    }
    if (other.block->card.presence.load(std::memory_order_acquire) == Presence::kGaveUp) {
      give_up(fmt::format("rank {} of the channel gave up after another rank's death", other.rank));
    }
    if (is_dead(other)) {
      give_up(fmt::format("rank {} of the channel has died", other.rank));
    }
    other.seen_alive = watched_;
  }
}

bool Endpoint::is_gone(const Peer& peer) const {
  return peer.block->card.process != own().card.process && !mapping_.locked_elsewhere(peer.rank);
}

bool Endpoint::is_dead(const Peer& peer) const {
  // Whoever leaves says so before it lets go of its lock.
  return is_present(peer) && is_gone(peer) && is_present(peer);
}

void Endpoint::check_usable() const {
  if (!broken_.empty()) {
    throw PeerDied(broken_);
  }
}

void Endpoint::give_up(const std::string& why) {
  // What this rank offered may change once its caller has heard of the failure: nobody must take it any more.
  Presence present = Presence::kPresent;
  own().card.presence.compare_exchange_strong(present, Presence::kGaveUp, std::memory_order_seq_cst);
  broken_ = why;
  close_joints();
  throw PeerDied(why);
}

bool Endpoint::is_silent(Peer& peer) {
  return peer.block->card.presence.load(std::memory_order_acquire) == Presence::kLeft && peer.in.front() == nullptr;
}

bool Endpoint::is_silent_source(std::int32_t source) {
  if (source != kAnySource) {
    return source != rank_ && is_silent(peer(source));
  }
  return size_ > 1 && std::all_of(peers_.begin(), peers_.end(),
                                  [&](Peer& other) { return other.rank == rank_ || is_silent(other); });
}

bool Endpoint::is_hopeless(const Operation& operation) {
  const bool is_matched = operation.kind == Operation::Kind::kReceive && !operation.in_list;
  return is_silent_source(is_matched ? operation.status.source : operation.peer);
}

/// Takes a pending operation whose peer has left out of wherever it is.
void Endpoint::abandon(Operation& operation) {
  if (operation.kind == Operation::Kind::kSend) {
    if (operation.in_list) {
      peer(operation.peer).line.remove(operation);
    } else if (operation.way == Operation::Way::kOffer) {
      --peer(operation.peer).offered;
    }
    // Nothing was put into these.
    for (std::size_t i = operation.moved / layout_.shape().chunk_bytes; i < operation.chunks.size(); ++i) {
      give_back_chunk(layout_, rank_, operation.chunks[i]);
    }
    std::erase(peer(operation.peer).pushes, &operation);
  } else if (operation.in_list) {
    matcher_.withdraw(operation);
  } else if (Inbound& inbound = peer(operation.status.source).inbound; inbound.receive == &operation) {
    inbound = {};
  }
  operation.in_list = false;
  fail(operation, Operation::Failure::kPeerLeft);
}

void Endpoint::fail(Operation& operation, Operation::Failure failure) {
  operation.failure = failure;
  operation.state = Operation::State::kDone;
}

Operation& Endpoint::find(const ShmRequest& request) {
  Operation* operation = operations_.find(request.operation());
  if (operation == nullptr) {
    throw UsageError("this request has been waited for already, or belongs to another channel");
  }
  return *operation;
}

std::optional<MessageStatus> Endpoint::test(ShmRequest& request) {
  check_usable();
  if (request.is_null()) {
    return MessageStatus{};
  }
  Operation& operation = find(request);
  if (operation.state == Operation::State::kPending && !progress(&operation)) {
    watch(&operation);
  }
  if (operation.state == Operation::State::kPending) {
    return std::nullopt;
  }
  request = {};
  return conclude(operation);
}

MessageStatus Endpoint::wait(ShmRequest& request) {
  check_usable();
  if (request.is_null()) {
    return {};
  }
  Operation& operation = find(request);
  wait_for(operation);
  request = {};
  return conclude(operation);
}

void Endpoint::wait_all(std::span<ShmRequest> requests) {
  std::exception_ptr first;
  for (ShmRequest& request : requests) {
    try {
      static_cast<void>(wait(request));
    } catch (const PeerDied&) {
      throw;
    } catch (const Error&) {
      first = first ? first : std::current_exception();
    }
  }
  if (first) {
    std::rethrow_exception(first);
  }
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
      throw Error(fmt::format("rank {} cannot read the {} bytes that rank {} sends: is its buffer still there?", rank_,
                              status.bytes, status.source));
    case Operation::Failure::kPeerLeft:
      throw PeerLeft(is_send ? fmt::format("a message cannot reach rank {}: it has left the channel", other)
                             : no_message_from(other));
  }
  return is_send ? MessageStatus{} : status;
}

}  // namespace postage::shm
