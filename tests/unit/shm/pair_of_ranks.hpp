#pragma once

#include "shm/progress/liveness.hpp"
#include "shm/progress/matching.hpp"
#include "shm/progress/rendezvous.hpp"
#include "shm/progress/ring_input.hpp"
#include "shm/progress/ring_output.hpp"

#include <cstddef>
#include <span>
#include <thread>

namespace postage::shm::test {

/// The parts of one rank's endpoint, without anything that waits.
struct RankParts {
  RankParts(const ShmSegment& segment, std::int32_t rank, const ShmOptions& options)
      : group(segment, rank, options),
        liveness(group),
        matcher(group.size),
        output(group, matcher),
        rendezvous(group, liveness, operations, output),
        input(group, matcher, rendezvous) {}

  Operation& send(std::span<const std::byte> message, int tag = 1) {
    Operation& send = operations.create();
    send.kind = Operation::Kind::kSend;
    send.peer = 1 - group.rank;
    send.envelope = {group.rank, tag, 0};
    send.buffer = Buffer::of(ConstStridedBytes(message));
    output.start(send);
    return send;
  }

  Operation& receive(std::span<std::byte> message, int tag = 1) {
    Operation& receive = operations.create();
    receive.kind = Operation::Kind::kReceive;
    receive.peer = 1 - group.rank;
    receive.envelope = {1 - group.rank, tag, 0};
    receive.buffer = Buffer::of(StridedBytes(message));
    if (Unexpected* found = matcher.find_unexpected(receive.envelope)) {
      input.take_unexpected(receive, *found);
    } else {
      matcher.post(receive);
    }
    return receive;
  }

  bool progress() {
    const bool flushed = output.flush();
    const bool concluded = rendezvous.progress();
    return input.drain_all(nullptr) || flushed || concluded;
  }

  Group group;
  Liveness liveness;
  Matcher matcher;
  OperationTable operations;
  RingOutput output;
  Rendezvous rendezvous;
  RingInput input;
};

inline ShmOptions options_with(const ProtocolThresholds& thresholds) {
  ShmOptions options;
  options.thresholds = ThresholdTable::uniform(thresholds);
  options.non_temporal = false;
  return options;
}

/// Two ranks in one process, whose steps a test makes in the order that it likes.
struct PairOfRanks {
  explicit PairOfRanks(const ShmOptions& options, const SegmentOptions& memory = {})
      : segment(ShmSegment::create(2, memory)), a(segment, 0, options), b(segment, 1, options) {
    std::thread joining([&] { a.group.join(a.liveness); });
    b.group.join(b.liveness);
    joining.join();
  }

  /// Until nothing moves.
  void settle() {
    while (a.progress() || b.progress()) {
    }
  }

  ShmSegment segment;
  RankParts a;
  RankParts b;
};

}  // namespace postage::shm::test
