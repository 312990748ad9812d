// Which protocol messages take, and that they fall back where the kernel refuses single copy.
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

constexpr ProtocolThresholds kThresholds{.eager = 4096,
                                         .single_copy = 16384,
                                         .cooperative = 262144,
                                         .skewed_single_copy = 131072,
                                         .bidirectional_single_copy = 16384};

/// One message of each size from rank 0 to rank 1, whose receive is there first.
void send_each(ShmEndpoint& endpoint, const std::vector<std::size_t>& sizes) {
  for (const std::size_t bytes : sizes) {
    std::vector<std::byte> message(bytes, std::byte{1});
    std::byte token{};
    if (endpoint.rank() == 0) {
      endpoint.receive(std::span(&token, 1), 1, 0);
      endpoint.send(message, 1, 1);
    } else {
      std::vector<std::byte> received(bytes);
      ShmRequest request = endpoint.start_receive(received, 0, 1);
      endpoint.send(std::span(&token, 1), 0, 0);
      endpoint.wait(request);
      require(received == message, "bytes");
    }
  }
}

TEST(Protocols, FollowTheThresholds) {
  const auto work = [](ShmEndpoint& endpoint) {
    send_each(endpoint, {0, 48, 4096, 4097, 16383, 16384, 262143, 262144});
    const ProtocolCounts counts = endpoint.connection(1 - endpoint.rank()).received;
    if (endpoint.rank() == 1) {
      require(counts.eager == 3 && counts.buffered == 2 && counts.single_copy == 2 && counts.cooperative == 1,
              as_text(counts));
    }
  };
  EXPECT_EQ(run_ranks(2, work, with_thresholds(kThresholds)), all_fine(2));
}

// A message of 16 bytes as well as a long one; without single copy, as the thresholds say.
TEST(Protocols, CopyFromTheSendersMemoryWhereAsked) {
  const auto work = [](ShmEndpoint& endpoint) {
    const std::vector<Bytes> sizes{16, 4096, 100000, 0};
    for (const Bytes bytes : sizes) {
      const std::vector<std::byte> message(static_cast<std::size_t>(bytes), std::byte{7});
      std::vector<std::byte> received(message.size());
      ShmRequest request =
          endpoint.rank() == 0 ? endpoint.start_single_copy(message, 1, 1) : endpoint.start_receive(received, 0, 1);
      endpoint.wait(request);
      require(endpoint.rank() == 0 || received == message, "bytes");
    }
    const Connection connection = endpoint.connection(1 - endpoint.rank());
    const ProtocolCounts& counts = endpoint.rank() == 0 ? connection.sent : connection.received;
    require(counts.single_copy == (connection.single_copy_refused ? 0 : 3), as_text(counts));
  };
  EXPECT_EQ(run_ranks(2, work, with_thresholds(kThresholds)), all_fine(2));
  ShmOptions refused = with_thresholds(kThresholds);
  refused.single_copy = false;
  EXPECT_EQ(run_ranks(2, work, refused), all_fine(2));
}

TEST(Protocols, GoThroughThePoolWithoutSingleCopy) {
  ShmOptions options = with_thresholds(kThresholds);
  options.single_copy = false;
  const auto work = [](ShmEndpoint& endpoint) {
    // What is too long for the pool waits for its receive and is pipelined.
    send_each(endpoint, {4096, 4097, 262144, 5000000});
    const ProtocolCounts counts = endpoint.connection(1 - endpoint.rank()).received;
    if (endpoint.rank() == 1) {
      require(counts.eager == 1 && counts.buffered == 2 && counts.pipelined == 1, as_text(counts));
    }
    require(endpoint.connection(1 - endpoint.rank()).single_copy_refused, "known to be refused");
  };
  EXPECT_EQ(run_ranks(2, work, options), all_fine(2));
}

/// Rank `forbidden` may not read others; messages go both ways.
void check_fallback(std::int32_t forbidden, bool late) {
  const ShmSegment segment = ShmSegment::create(2);
  ForkedRanks ranks(2, [&](std::int32_t rank) {
    int warnings = 0;
    ShmOptions options = with_thresholds(kThresholds);
    options.warn = [&](const std::string& sentence) {
      ++warnings;
      require(sentence.find("process_vm_readv") != std::string::npos, sentence);
    };
    if (rank == forbidden && !late) {
      forbid_touching_others();
    }
    ShmEndpoint endpoint(segment, rank, options);
    send_each(endpoint, {20000, 300000});
    if (rank == forbidden && late) {
      forbid_touching_others();
    }
    send_each(endpoint, {20000, 300000, 6000000});
    if (rank == 1) {
      const ProtocolCounts counts = endpoint.connection(0).received;
      const bool refused = forbidden == 1;
      require(warnings == (refused ? 1 : 0), "warnings: " + std::to_string(warnings));
      require(endpoint.connection(0).single_copy_refused == refused, "what is known");
      require((counts.pipelined > 0) == refused, as_text(counts));
      require(refused || counts.single_copy == 2, as_text(counts));
    }
  });
  EXPECT_EQ(ranks.wait(), all_fine(2)) << "rank " << forbidden << (late ? " late" : "");
}

TEST(Protocols, FallBackWhereTheKernelRefusesTheReceiver) {
  check_fallback(1, false);
}

TEST(Protocols, FallBackWhereTheKernelRefusesLater) {
  check_fallback(1, true);
}

/// A sender that may not write only cannot help.
TEST(Protocols, DoWithoutASenderThatMayNotWrite) {
  check_fallback(0, false);
  check_fallback(0, true);
}

/// Of two that send to each other each reads: there is nobody to help.
TEST(Protocols, AreNotCooperativeWhereBothSend) {
  const auto work = [](ShmEndpoint& endpoint) {
    const std::int32_t other = 1 - endpoint.rank();
    const std::vector<std::byte> message(300000, std::byte{4});
    std::vector<std::byte> received(message.size());
    for (int i = 0; i < 10; ++i) {
      ShmRequest send = endpoint.start_send(message, other, 1);
      endpoint.receive(received, other, 1);
      endpoint.wait(send);
      require(received == message, "bytes");
    }
    const ProtocolCounts counts = endpoint.connection(other).received;
    require(counts.single_copy == 10 && counts.cooperative == 0, as_text(counts));
    send_each(endpoint, {300000});
    require(endpoint.rank() == 0 || endpoint.connection(other).received.cooperative == 1, "cooperative, one way");
  };
  EXPECT_EQ(run_ranks(2, work, with_thresholds(kThresholds)), all_fine(2));
}

}  // namespace
}  // namespace postage
