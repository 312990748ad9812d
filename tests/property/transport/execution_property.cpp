#include "property/transport/late_transport.hpp"
#include "property/transport/random_schedules.hpp"
#include "property/transport/rank_memory.hpp"
#include "support/exhaustive.hpp"

#include <postage/base/error.hpp>
#include <postage/program/check.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/check/dataflow.hpp>
#include <postage/schedule/patterns/node_aware.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mutex>
#include <random>
#include <thread>
#include <vector>

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
  Strides strides{};
};

/// One rank: runs twice, so that the second run finds nothing stale.
void run_rank(LateWorld& world, const Schedule& schedule, Rank rank, const Manner& manner) {
  const Reduction reduction = manner.commutative ? addition() : composition();
  const bool in_place = manner.in_place && may_work_in_place(schedule, rank);
  Program steps = lower(schedule, rank, {.in_place = in_place, .commutative = manner.commutative});
  decide_overlap(steps);
  if (const auto mistake = find_overlap_mistake(steps)) {
    throw Error(*mistake);
  }
  LateTransport transport(world, rank);
  RankProgram program(schedule, rank,
                      {.in_place = in_place, .commutative = manner.commutative, .strides = manner.strides});
  for (int repeat = 0; repeat < 2; ++repeat) {
    RankMemory memory = rank_memory(schedule, rank, in_place, reduction);
    for (std::vector<std::byte>* bytes : {&memory.send, &memory.receive, &memory.expected}) {
      *bytes = spread(*bytes, manner.strides);
    }
    const std::vector<std::byte> given = memory.send;
    program.run(transport, {memory.send, memory.receive}, on_pieces(reduction, manner.strides));
    if (!std::equal(memory.expected.begin(), memory.expected.end(), memory.receive.begin())) {
      throw Error("a wrong result");
    }
    if (memory.send != given || transport.pending() > 0) {
      throw Error("a changed send buffer, or a request that was not waited for");
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
          failure = fmt::format("{} {} P={} root={} in_place={} commutative={} bytes={} run={} stride={}, rank {}: {}",
                                name_of(schedule.collective), schedule.algorithm, schedule.ranks, schedule.root,
                                manner.in_place, manner.commutative, schedule.layout.total(), manner.strides.run,
                                manner.strides.stride, rank, error.what());
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
  for (unsigned i = 0; i < (test::is_exhaustive() ? 120U : 30U); ++i) {
    const auto ranks = static_cast<Rank>(1 + random() % 7);
    Schedule schedule = random_schedule(GetParam(), ranks, random);
    schedule.calls = i % 4 == 1 ? Calls::kBlocking : Calls::kOverlapping;
    ASSERT_EQ(find_dataflow_mistake(schedule).value_or(""), "");
    ASSERT_EQ(run_all(schedule, {.in_place = i % 2 == 1, .commutative = i % 3 == 2, .seed = i}), "") << "case " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryCollective, testing::ValuesIn(kCollectives),
                         [](const auto& param) { return std::string(name_of(param.param)); });

class EveryAlgorithm : public testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] static const Algorithm& algorithm() { return algorithms()[GetParam()]; }
};

/// A case of which `number` decides everything but the number of ranks.
ScheduleRequest request_for(const Algorithm& algorithm, Rank ranks, unsigned number, Bytes piece = 1) {
  const Bytes element = is_reduction(algorithm.collective) ? kElementBytes : piece;
  constexpr std::array<Bytes, 5> kElements{0, 1, 7, 40, 100};
  ScheduleRequest request{.ranks = ranks,
                          .root = static_cast<Rank>(number) % ranks,
                          .bytes = element * kElements[number % kElements.size()],
                          .element_bytes = element,
                          .segment_bytes = number % 3 == 0 ? 24 : 0,
                          .commutative = !algorithm.keeps_order || number % 2 == 0,
                          .calls = number % 4 == 1 ? Calls::kBlocking : Calls::kOverlapping};
  for (const AlgorithmParameter& parameter : algorithm.parameters) {
    const Index value = number % 4 == 0 ? parameter.default_value : parameter.minimum + static_cast<Index>(number % 3);
    request.parameters.emplace(parameter.name, std::min(value, parameter.maximum));
  }
  for (Index block = 0; number % 4 >= 2 && block < defined_blocks(algorithm.collective, ranks); ++block) {
    request.block_bytes.push_back(element * (block * block * 7 % 11 % 5));
  }
  return request;
}

TEST_P(EveryAlgorithm, Runs) {
  for (const Rank ranks : {1, 2, 3, 4, 5, 8, 9}) {
    for (unsigned number = 0; can_do(algorithm(), ranks) && number < 20; ++number) {
      const ScheduleRequest request = request_for(algorithm(), ranks, number);
      const Manner manner{.in_place = number % 5 >= 3, .commutative = request.commutative, .seed = number};
      ASSERT_EQ(run_all(build_schedule(algorithm(), request), manner), "") << "case " << number;
    }
  }
}

/// Elements apart are a matter of each message, hardly of how many ranks there are.
TEST_P(EveryAlgorithm, RunsOnStridedMemory) {
  const std::vector<Rank> some{3, 4, 8};
  for (const Rank ranks : test::is_exhaustive() ? std::vector<Rank>{1, 2, 3, 4, 5, 8, 9} : some) {
    for (unsigned number = 0; can_do(algorithm(), ranks) && number < 20; ++number) {
      const ScheduleRequest request = request_for(algorithm(), ranks, number, 3);
      const Manner manner{.in_place = number % 5 >= 3,
                          .commutative = request.commutative,
                          .seed = number,
                          .strides = {request.element_bytes, request.element_bytes + 1 + Bytes{number} % 7}};
      ASSERT_EQ(run_all(build_schedule(algorithm(), request), manner), "") << "case " << number;
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

// Whatever the protocol: nothing changes before it was read, and nobody waits for an acknowledgement that waits for
// him.
TEST_P(EveryAlgorithm, RunsByEveryProtocol) {
  unsigned number = 0;
  for (const Protocol protocol : {Protocol::kRendezvous, Protocol::kGet, Protocol::kAcknowledged}) {
    for (const Rank ranks : {2, 3, 5, 8}) {
      if (!can_do(algorithm(), ranks)) {
        continue;
      }
      const ScheduleRequest request = request_for(algorithm(), ranks, ++number);
      const Manner manner{.in_place = number % 5 >= 3, .commutative = request.commutative, .seed = number};
      ASSERT_EQ(run_all(with_protocol(build_schedule(algorithm(), request), protocol), manner), "")
          << "case " << number;
    }
  }
}

struct NodeAwareCase {
  Collective collective;
  NodeParts parts;
};

const NodeAwareCase kNodeAwareCases[] = {
    {Collective::kBarrier, {.up = {"dissemination"}, .across = {"dissemination"}, .down = {"binomial"}}},
    {Collective::kBcast, {.across = {"scatter-ring-allgather"}, .down = {"pipeline"}}},
    {Collective::kReduce, {.up = {"binomial"}, .across = {"binomial"}}},
    {Collective::kAllreduce, {.up = {"binomial"}, .across = {"ring"}, .down = {"binomial"}}},
    {Collective::kGather, {.up = {"binomial"}, .across = {"linear-sync"}}},
    {Collective::kScatter, {.across = {"linear"}, .down = {"binomial"}}},
    {Collective::kAllgather, {.up = {"linear"}, .across = {"bruck"}, .down = {"scatter-ring-allgather"}}},
    {Collective::kAlltoall, {.up = {"binomial"}, .across = {"bruck"}, .down = {"binomial"}}}};

class EveryNodeAwareCollective : public testing::TestWithParam<NodeAwareCase> {};

TEST_P(EveryNodeAwareCollective, Runs) {
  const Collective collective = GetParam().collective;
  const Bytes element = is_reduction(collective) ? kElementBytes : 1;
  for (const Rank ranks : {1, 2, 5, 8, 9}) {
    for (const NodeMap& map : {NodeMap::block(ranks, 3), NodeMap::cyclic(ranks, 3), NodeMap::block(ranks, 1)}) {
      for (unsigned number = 0; number < 6; ++number) {
        const ScheduleRequest request{.ranks = ranks,
                                      .root = static_cast<Rank>(number) % ranks,
                                      .bytes = element * (7 + number),
                                      .element_bytes = element,
                                      .segment_bytes = number % 3 == 0 ? 24 : 0};
        const Manner manner{.in_place = number % 2 == 1, .commutative = true, .seed = number};
        ASSERT_EQ(run_all(node_aware_schedule(collective, request, map, GetParam().parts), manner), "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryNodeAwareCollective, testing::ValuesIn(kNodeAwareCases),
                         [](const auto& param) { return std::string(name_of(param.param.collective)); });

}  // namespace
}  // namespace postage
