// The calls of ShmEndpoint, as Endpoint carries them out.
#include "shm/progress/endpoint.hpp"
#include "shm/progress/receiving.hpp"

#include <fmt/format.h>

#include <exception>

namespace postage::shm {

void Endpoint::check_target(std::int32_t target, int tag) const {
  if (target < 0 || target >= group_.size) {
    throw UsageError(fmt::format("cannot send to rank {}: the ranks are 0 to {}", target, group_.size - 1));
  }
  if (tag < 0) {
    throw UsageError(fmt::format("cannot send with tag {}: tags are not negative", tag));
  }
  liveness_.check_usable();
}

void Endpoint::check_source(std::int32_t source, int tag) const {
  if (source != kAnySource && (source < 0 || source >= group_.size)) {
    throw UsageError(fmt::format("cannot receive from rank {}: the ranks are 0 to {}", source, group_.size - 1));
  }
  if (tag != kAnyTag && tag < 0) {
    throw UsageError(fmt::format("cannot receive tag {}: tags are not negative", tag));
  }
  liveness_.check_usable();
}

bool Endpoint::send_now(const Buffer& buffer, std::int32_t target, int tag, std::uint32_t context) {
  return target != group_.rank && output_.send_now(buffer, target, {group_.rank, tag, context});
}

void Endpoint::send(const ConstStridedBytes& message, std::int32_t target, int tag, std::uint32_t context) {
  check_target(target, tag);
  Buffer::check(message);
  const Buffer buffer = Buffer::of(message);
  if (send_now(buffer, target, tag, context)) {
    return;
  }
  Operation& send = begin_send(buffer, target, {group_.rank, tag, context}, SendMode::kBlocking);
  wait_for(send);
  conclude(send);
}

ShmRequest Endpoint::start_send(const ConstStridedBytes& message, std::int32_t target, int tag, std::uint32_t context) {
  check_target(target, tag);
  Buffer::check(message);
  const Buffer buffer = Buffer::of(message);
  if (send_now(buffer, target, tag, context)) {
    return {};
  }
  return ShmRequest(begin_send(buffer, target, {group_.rank, tag, context}, SendMode::kStarted).id());
}

ShmRequest Endpoint::start_single_copy(const ConstStridedBytes& message, std::int32_t target, int tag,
                                       std::uint32_t context) {
  check_target(target, tag);
  Buffer::check(message);
  return ShmRequest(begin_send(Buffer::of(message), target, {group_.rank, tag, context}, SendMode::kSingleCopy).id());
}

Operation& Endpoint::begin_send(const Buffer& buffer, std::int32_t target, const Envelope& envelope, SendMode mode) {
  Operation& send = operations_.create();
  send.kind = Operation::Kind::kSend;
  send.peer = target;
  send.envelope = envelope;
  send.buffer = buffer;
  send.mode = mode;
  if (target == group_.rank) {
    send_to_self(send);
  } else {
    output_.start(send);
  }
  return send;
}

void Endpoint::send_to_self(Operation& send) {
  if (Operation* receive = matcher_.take_posted(send.envelope)) {
    receive_own(*receive, send.buffer);
    finish_receive(*receive, send.envelope, send.buffer.bytes);
    send.state = Operation::State::kDone;
    return;
  }
  Unexpected& message = matcher_.create(send.envelope, send.buffer.bytes);
  message.arrived = send.buffer.bytes;
  // Nobody else could take it while this call waits, so a blocking send leaves a copy behind.
  if (send.mode == SendMode::kBlocking ||
      static_cast<Bytes>(send.buffer.bytes) <= group_.peer(group_.rank).thresholds.eager) {
    message.held.resize(send.buffer.bytes);
    copy_out(send.buffer, 0, message.held.data(), send.buffer.bytes);
    send.state = Operation::State::kDone;
  } else {
    message.content = Unexpected::Content::kOwn;
    message.own = &send;
  }
}

/// A short message that is there, or comes within a moment, needs no operation, if no peer waits for this rank to do
/// something else.
std::optional<MessageStatus> Endpoint::receive_now(const Buffer& buffer, const Envelope& wanted) {
  if (wanted.source == kAnySource || wanted.source == group_.rank || !operations_.is_empty() || !output_.is_empty()) {
    return std::nullopt;
  }
  auto status = input_.receive_now(buffer, wanted);
  if (status) {
    liveness_.watch_occasionally();
  }
  return status;
}

MessageStatus Endpoint::receive(const StridedBytes& message, std::int32_t source, int tag, std::uint32_t context) {
  check_source(source, tag);
  Buffer::check(message);
  const Buffer buffer = Buffer::of(message);
  if (const auto status = receive_now(buffer, {source, tag, context})) {
    return *status;
  }
  Operation& receive = begin_receive(buffer, {source, tag, context});
  wait_for(receive);
  return conclude(receive);
}

ShmRequest Endpoint::start_receive(const StridedBytes& message, std::int32_t source, int tag, std::uint32_t context) {
  check_source(source, tag);
  Buffer::check(message);
  return ShmRequest(begin_receive(Buffer::of(message), {source, tag, context}).id());
}

Operation& Endpoint::begin_receive(const Buffer& buffer, const Envelope& wanted) {
  Operation& receive = operations_.create();
  receive.kind = Operation::Kind::kReceive;
  receive.peer = wanted.source;
  receive.envelope = wanted;
  receive.buffer = buffer;
  if (Unexpected* message = matcher_.find_unexpected(wanted)) {
    input_.take_unexpected(receive, *message);
  } else {
    matcher_.post(receive);
  }
  return receive;
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
  Patience patience(group_.options.waiting, group_.more_ranks_than_cores);
  for (;;) {
    if (const auto found = try_probe(source, tag, context)) {
      return *found;
    }
    if (liveness_.is_silent(source)) {
      throw PeerLeft(no_message_from(source));
    }
    idle(patience, nullptr);
  }
}

Operation& Endpoint::find(const ShmRequest& request) {
  Operation* operation = operations_.find(request.operation());
  if (operation == nullptr) {
    throw UsageError("this request has been waited for already, or belongs to another endpoint");
  }
  return *operation;
}

std::optional<MessageStatus> Endpoint::test(ShmRequest& request) {
  liveness_.check_usable();
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
  liveness_.check_usable();
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

}  // namespace postage::shm
