// What happens to the others when a rank leaves, or dies at any moment.
#include "support/ranks.hpp"
#include "support/traffic.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <random>
#include <utility>
#include <vector>

namespace postage {
namespace {

using test::all_fine;
using test::ForkedRanks;
using test::kFine;
using test::kKilled;
using test::kSawDeath;
using test::RankStatus;
using test::require;
using test::run_ranks;
using test::throws;

constexpr unsigned kHangLimit = 60;

/// Three ranks; rank 1 says that it is about to die and does, while the others do `work`, and go on to wait for it.
void check_death(const char* what, const std::function<void(ShmEndpoint&)>& work, bool single_copy = true) {
  const ShmSegment segment = ShmSegment::create(3);
  ShmOptions options = test::with_every_protocol();
  options.single_copy = single_copy;
  ForkedRanks ranks(
      3,
      [&](std::int32_t rank) {
        ShmEndpoint endpoint(segment, rank, options);
        if (rank == 1) {
          std::byte token{};
          endpoint.receive(std::span(&token, 1), 0, 99);
          endpoint.receive(std::span(&token, 1), 2, 99);
          kill(getpid(), SIGKILL);
        }
        const std::byte token{};
        endpoint.send(std::span(&token, 1), 1, 99);
        work(endpoint);
      },
      kHangLimit);
  EXPECT_EQ(ranks.wait(), (std::vector<RankStatus>{kSawDeath, kKilled, kSawDeath})) << what;
}

TEST(Death, EndsEveryKindOfWait) {
  // More than a pool holds.
  std::vector<std::byte> buffer(8 << 20);
  check_death("receive from the dead", [&](ShmEndpoint& endpoint) { endpoint.receive(buffer, 1, 0); });
  check_death("receive from a third", [&](ShmEndpoint& endpoint) { endpoint.receive(buffer, 2 - endpoint.rank(), 0); });
  check_death("receive from any", [&](ShmEndpoint& endpoint) { endpoint.receive(buffer, kAnySource, kAnyTag); });
  check_death("large send", [&](ShmEndpoint& endpoint) { endpoint.send(buffer, 1, 0); });
  check_death(
      "large send in two copies", [&](ShmEndpoint& endpoint) { endpoint.send(buffer, 1, 0); }, false);
  check_death("probe", [&](ShmEndpoint& endpoint) { static_cast<void>(endpoint.probe(1, 0)); });
  check_death("many small sends", [&](ShmEndpoint& endpoint) {
    for (;;) {
      endpoint.send(std::span(buffer).first(8), 1, 0);
    }
  });
  check_death("wait for all", [&](ShmEndpoint& endpoint) {
    std::vector<ShmRequest> requests{endpoint.start_receive(buffer, 1, 0), endpoint.start_send(buffer, 1, 0)};
    endpoint.wait_all(requests);
  });
  check_death("test in a loop", [&](ShmEndpoint& endpoint) {
    ShmRequest request = endpoint.start_receive(buffer, 1, 0);
    while (!endpoint.test(request)) {
    }
  });
  check_death("probe in a loop", [&](ShmEndpoint& endpoint) {
    while (!endpoint.try_probe(1, 0)) {
    }
  });
}

TEST(Death, IsToldToEveryLaterCall) {
  check_death("later calls", [](ShmEndpoint& endpoint) {
    std::byte token{};
    require(throws<PeerDied>([&] { endpoint.receive(std::span(&token, 1), 1, 0); }), "the first");
    require(throws<PeerDied>([&] { endpoint.send(std::span(&token, 1), 1, 0); }), "a send");
    require(throws<PeerDied>([&] { static_cast<void>(endpoint.try_probe(0, 0)); }), "a probe");
    endpoint.receive(std::span(&token, 1), 1, 0);
  });
}

/// What arrived whole before a death can still be received.
TEST(Death, LeavesWhatHasArrived) {
  const ShmSegment segment = ShmSegment::create(2);
  ForkedRanks ranks(
      2,
      [&](std::int32_t rank) {
        ShmEndpoint endpoint(segment, rank);
        std::vector<std::byte> message(3000, std::byte{7});
        if (rank == 1) {
          endpoint.send(message, 0, 0);
          kill(getpid(), SIGKILL);
        }
        std::vector<std::byte> received(3000);
        endpoint.receive(received, 1, 0);
        require(received == message, "bytes");
        endpoint.receive(received, 1, 0);
      },
      kHangLimit);
  EXPECT_EQ(ranks.wait(), (std::vector<RankStatus>{kSawDeath, kKilled}));
}

/// Where ranks say that they have joined.
class RollCall {
 public:
  RollCall() { require(pipe(ends_.data()) == 0, "pipe"); }
  ~RollCall() {
    for (const int end : ends_) {
      close(end);
    }
  }
  RollCall(const RollCall&) = delete;
  RollCall& operator=(const RollCall&) = delete;

