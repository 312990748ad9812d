#pragma once

#include "shm/progress/operations.hpp"

#include <algorithm>

namespace postage::shm {

// What both halves of receiving, through the rings and by rendezvous, do with a matched receive.

/// Copies a piece of a message into the receive's buffer. Bytes beyond it are dropped: the receive then fails as
/// truncated.
inline void receive_piece(Operation& receive, const std::byte* from, std::uint64_t offset, std::uint64_t bytes) {
  if (offset < receive.buffer.bytes) {
    copy_in(receive.buffer, offset, from, std::min(bytes, receive.buffer.bytes - offset));
  }
}

inline void finish_receive(Operation& receive, const Envelope& envelope, std::uint64_t total) {
  receive.status = {envelope.source, envelope.tag, static_cast<Bytes>(total)};
  receive.failure = total > receive.buffer.bytes ? Operation::Failure::kTruncated : Operation::Failure::kNone;
  receive.state = Operation::State::kDone;
}

/// Of a receive whose status names its source and tag.
inline void finish_receive(Operation& receive, std::uint64_t total) {
  finish_receive(receive, {receive.status.source, receive.status.tag}, total);
}

inline void fail(Operation& operation, Operation::Failure failure) {
  operation.failure = failure;
  operation.state = Operation::State::kDone;
}

/// Copies a message of this rank to itself from one buffer to the other.
inline void receive_own(Operation& receive, const Buffer& message) {
  std::uint64_t offset = 0;
  for_each_run(message, 0, message.bytes, [&](const std::byte* run, std::uint64_t length) {
    receive_piece(receive, run, offset, length);
    offset += length;
    return true;
  });
}

}  // namespace postage::shm
