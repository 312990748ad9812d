// Random traffic among 2 to 8 ranks, by every way and at sizes around every threshold; every byte is checked, and which
// message each receive got.
#include "support/traffic.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

namespace postage {
namespace {

using test::all_fine;
using test::run_on_channel;
using test::Traffic;
using test::TrafficShape;

/// Small enough for random traffic to meet all of them, and to run out of chunks.
constexpr ProtocolThresholds kThresholds{
    .eager = 5000, .single_copy = 20000, .joint_copy = 100000, .skewed_single_copy = 40000};
SegmentOptions small_memory() {
  SegmentOptions memory;
  memory.pool_bytes = 16 * 4096;
  memory.chunk_bytes = 4096;
  return memory;
}

std::vector<Bytes> telling_sizes() {
  std::vector<Bytes> sizes{0, 1, 7, 48, 49, 700};
  for (const Bytes edge :
       {Bytes{1040}, kThresholds.eager, Bytes{4096}, Bytes{8192}, Bytes{12 * 4096}, kThresholds.single_copy,
        kThresholds.skewed_single_copy, kThresholds.joint_copy, Bytes{2 * 65536}}) {
    sizes.insert(sizes.end(), {edge - 1, edge, edge + 1});
  }
  return sizes;
}

ShmOptions options(bool single_copy, std::optional<bool> past_caches = {}) {
  ShmOptions result;
  result.single_copy = single_copy;
  result.past_caches = past_caches;
  result.thresholds = ThresholdTable::uniform(kThresholds);
  return result;
}

TEST(RandomTraffic, ArrivesAsSent) {
  for (std::int32_t ranks = 2; ranks <= 8; ++ranks) {
    for (int which = 0; which < 4; ++which) {
      const bool single_copy = which % 2 == 1;
      const bool past_caches = which / 2 == 1;
      const Traffic traffic({.ranks = ranks,
                             .batches = 3,
                             .messages_per_batch = 25 * ranks,
                             .sizes = telling_sizes(),
                             .seed = static_cast<std::uint64_t>(100 * ranks + which)});
      EXPECT_EQ(run_on_channel(
                    ranks, [&](ShmEndpoint& channel) { traffic.run(channel); }, options(single_copy, past_caches),
                    small_memory()),
                all_fine(ranks))
          << ranks << " ranks, single copy " << single_copy << ", past caches " << past_caches;
    }
  }
}

TEST(RandomTraffic, ArrivesAlsoThroughTheSmallestRing) {
  SegmentOptions memory = small_memory();
  memory.ring_bytes = 4096;  // cells of one line
  const Traffic traffic({.ranks = 3, .batches = 6, .messages_per_batch = 120, .sizes = telling_sizes(), .seed = 7});
  for (const bool past_caches : {true, false}) {
    EXPECT_EQ(run_on_channel(
                  3, [&](ShmEndpoint& channel) { traffic.run(channel); }, options(true, past_caches), memory),
              all_fine(3))
        << "past caches " << past_caches;
  }
}

/// Exchanges are tried the other way as often as that can be, beside messages of every other way.
TEST(RandomTraffic, ArrivesWhileWaysAreTried) {
  for (std::int32_t ranks = 2; ranks <= 5; ++ranks) {
    ProtocolThresholds thresholds = kThresholds;
    thresholds.exchange = 6000;
    if (ranks % 2 == 0) {
      thresholds.single_copy = thresholds.joint_copy = thresholds.skewed_single_copy = ProtocolThresholds::kNever;
    }
    const ShmSegment segment = ShmSegment::create(ranks, small_memory());
    const Traffic traffic({.ranks = ranks,
                           .batches = 10,
                           .messages_per_batch = 50 * ranks,
                           .sizes = {48, 12001, 20001, 25001, 40001},
                           .seed = static_cast<std::uint64_t>(20 + ranks)});
    test::ForkedRanks all(ranks, [&](std::int32_t rank) {
      ShmOptions how = options(rank != 4);
      how.thresholds = ThresholdTable::uniform(thresholds);
      how.seldom_trial = 1;
      ShmEndpoint channel(segment, rank, how);
      traffic.run(channel);
      std::uint64_t trials = 0;
      for (std::int32_t peer = rank + 1; peer < ranks; ++peer) {
        trials += channel.connection(peer).exchange_trials;
      }
      // Among more ranks few messages cross between any two.
      test::require(rank > 0 || ranks > 3 || trials > 0, "ways are tried");
    });
    EXPECT_EQ(all.wait(), all_fine(ranks)) << ranks << " ranks";
  }
}

/// One rank that takes no single copy among others that do.
TEST(RandomTraffic, ArrivesWhereOneRankRefusesSingleCopy) {
  const ShmSegment segment = ShmSegment::create(4, small_memory());
  const Traffic traffic({.ranks = 4, .batches = 6, .messages_per_batch = 150, .sizes = telling_sizes(), .seed = 9});
  test::ForkedRanks ranks(4, [&](std::int32_t rank) {
    ShmEndpoint channel(segment, rank, options(rank != 2));
    traffic.run(channel);
  });
  EXPECT_EQ(ranks.wait(), all_fine(4));
}

/// Ranks that are threads of one process: what the thread sanitizer can look into.
TEST(RandomTraffic, ArrivesBetweenThreads) {
  constexpr std::int32_t kRanks = 4;
  for (const bool single_copy : {true, false}) {
    const ShmSegment segment = ShmSegment::create(kRanks, small_memory());
    const Traffic traffic({.ranks = kRanks,
                           .batches = 4,
                           .messages_per_batch = 120,
                           .sizes = telling_sizes(),
                           .seed = single_copy ? 11U : 12U});
    std::vector<std::string> failures(kRanks);
    std::vector<std::thread> threads;
    for (std::int32_t rank = 0; rank < kRanks; ++rank) {
      threads.emplace_back([&, rank] {
        try {
          ShmEndpoint channel(segment, rank, options(single_copy));
          traffic.run(channel);
        } catch (const std::exception& failure) {
          failures[static_cast<std::size_t>(rank)] = failure.what();
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    EXPECT_EQ(failures, std::vector<std::string>(kRanks));
  }
}

/// A million messages; POSTAGE_SOAK_MESSAGES asks for another number.
TEST(RandomTraffic, GoesOnForAMillionMessages) {
  const char* asked = std::getenv("POSTAGE_SOAK_MESSAGES");
  const double messages = asked == nullptr ? 1e6 : std::stod(asked);
  constexpr int kRound = 20000;
  for (int round = 0; round * kRound < messages; ++round) {
    const std::int32_t ranks = 2 + round % 3;
    const Traffic traffic({.ranks = ranks,
                           .batches = 20,
                           .messages_per_batch = kRound / 20,
                           .sizes = {0, 1, 8, 30, 48, 49, 64, 200, 1000, 1041, 3000, 5001, 20001},
                           .seed = static_cast<std::uint64_t>(round + 1)});
    ASSERT_EQ(run_on_channel(
                  ranks, [&](ShmEndpoint& channel) { traffic.run(channel); }, options(true), small_memory()),
              all_fine(ranks))
        << "round " << round;
  }
}

}  // namespace
}  // namespace postage
