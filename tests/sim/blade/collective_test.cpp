#include "blade/transport/collective.hpp"

#include "blade/transport/cluster.hpp"
#include "sim/blade/simulated_machine.hpp"

#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage::blade {
namespace {

Schedule schedule(Collective collective, std::string_view algorithm, Rank ranks, Bytes bytes) {
  return build_schedule(find_algorithm(collective, algorithm), {.ranks = ranks, .bytes = bytes});
}

constexpr Cycles kPut = 10 + 30 + 100 + 118 + 2 + 24;  ///< of 16 bytes, without hops
constexpr Cycles kHop = 2;
constexpr Cycles kCommandBus = 2;  ///< the second of two commands in the same cycle

TEST(Collective, OneMessageIsAddressGetAndAcknowledgement) {
  // SPE 0 and 1, three hops apart. The acknowledgement ends it.
  EXPECT_EQ(run_collective(simulated_machine(), schedule(Collective::kBcast, "binomial", 2, 128), 1),
            kPut + 3 * kHop + 304 + kPut + 3 * kHop);
}

TEST(Collective, ASignalIsOnePut) {
  EXPECT_EQ(run_collective(simulated_machine(), schedule(Collective::kBarrier, "dissemination", 2, 0), 1),
            kPut + 3 * kHop + kCommandBus);
}

TEST(Collective, BarriersOfOtherThanPowersOfTwoCrossTwice) {
  // 13 SPEs: five of the second chip signal the first, three rounds there, and back. On a chip 290 cycles, across 780,
  // with three and eight hops.
  EXPECT_NEAR(run_collective(simulated_machine(), schedule(Collective::kBarrier, "recursive-doubling", 13, 0), 1),
              3 * 290 + 2 * 780, 30);
}

TEST(Collective, AnExchangeOverlapsBothDirections) {
  // Address, get and acknowledgement of both at the same time, then both combine: 8 quadwords of 3 cycles, after 36.
  // Which of two commands in one cycle waits for the other differs from one pair to the next.
  EXPECT_NEAR(run_collective(simulated_machine(), schedule(Collective::kAllreduce, "recursive-doubling", 2, 128), 8),
              kPut + 3 * kHop + 304 + kPut + 3 * kHop + 36 + 8 * 3, kCommandBus);
}

TEST(Collective, EveryAlgorithmDeliversItsBytes) {
  for (const Algorithm& algorithm : algorithms()) {
    for (const Rank ranks : {3, 16}) {
      if (can_do(algorithm, ranks)) {
        SCOPED_TRACE(std::string(name_of(algorithm.collective)) + " " + std::string(algorithm.name));
        const Bytes bytes = algorithm.collective == Collective::kBarrier ? 0 : 256;
        EXPECT_GT(run_collective(simulated_machine(), schedule(algorithm.collective, algorithm.name, ranks, bytes), 1),
                  0);
      }
    }
  }
}

TEST(Collective, RepeatsExactly) {
  const Schedule once = schedule(Collective::kAllgather, "hybrid", 16, 1024);
  EXPECT_EQ(run_collective(simulated_machine(), once, 1), run_collective(simulated_machine(), once, 1));
}

TEST(Collective, NeedsItsBuffersInALocalStore) {
  EXPECT_EQ(memory_of(schedule(Collective::kAllgather, "recursive-doubling", 16, 4096)), 17 * 4096);
}

TEST(Cluster, BarrierTakesTwoMessagesBetweenTwoBlades) {
  // One round of Bruck's barrier: an overhead of 5 us at either end and 25 us between; the rest is within a
  // microsecond.
  const Cycles time = cluster_barrier(simulated_machine());
  EXPECT_GT(time, 2 * 16'000 + 80'000);
  EXPECT_LT(time, 2 * 16'000 + 80'000 + 6'000);
}

TEST(Cluster, BroadcastReachesAllBlades) {
  const Cycles time = cluster_bcast(simulated_machine(), 4096);
  EXPECT_GT(time, 2 * 16'000 + 80'000 + 4096 / (0.125 / 3.2));
}

}  // namespace
}  // namespace postage::blade
