// Messages received at once, and ranks that sleep until a message comes.
#include "support/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <thread>
#include <tuple>
#include <vector>

namespace postage {
namespace {

using test::all_fine;
using test::require;
using test::run_ranks;
using test::throws;

/// A blocking receive may take a short message from the ring by itself, but only where that is its turn.
TEST(Messages, AreReceivedAtOnceOnlyInTheirTurn) {
  constexpr int kRepetitions = 100;
  const auto work = [](ShmEndpoint& endpoint) {
    const auto number = [](int repetition, int index) { return static_cast<std::byte>(8 * repetition + index); };
    const auto receive = [&](int tag, std::uint32_t context) {
      std::byte received{};
      const MessageStatus status = endpoint.receive(std::span(&received, 1), 0, tag, context);
      require(status.source == 0 && status.bytes == 1, "status");
      return received;
    };
    for (int i = 0; i < kRepetitions; ++i) {
      if (endpoint.rank() == 0) {
        for (const auto& [index, tag, context] :
             {std::tuple(0, 1, 0U), {1, 2, 0U}, {2, 2, 1U}, {3, 2, 0U}, {4, 5, 0U}}) {
          const std::byte message = number(i, index);
          endpoint.send(std::span(&message, 1), 1, tag, context);
        }
        const std::array<std::byte, 2> longer{};
        endpoint.send(longer, 1, 6);
        endpoint.receive({}, 1, 7);
      } else {
        std::byte posted{};
        ShmRequest request = endpoint.start_receive(std::span(&posted, 1), 0, 2);
        require(receive(2, 0) == number(i, 3), "a receive that was posted comes first");
        require(endpoint.wait(request).bytes == 1 && posted == number(i, 1), "the posted one");
        require(receive(kAnyTag, 0) == number(i, 0), "one that was passed over comes first");
        require(receive(kAnyTag, 0) == number(i, 4), "another context's stays");
        require(receive(2, 1) == number(i, 2), "the other context's");
        require(throws<Truncated>([&] { static_cast<void>(receive(6, 0)); }), "truncated");
        endpoint.send({}, 0, 7);
      }
    }
    require(endpoint.rank() == 0 || endpoint.connection(0).received.eager == 6 * kRepetitions, "eager");
  };
  EXPECT_EQ(run_ranks(2, work), all_fine(2));
}

/// Passes a token once around; rank 0 gets back what the last rank made of it.
void pass_around(ShmEndpoint& endpoint, std::span<std::byte> token, std::span<std::byte> incoming,
                 const std::function<void()>& before_passing) {
  const std::int32_t next = (endpoint.rank() + 1) % endpoint.size();
  const std::int32_t before = (endpoint.rank() + endpoint.size() - 1) % endpoint.size();
  if (endpoint.rank() != 0) {
    endpoint.receive(incoming, before, 0);
    std::copy(incoming.begin(), incoming.end(), token.begin());
  }
  before_passing();
  endpoint.send(token, next, 0);
  if (endpoint.rank() == 0) {
    endpoint.receive(incoming, before, 0);
  }
}

/// Waiting that always sleeps, with and without more ranks than cores. A lost wake-up would cost 30 s each.
TEST(Waiting, WakesSleepers) {
  ShmOptions options;
  options.waiting = {.spin = 0, .yield = 0, .watch = 30};
  const auto work = [](ShmEndpoint& endpoint) {
    std::vector<std::byte> token(100000);
    std::vector<std::byte> incoming(token.size());
    for (int i = 0; i < 200; ++i) {
      const std::size_t bytes = i % 4 == 0 ? token.size() : 8;
      pass_around(endpoint, std::span(token).first(bytes), std::span(incoming).first(bytes), [] {});
    }
  };
  EXPECT_EQ(run_ranks(2, work, options), all_fine(2));
  EXPECT_EQ(run_ranks(5, work, options), all_fine(5));
}

/// Ranks that keep step may always find their message as they lie down, and never sleep. So each pauses before it
/// passes the token on, and they go on until all have slept and woken another; if one never did, that would be a hang.
TEST(Waiting, SleepsUntilAMessageComes) {
  ShmOptions options;
  options.waiting = {.spin = 0, .yield = 0, .watch = 30};
  const auto work = [](ShmEndpoint& endpoint) {
    std::byte counted{};
    while (counted != static_cast<std::byte>(endpoint.size())) {
      std::byte rested{};
      pass_around(endpoint, std::span(&rested, 1), std::span(&counted, 1), [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const WaitCounts counts = endpoint.wait_counts();
        if (counts.sleeps > 0 && counts.wakes > 0) {
          rested = static_cast<std::byte>(static_cast<int>(rested) + 1);
        }
      });
      // Rank 0 says how many there were.
      pass_around(endpoint, std::span(&counted, 1), std::span(&counted, 1), [] {});
    }
  };
  EXPECT_EQ(run_ranks(2, work, options), all_fine(2));
  EXPECT_EQ(run_ranks(5, work, options), all_fine(5));
}

}  // namespace
}  // namespace postage