  void answer() const {
    const char here = 1;
    require(write(ends_[1], &here, 1) == 1, "write");
  }
  /// Of the parent, once its ranks are forked: returns when so many have answered, or none is left that could.
  void await(std::int32_t ranks) {
    close(std::exchange(ends_[1], -1));
    char here = 0;
    for (std::int32_t rank = 0; rank < ranks && read(ends_[0], &here, 1) == 1; ++rank) {
    }
  }

 private:
  std::array<int, 2> ends_{};
};

/// Random traffic by all protocols, and a SIGKILL at a random moment, now and then while ranks still join: survivors
/// see the death or are done, none hangs, and none receives a wrong byte.
TEST(Death, AtAnyMomentDamagesNothing) {
  std::mt19937 random(5);
  int deaths = 0;
  for (int run = 0; run < 40; ++run) {
    constexpr std::int32_t kRanks = 4;
    const bool while_joining = run % 10 == 9;
    SegmentOptions memory;
    // So long the others wait for one that dies before it joins.
    memory.patience = while_joining ? 0.5 : kHangLimit;
    const ShmSegment segment = ShmSegment::create(kRanks, memory);
    const test::Traffic traffic({.ranks = kRanks,
                                 .batches = 30,
                                 .messages_per_batch = 60,
                                 .sizes = {0, 8, 100, 3000, 30000, 40000, 140000, 1000000},
                                 .seed = static_cast<std::uint64_t>(run)});
    ShmOptions options = test::with_every_protocol();
    options.single_copy = run % 3 != 0;
    options.waiting.watch = 0.02;
    RollCall joined;
    ForkedRanks ranks(
        kRanks,
        [&](std::int32_t rank) {
          ShmEndpoint endpoint(segment, rank, options);
          joined.answer();
          traffic.run(endpoint);
        },
        kHangLimit);
    if (while_joining) {
      usleep(static_cast<useconds_t>(random() % 10000));
    } else {
      joined.await(kRanks);
      usleep(static_cast<useconds_t>(random() % 60000));
    }
    const auto victim = static_cast<std::int32_t>(random() % kRanks);
    kill(ranks.process(victim), SIGKILL);
    const std::vector<RankStatus> statuses = ranks.wait();
    deaths += statuses[static_cast<std::size_t>(victim)] == kKilled ? 1 : 0;
    for (std::int32_t rank = 0; rank < kRanks; ++rank) {
      const RankStatus status = statuses[static_cast<std::size_t>(rank)];
      EXPECT_TRUE(status == kFine || status == kSawDeath || (rank == victim && status == kKilled))
          << "run " << run << ", rank " << rank << " ended with " << status;
    }
  }
  EXPECT_GT(deaths, 20) << "most runs were meant to be cut short";
}

TEST(Leaving, KeepsWhatWasSentAndEndsWaitsForMore) {
  const auto work = [](ShmEndpoint& endpoint) {
    std::vector<std::byte> message(3000, std::byte{7});
    if (endpoint.rank() == 1) {
      endpoint.send(message, 0, 0);
      return;
    }
    std::vector<std::byte> received(3000);
    endpoint.receive(received, 1, 0);
    require(received == message, "bytes");
    require(throws<PeerLeft>([&] { endpoint.receive(received, 1, 0); }), "receive");
    require(throws<PeerLeft>([&] { endpoint.receive(received, kAnySource, 0); }), "receive from any");
    require(throws<PeerLeft>([&] { static_cast<void>(endpoint.probe(1, 0)); }), "probe");
    std::vector<std::byte> large(5 << 20);  // more than the pool holds
    require(throws<PeerLeft>([&] { endpoint.send(large, 1, 0); }), "large send");
    ShmRequest request = endpoint.start_receive(received, 1, 0);
    require(throws<PeerLeft>([&] {
              while (!endpoint.test(request)) {
              }
            }),
            "test");
    // Others, and oneself, can still be talked to.
    endpoint.send(message, 0, 5);
    endpoint.receive(received, 0, 5);
  };
  EXPECT_EQ(run_ranks(2, work), all_fine(2));
  EXPECT_EQ(run_ranks(2, work, test::with_every_protocol()), all_fine(2));
}

TEST(Leaving, OfOneDoesNotEndWaitsForAnother) {
  const auto work = [](ShmEndpoint& endpoint) {
    std::byte token{};
    if (endpoint.rank() == 0) {
      require(throws<PeerLeft>([&] { endpoint.receive(std::span(&token, 1), 1, 0); }), "from who left");
      endpoint.send(std::span(&token, 1), 2, 1);
      endpoint.receive(std::span(&token, 1), kAnySource, 0);
    } else if (endpoint.rank() == 2) {
      endpoint.receive(std::span(&token, 1), 0, 1);
      endpoint.send(std::span(&token, 1), 0, 0);
    }
  };
  EXPECT_EQ(run_ranks(3, work), all_fine(3));
}

}  // namespace
}  // namespace postage
