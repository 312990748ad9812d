#include "property/transport/late_transport.hpp"
#include "property/transport/random_schedules.hpp"
#include "property/transport/rank_memory.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/dataflow.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mutex>
#include <random>
#include <thread>

namespace postage {
namespace {

constexpr std::array kCollectives{Collective::kBarrier,   Collective::kBcast,    Collective::kReduce,
                                  Collective::kAllreduce, Collective::kGather,   Collective::kScatter,
                                  Collective::kAllgather, Collective::kAlltoall, Collective::kReduceScatter,
                                  Collective::kScan,      Collective::kExscan};

struct Manner {
  bool in_place = false;
  bool commutative = false;
  unsigned seed = 0;
};

/// One rank: runs twice, so that the second run finds nothing stale.
void run_rank(LateWorld& world, const Schedule& schedule, Rank rank, const Manner& manner) {
  const Reduction reduction = manner.commutative ? addition() : composition();
  const bool in_place = manner.in_place && may_work_in_place(schedule, rank);
  LateTransport transport(world, rank);
  RankProgram program(schedule, rank, {.in_place = in_place, .commutative = manner.commutative});
  for (int repeat = 0; repeat < 2; ++repeat) {
    RankMemory memory = rank_memory(schedule, rank, in_place, reduction);
    const std::vector<std::byte> given = memory.send;
    program.run(transport, {memory.send, memory.receive}, reduction);
    if (!std::equal(memory.expected.begin(), memory.expected.end(), memory.receive.begin())) {
      throw Error("a wrong result");
    }
    if (memory.send != given || transport.pending() > 0) {
      throw Error("a changed send buffer, or a request that nobody waited for");
    }
  }
}

/// Nothing, or what the first failing rank says.
std::string run_all(const Schedule& schedule, const Manner& manner) {
  LateWorld world(schedule.ranks, manner.seed);
  std::mutex mutex;
  std::string failure;
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        run_rank(world, schedule, rank, manner);
      } catch (const std::exception& error) {
        world.give_up();
        const std::lock_guard lock(mutex);
        if (failure.empty()) {
          failure = fmt::format("{} {} P={} root={} in_place={} commutative={} bytes={}, rank {}: {}",
                                name_of(schedule.collective), schedule.algorithm, schedule.ranks, schedule.root,
                                manner.in_place, manner.commutative, schedule.layout.total(), rank, error.what());
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return failure;
}

class EveryCollective : public testing::TestWithParam<Collective> {};

TEST_P(EveryCollective, RunsRandomSchedules) {
  std::mt19937 random(static_cast<unsigned>(GetParam()) + 1);
  for (unsigned i = 0; i < 120; ++i) {
    const auto ranks = static_cast<Rank>(1 + random() % 7);
    const Schedule schedule = random_schedule(GetParam(), ranks, random);
    ASSERT_EQ(find_dataflow_mistake(schedule).value_or(""), "");
    ASSERT_EQ(run_all(schedule, {.in_place = i % 2 == 1, .commutative = i % 3 == 2, .seed = i}), "") << "case " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryCollective, testing::ValuesIn(kCollectives),
                         [](const auto& param) { return std::string(name_of(param.param)); });

class EveryAlgorithm : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryAlgorithm, RunsWithUnevenBlocksInSegments) {
  const Algorithm& algorithm = algorithms()[GetParam()];
  const Bytes element = is_reduction(algorithm.collective) ? kElementBytes : 1;
  unsigned seed = 0;
  for (const Rank ranks : {1, 2, 3, 4, 5, 8, 9}) {
    for (const Bytes elements : {0, 1, 7, 100}) {
      for (const Bytes segment : {0, 24}) {
        ++seed;
        if (can_do(algorithm, ranks) && (segment == 0 || algorithm.segmentable)) {
          const bool commutative = !algorithm.keeps_order || seed % 2 == 0;
          const Schedule schedule = build_schedule(algorithm, {.ranks = ranks,
                                                               .root = static_cast<Rank>(seed) % ranks,
                                                               .bytes = element * elements,
                                                               .element_bytes = element,
                                                               .segment_bytes = segment,
                                                               .commutative = commutative});
          ASSERT_EQ(run_all(schedule, {.in_place = seed % 3 == 0, .commutative = commutative, .seed = seed}), "");
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryAlgorithm, testing::Range<std::size_t>(0, algorithms().size()),
                         [](const auto& param) {
                           const Algorithm& algorithm = algorithms()[param.param];
                           std::string name = fmt::format("{}_{}", name_of(algorithm.collective), algorithm.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace postage
