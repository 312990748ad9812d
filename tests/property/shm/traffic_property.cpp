// Random traffic among 2 to 8 ranks, by every protocol and at sizes around every threshold; every byte is checked, and
// which message each receive got.
#include "support/exhaustive.hpp"
#include "support/traffic.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace postage {
namespace {

using test::all_fine;
using test::run_ranks;
using test::Traffic;
using test::TrafficShape;

/// Small enough for random traffic to meet all of them, and to run out of chunks.
constexpr ProtocolThresholds kThresholds{.eager = 5000,
                                         .single_copy = 20000,
                                         .cooperative = 100000,
                                         .skewed_single_copy = 40000,
                                         .bidirectional_single_copy = 10000};
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
        kThresholds.skewed_single_copy, kThresholds.cooperative, Bytes{2 * 65536}}) {
    sizes.insert(sizes.end(), {edge - 1, edge, edge + 1});
  }
  return sizes;
}

ShmOptions options(bool single_copy, std::optional<bool> non_temporal = {}) {
  ShmOptions result;
  result.single_copy = single_copy;
  result.non_temporal = non_temporal;
  result.thresholds = ThresholdTable::uniform(kThresholds);
  return result;
}

/// 2 to 8; without those between if not exhaustive.
std::vector<std::int32_t> telling_ranks() {
  return test::is_exhaustive() ? std::vector<std::int32_t>{2, 3, 4, 5, 6, 7, 8} : std::vector<std::int32_t>{2, 3, 5, 8};
}

TEST(RandomTraffic, ArrivesAsSent) {
  for (const std::int32_t ranks : telling_ranks()) {
    for (int which = 0; which < 4; ++which) {
      const bool single_copy = which % 2 == 1;
      const bool non_temporal = which / 2 == 1;
      const Traffic traffic({.ranks = ranks,
                             .batches = 3,
                             .messages_per_batch = 16 * ranks,
                             .sizes = telling_sizes(),
                             .seed = static_cast<std::uint64_t>(100 * ranks + which)});
      EXPECT_EQ(run_ranks(
                    ranks, [&](ShmEndpoint& endpoint) { traffic.run(endpoint); }, options(single_copy, non_temporal),
                    small_memory()),
                all_fine(ranks))
          << ranks << " ranks, single copy " << single_copy << ", non-temporal " << non_temporal;
    }
  }
}

TEST(RandomTraffic, ArrivesAlsoThroughTheSmallestRing) {
  SegmentOptions memory = small_memory();
  memory.ring_bytes = 4096;  // cells of one line
  const Traffic traffic({.ranks = 3, .batches = 6, .messages_per_batch = 120, .sizes = telling_sizes(), .seed = 7});
  for (const bool non_temporal : {true, false}) {
    EXPECT_EQ(run_ranks(
                  3, [&](ShmEndpoint& endpoint) { traffic.run(endpoint); }, options(true, non_temporal), memory),
              all_fine(3))
        << "non-temporal " << non_temporal;
  }
}

/// Bidirectional traffic takes another protocol than messages in one direction; chunks come from the pool's window.
TEST(RandomTraffic, ArrivesInBothDirections) {
  for (const Bytes bidirectional : {Bytes{6000}, ProtocolThresholds::kNever}) {
    ProtocolThresholds thresholds = kThresholds;
    thresholds.bidirectional_single_copy = bidirectional;
    thresholds.pool_window = true;
    SegmentOptions memory = small_memory();
    memory.pool_bytes = Bytes{1} << 20;
    const ShmSegment segment = ShmSegment::create(2, memory);
    const Traffic traffic(
        {.ranks = 2, .batches = 10, .messages_per_batch = 100, .sizes = {48, 12001, 20001, 25001, 40001}, .seed = 20});
    test::ForkedRanks all(2, [&](std::int32_t rank) {
      ShmOptions how = options(true);
      how.thresholds = ThresholdTable::uniform(thresholds);
      ShmEndpoint endpoint(segment, rank, how);
      traffic.run(endpoint);
      test::require(endpoint.connection(1 - rank).bidirectional_messages > 0, "both ranks send at the same time");
    });
    EXPECT_EQ(all.wait(), all_fine(2)) << bidirectional;
  }
}

/// One rank that takes no single copy among others that do.
TEST(RandomTraffic, ArrivesWhereOneRankRefusesSingleCopy) {
  const ShmSegment segment = ShmSegment::create(4, small_memory());
  const Traffic traffic({.ranks = 4, .batches = 6, .messages_per_batch = 150, .sizes = telling_sizes(), .seed = 9});
  test::ForkedRanks ranks(4, [&](std::int32_t rank) {
    ShmEndpoint endpoint(segment, rank, options(rank != 2));
    traffic.run(endpoint);
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
          ShmEndpoint endpoint(segment, rank, options(single_copy));
          traffic.run(endpoint);
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

/// How many messages the next test sends: POSTAGE_SOAK_MESSAGES, or a million with POSTAGE_EXHAUSTIVE=1.
double long_run() {
  if (const char* asked = std::getenv("POSTAGE_SOAK_MESSAGES")) {
    return std::stod(asked);
  }
  return test::is_exhaustive() ? 1e6 : 4e4;
}

/// Short messages mostly, which pass each ring many times.
TEST(RandomTraffic, GoesOnForManyMessages) {
  const double messages = long_run();
  constexpr int kPerRun = 20000;
  for (int run = 0; run * kPerRun < messages; ++run) {
    const std::int32_t ranks = 2 + run % 3;
    const Traffic traffic({.ranks = ranks,
                           .batches = 20,
                           .messages_per_batch = kPerRun / 20,
                           .sizes = {0, 1, 8, 30, 48, 49, 64, 200, 1000, 1041, 3000, 5001, 20001},
                           .seed = static_cast<std::uint64_t>(run + 1)});
    ASSERT_EQ(run_ranks(
                  ranks, [&](ShmEndpoint& endpoint) { traffic.run(endpoint); }, options(true), small_memory()),
              all_fine(ranks))
        << "run " << run;
  }
}

}  // namespace
}  // namespace postage
