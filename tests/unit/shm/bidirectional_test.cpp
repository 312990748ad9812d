// Protocols of messages that two ranks send to each other at the same time.
#include "protocol_support.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace postage {
namespace {

using test::all_fine;
using test::as_text;
using test::forbid_touching_others;
using test::ForkedRanks;
using test::require;
using test::run_ranks;
using test::with_thresholds;

/// Bidirectional traffic takes single copy, messages in one direction do not; or the other way round.
ShmOptions with_directions(Bytes one_way, Bytes bidirectional) {
  constexpr Bytes kNever = ProtocolThresholds::kNever;
  return with_thresholds({.eager = 4096,
                          .single_copy = one_way,
                          .cooperative = kNever,
                          .skewed_single_copy = kNever,
                          .bidirectional_single_copy = bidirectional});
}

/// Each rank sends the other one so many messages at the same time.
void sendrecv(ShmEndpoint& endpoint, std::size_t bytes, int times) {
  const std::int32_t other = 1 - endpoint.rank();
  for (int i = 0; i < times; ++i) {
    const std::vector<std::byte> message(bytes, static_cast<std::byte>(i));
    std::vector<std::byte> received(bytes);
    std::vector<ShmRequest> both{endpoint.start_receive(received, other, 1), endpoint.start_send(message, other, 1)};
    endpoint.wait_all(both);
    require(received == message, "bytes");
  }
}

/// Blocking messages of which each answers the one before.
void converse(ShmEndpoint& endpoint, std::size_t bytes, int times) {
  const std::int32_t other = 1 - endpoint.rank();
  std::vector<std::byte> received(bytes);
  for (int i = 0; i < times; ++i) {
    const std::vector<std::byte> message(bytes, static_cast<std::byte>(i));
    if (endpoint.rank() == 0) {
      endpoint.send(message, other, 2);
    }
    endpoint.receive(received, other, 2);
    if (endpoint.rank() == 1) {
      endpoint.send(message, other, 2);
    }
    require(received == message, "bytes");
  }
}

/// Bursts of messages from rank 0.
void stream(ShmEndpoint& endpoint, std::size_t bytes, int times) {
  constexpr std::size_t kBurst = 8;
  const std::vector<std::byte> message(bytes, std::byte{6});
  std::vector<std::vector<std::byte>> received(kBurst, std::vector<std::byte>(bytes));
  for (int i = 0; i < times; ++i) {
    std::vector<ShmRequest> requests;
    for (std::size_t k = 0; k < kBurst; ++k) {
      requests.push_back(endpoint.rank() == 0 ? endpoint.start_send(message, 1, 3)
                                              : endpoint.start_receive(received[k], 0, 3));
    }
    endpoint.wait_all(requests);
    require(endpoint.rank() == 0 || received[kBurst - 1] == message, "bytes");
  }
}

TEST(Bidirectional, HasAThresholdOfItsOwn) {
  const auto work = [](ShmEndpoint& endpoint) {
    sendrecv(endpoint, 100000, 100);
    const Connection connection = endpoint.connection(1 - endpoint.rank());
    for (const ProtocolCounts& counts : {connection.sent, connection.received}) {
      // The first message of each rank knows nothing yet, and a rank that falls behind may find its peer's message
      // before it sends its own.
      require(counts.single_copy > 50 && counts.buffered > 0, as_text(counts));
    }
    require(connection.bidirectional_messages > 50, "is seen");
    sendrecv(endpoint, 20000, 20);
    require(endpoint.connection(1 - endpoint.rank()).sent.buffered >= 20, "below the threshold");
  };
  EXPECT_EQ(run_ranks(2, work, with_directions(ProtocolThresholds::kNever, 50000)), all_fine(2));
}

TEST(Bidirectional, LeavesSingleCopyToMessagesInOneDirection) {
  const auto work = [](ShmEndpoint& endpoint) {
    sendrecv(endpoint, 100000, 100);
    const ProtocolCounts counts = endpoint.connection(1 - endpoint.rank()).sent;
    require(counts.buffered > 50, as_text(counts));
    converse(endpoint, 100000, 100);
    require(endpoint.connection(1 - endpoint.rank()).sent.single_copy >= 99, "a conversation");
    stream(endpoint, 100000, 10);
    require(endpoint.connection(1 - endpoint.rank()).bidirectional_messages <= 100, "a stream");
  };
  EXPECT_EQ(run_ranks(2, work, with_directions(32768, ProtocolThresholds::kNever)), all_fine(2));
}

/// Longer than the pool: what is sent through it needs the receiver's CTS, and counts all the same.
TEST(Bidirectional, IsSeenOfMessagesLongerThanThePool) {
  const auto work = [](ShmEndpoint& endpoint) {
    sendrecv(endpoint, 600 << 10, 50);
    const Connection connection = endpoint.connection(1 - endpoint.rank());
    require(connection.received.pipelined > 0 && connection.bidirectional_messages > 20, as_text(connection.received));
  };
  SegmentOptions memory;
  memory.pool_bytes = 512 << 10;
  EXPECT_EQ(run_ranks(2, work, with_directions(32768, ProtocolThresholds::kNever), memory), all_fine(2));
}

/// Ranks that both receive only after a blocking send count on room for their messages, as the pool gives it.
TEST(Bidirectional, KeepsNobodyWaitingWhoSendsBeforeReceiving) {
  const auto work = [](ShmEndpoint& endpoint) {
    const std::int32_t other = 1 - endpoint.rank();
    const std::vector<std::byte> message(100000, std::byte{9});
    std::vector<std::byte> received(message.size());
    for (int i = 0; i < 200; ++i) {
      endpoint.send(message, other, 1);
      endpoint.receive(received, other, 1);
    }
    sendrecv(endpoint, message.size(), 100);
    endpoint.send(message, other, 1);
    endpoint.receive(received, other, 1);
  };
  EXPECT_EQ(run_ranks(2, work, with_directions(ProtocolThresholds::kNever, 0)), all_fine(2));
}

TEST(Bidirectional, GoesOnWhereTheKernelRefuses) {
  for (const std::int32_t forbidden : {0, 1}) {
    const ShmSegment segment = ShmSegment::create(2);
    ForkedRanks ranks(2, [&](std::int32_t rank) {
      ShmOptions options = with_directions(ProtocolThresholds::kNever, 0);
      options.warn = [](const std::string&) {};
      ShmEndpoint endpoint(segment, rank, options);
      sendrecv(endpoint, 100000, 50);
      if (rank == forbidden) {
        forbid_touching_others();
      }
      sendrecv(endpoint, 100000, 300);
      const Connection connection = endpoint.connection(1 - rank);
      require(connection.single_copy_refused == (rank == forbidden), "what is known");
      require(rank != forbidden || connection.received.buffered > 200, as_text(connection.received));
    });
    EXPECT_EQ(ranks.wait(), all_fine(2)) << "rank " << forbidden;
  }
}

}  // namespace
}  // namespace postage
