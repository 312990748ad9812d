// How messages go where the receiver falls behind its sender (paper 002, section 4.2).
#include "protocol_support.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <new>
#include <optional>
#include <thread>
#include <vector>

namespace postage {
namespace {

using test::all_fine;
using test::require;
using test::run_ranks;
using test::with_thresholds;

constexpr ProtocolThresholds kSkewThresholds{
    .eager = 4096, .single_copy = 16384, .cooperative = 262144, .skewed_single_copy = 131072};

/// A message from rank 0 to rank 1, whose receive is there first.
void send_expected(ShmEndpoint& endpoint, const std::vector<std::byte>& message) {
  std::byte token{};
  if (endpoint.rank() == 0) {
    endpoint.receive(std::span(&token, 1), 1, 0);
    endpoint.send(message, 1, 1);
    return;
  }
  std::vector<std::byte> received(message.size());
  ShmRequest request = endpoint.start_receive(received, 0, 1);
  endpoint.send(std::span(&token, 1), 0, 0);
  endpoint.wait(request);
  require(received == message, "bytes");
}

/// Blocking messages of which each answers the one before.
void send_back_and_forth(ShmEndpoint& endpoint, std::size_t bytes, int times) {
  const std::int32_t other = 1 - endpoint.rank();
  const std::vector<std::byte> message(bytes, std::byte{8});
  std::vector<std::byte> received(bytes);
  for (int i = 0; i < times; ++i) {
    if (endpoint.rank() == 0) {
      endpoint.send(message, other, 2);
    }
    endpoint.receive(received, other, 2);
    if (endpoint.rank() == 1) {
      endpoint.send(message, other, 2);
    }
  }
}

/// A burst of messages from rank 0.
void send_burst(ShmEndpoint& endpoint, std::size_t bytes) {
  constexpr std::size_t kBurst = 8;
  const std::vector<std::byte> message(bytes, std::byte{6});
  std::vector<std::vector<std::byte>> received(kBurst, std::vector<std::byte>(bytes));
  std::vector<ShmRequest> requests;
  for (std::size_t k = 0; k < kBurst; ++k) {
    requests.push_back(endpoint.rank() == 0 ? endpoint.start_send(message, 1, 3)
                                            : endpoint.start_receive(received[k], 0, 3));
  }
  endpoint.wait_all(requests);
}

/// Medium messages that find no receive make the receiver report skew; the sender then leaves them in the pool; and
/// when the queue has stayed short for long, all is as before.
TEST(Skew, ChangesTheProtocolAndBack) {
  const auto work = [](ShmEndpoint& endpoint) {
    constexpr int kBurst = 20;
    const std::vector<std::byte> message(20000, std::byte{3});
    std::vector<std::byte> received(message.size());
    std::byte token{};
    const auto burst = [&] {
      if (endpoint.rank() == 0) {
        std::vector<ShmRequest> requests;
        for (int i = 0; i < kBurst; ++i) {
          requests.push_back(endpoint.start_send(message, 1, 1));
        }
        endpoint.send(std::span(&token, 1), 1, 2);
        endpoint.wait_all(requests);
        endpoint.receive(std::span(&token, 1), 1, 3);
      } else {
        endpoint.receive(std::span(&token, 1), 0, 2);
        for (int i = 0; i < kBurst; ++i) {
          endpoint.receive(received, 0, 1);
          require(received == message, "bytes");
        }
        endpoint.send(std::span(&token, 1), 0, 3);
      }
    };
    burst();
    const Connection first = endpoint.connection(1 - endpoint.rank());
    if (endpoint.rank() == 0) {
      require(first.peer_reports_skew && first.sent.single_copy == kBurst && first.sent.buffered == 0, "protocols");
    } else {
      require(first.skew_reported && first.skew_raised == 1 && first.skew_restored == 0, "skew is reported");
    }
    burst();
    if (endpoint.rank() == 0) {
      const ProtocolCounts counts = endpoint.connection(1).sent;
      require(counts.single_copy == kBurst && counts.buffered == kBurst, "protocols");
    }
    for (int i = 0; i < 70; ++i) {
      send_expected(endpoint, message);
    }
    const Connection last = endpoint.connection(1 - endpoint.rank());
    require(endpoint.rank() == 0 ? !last.peer_reports_skew : last.skew_restored == 1, "all is as before");
  };
  EXPECT_EQ(run_ranks(2, work, with_thresholds(kSkewThresholds)), all_fine(2));
}

/// A stream of messages of several cells would fill a ring.
TEST(Skew, LeavesTheRingToMessagesThatAreAnswered) {
  ProtocolThresholds thresholds = kSkewThresholds;
  thresholds.eager = 8192;
  thresholds.single_copy = thresholds.cooperative = thresholds.skewed_single_copy = ProtocolThresholds::kNever;
  const auto work = [](ShmEndpoint& endpoint) {
    const std::int32_t other = 1 - endpoint.rank();
    send_back_and_forth(endpoint, 5000, 20);
    require(endpoint.connection(other).sent.eager == 20, "of a conversation");
    send_burst(endpoint, 5000);
    const ProtocolCounts& sent = endpoint.connection(other).sent;
    require(endpoint.rank() == 1 || (sent.eager == 21 && sent.buffered == 7), "protocols");
    send_burst(endpoint, 1000);
    require(endpoint.rank() == 1 || endpoint.connection(other).sent.eager == 29, "messages of one cell");
  };
  EXPECT_EQ(run_ranks(2, work, with_thresholds(thresholds)), all_fine(2));
}

/// A ring holds few messages of several cells; towards a peer that falls behind they go where there is more room.
TEST(Skew, LeavesTheRingWhereThePeerFallsBehind) {
  ProtocolThresholds thresholds = kSkewThresholds;
  thresholds.eager = thresholds.single_copy = thresholds.cooperative = thresholds.skewed_single_copy = 32768;
  const auto work = [](ShmEndpoint& endpoint) {
    constexpr int kBurst = 20;
    const std::vector<std::byte> message(12000, std::byte{5});
    std::vector<std::byte> received(message.size());
    std::byte token{};
    for (int burst = 0; burst < 3; ++burst) {
      if (endpoint.rank() == 0) {
        std::vector<ShmRequest> requests;
        for (int i = 0; i < kBurst; ++i) {
          requests.push_back(endpoint.start_send(message, 1, 1));
        }
        // Nothing of this burst is received before all of it is on its way, once the peer is known to be behind.
        if (burst == 2) {
          endpoint.wait_all(requests);
        }
        ShmRequest go = endpoint.start_send(std::span(&token, 1), 1, 2);
        endpoint.wait(go);
        endpoint.wait_all(requests);
        endpoint.receive(std::span(&token, 1), 1, 3);
      } else {
        endpoint.receive(std::span(&token, 1), 0, 2);
        for (int i = 0; i < kBurst; ++i) {
          endpoint.receive(received, 0, 1);
          require(received == message, "bytes");
        }
        endpoint.send(std::span(&token, 1), 0, 3);
      }
    }
    const Connection last = endpoint.connection(1 - endpoint.rank());
    require(endpoint.rank() == 1 || last.sent.buffered >= kBurst, "protocols");
  };
  EXPECT_EQ(run_ranks(2, work, with_thresholds(thresholds)), all_fine(2));
}

/// A ring that holds two long messages shows no queue: that its sender waits for room is what tells. One thread makes
/// both ranks' calls in turn, so that the ring is full whenever the receiver looks.
TEST(Skew, SeesAFullRingAsAQueue) {
  ProtocolThresholds thresholds = kSkewThresholds;
  thresholds.eager = thresholds.single_copy = thresholds.cooperative = thresholds.skewed_single_copy = 100000;
  ShmOptions options = with_thresholds(thresholds);
  options.non_temporal = false;
  const ShmSegment segment = ShmSegment::create(2);
  std::optional<ShmEndpoint> sender;
  std::thread joining([&] { sender.emplace(segment, 0, options); });
  ShmEndpoint receiver(segment, 1, options);
  joining.join();
  constexpr int kMessages = 20;
  const std::vector<std::byte> message(30000, std::byte{6});
  std::vector<std::byte> received(message.size());
  std::vector<ShmRequest> requests;
  for (int i = 0; i < kMessages; ++i) {
    requests.push_back(sender->start_send(message, 1, 1));
  }
  for (int i = 0; i < kMessages; ++i) {
    static_cast<void>(sender->test(requests.back()));  // fills the ring
    receiver.receive(received, 0, 1);
    ASSERT_EQ(received, message);
  }
  sender->wait_all(requests);
  EXPECT_TRUE(receiver.connection(0).skew_reported);
}

/// A sender that is ahead by more messages than the ring has cells needs not wait for each of them to be received.
TEST(Skew, NotesWhatTheSenderIsAhead) {
  ProtocolThresholds thresholds = kSkewThresholds;
  thresholds.eager = 1000;
  thresholds.single_copy = thresholds.cooperative = thresholds.skewed_single_copy = 32768;
  void* memory = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* is_sent = new (memory) std::atomic<bool>(false);
  const auto work = [is_sent](ShmEndpoint& endpoint) {
    constexpr int kBefore = 20;    // by the end of these the receiver has reported skew
    constexpr int kMessages = 90;  // more than cells, fewer than chunks
    const std::vector<std::byte> message(12000, std::byte{7});
    std::vector<std::byte> received(message.size());
    std::byte token{};
    const auto start_all = [&](int count) {
      std::vector<ShmRequest> requests;
      for (int i = 0; i < count; ++i) {
        requests.push_back(endpoint.start_send(message, 1, 1));
      }
      return requests;
    };
    if (endpoint.rank() == 0) {
      std::vector<ShmRequest> requests = start_all(kBefore);
      endpoint.send(std::span(&token, 1), 1, 2);
      endpoint.wait_all(requests);
      requests = start_all(kMessages);
      endpoint.wait_all(requests);
      is_sent->store(true);
      return;
    }
    endpoint.receive(std::span(&token, 1), 0, 2);
    for (int i = 0; i < kBefore; ++i) {
      endpoint.receive(received, 0, 1);
    }
    require(endpoint.connection(0).skew_reported, "skew is reported");
    int before = 0;
    for (int i = 0; i < kMessages; ++i) {
      endpoint.receive(received, 0, 1);
      require(received == message, "bytes");
      for (int wait = 0; wait < 100 && !is_sent->load(); ++wait) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      before += is_sent->load() ? 0 : 1;
    }
    require(before < 10, "received before all were sent: " + std::to_string(before));
  };
  EXPECT_EQ(run_ranks(2, work, with_thresholds(thresholds)), all_fine(2));
  munmap(memory, sizeof(std::atomic<bool>));
}

}  // namespace
}  // namespace postage
