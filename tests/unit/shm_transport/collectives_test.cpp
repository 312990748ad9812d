// Schedules run over shared memory: every algorithm of every collective, byte by byte.
#include "support/ranks.hpp"

#include <postage/measure/collective_data.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/transport/shm/shm_transport.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

using test::all_fine;
using test::require;
using test::run_ranks;

void check(Transport& transport, const Algorithm& algorithm, const ScheduleRequest& request,
           const Strides& strides = {}) {
  const Schedule schedule = build_schedule(algorithm, request);
  RankProgram program(schedule, transport.rank(), {.commutative = true, .strides = strides});
  CollectiveData data(schedule, request.element_bytes, transport.rank(), program, strides);
  // Twice, so that a second run finds nothing stale, and then in other scratch memory.
  std::vector<std::byte> scratch(static_cast<std::size_t>(program.scratch_bytes()));
  for (int repeat = 0; repeat < 3; ++repeat) {
    RankBuffers buffers = data.buffers();
    buffers.scratch = repeat < 2 ? std::span<std::byte>() : std::span(scratch);
    program.run(transport, buffers, data.sum());
  }
  data.check();
}

class CollectivesOverSharedMemory : public ::testing::TestWithParam<std::int32_t> {};

TEST_P(CollectivesOverSharedMemory, GiveTheRightBytes) {
  const auto work = [](ShmEndpoint& endpoint) {
    ShmTransport transport(endpoint);
    int checks = 0;
    for (const Algorithm& algorithm : algorithms()) {
      if (!can_do(algorithm, transport.size())) {
        continue;
      }
      for (const Bytes bytes : {Bytes{0}, Bytes{40}, Bytes{5000}, Bytes{70000}}) {
        const Bytes element = element_bytes_for(algorithm.collective, bytes);
        const Bytes segment = algorithm.segmentable && bytes > 1000 ? bytes / 4 / element * element : 0;
        check(transport, algorithm,
              {.ranks = transport.size(),
               .root = transport.size() - 1,
               .bytes = algorithm.collective == Collective::kBarrier ? 0 : bytes,
               .element_bytes = element,
               .segment_bytes = segment});
        ++checks;
      }
    }
    require(checks > 50, "only " + std::to_string(checks) + " checks");
  };
  EXPECT_EQ(run_ranks(GetParam(), work), all_fine(GetParam()));
  EXPECT_EQ(run_ranks(GetParam(), work, test::with_every_protocol()), all_fine(GetParam()));
}

TEST_P(CollectivesOverSharedMemory, GiveTheRightPiecesOfStridedBuffers) {
  const auto work = [](ShmEndpoint& endpoint) {
    ShmTransport transport(endpoint);
    for (const Algorithm& algorithm : algorithms()) {
      if (!can_do(algorithm, transport.size())) {
        continue;
      }
      for (const Bytes pieces : {0, 5, 9000}) {
        check(transport, algorithm,
              {.ranks = transport.size(),
               .root = transport.size() - 1,
               .bytes = algorithm.collective == Collective::kBarrier ? 0 : 8 * pieces,
               .element_bytes = 8,
               .segment_bytes = algorithm.segmentable && pieces > 1000 ? 2 * pieces : 0},
              {8, 24});
      }
    }
  };
  EXPECT_EQ(run_ranks(GetParam(), work), all_fine(GetParam()));
  EXPECT_EQ(run_ranks(GetParam(), work, test::with_every_protocol()), all_fine(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Ranks, CollectivesOverSharedMemory, ::testing::Values(2, 3, 4, 7));

TEST(ScratchMemory, MustHoldWhatTheProgramKeepsThere) {
  const auto work = [](ShmEndpoint& endpoint) {
    ShmTransport transport(endpoint);
    int refused = 0;
    for (const Algorithm& algorithm : algorithms_of(Collective::kAllreduce)) {
      const Schedule schedule = build_schedule(algorithm, {.ranks = 4, .bytes = 800, .element_bytes = 8});
      RankProgram program(schedule, transport.rank(), {.commutative = true});
      if (program.scratch_bytes() == 0) {
        continue;
      }
      CollectiveData data(schedule, 8, transport.rank(), program);
      std::vector<std::byte> scratch(static_cast<std::size_t>(program.scratch_bytes()) - 1);
      RankBuffers buffers = data.buffers();
      buffers.scratch = scratch;
      try {
        program.run(transport, buffers, data.sum());
      } catch (const UsageError& error) {
        require(std::string(error.what()).find("the scratch buffer has") == 0, error.what());
        ++refused;
      }
    }
    require(refused > 0, "none keeps anything");
  };
  EXPECT_EQ(run_ranks(4, work), all_fine(4));
}

TEST(BarrierOverSharedMemory, LetsNobodyGoBeforeAllHaveCome) {
  const auto work = [](ShmEndpoint& endpoint) {
    ShmTransport transport(endpoint);
    for (int i = 0; i < 20; ++i) {
      transport.wait_until(transport.now() + 0.0005 * ((transport.rank() + i) % transport.size()));
      Seconds entered = transport.now();
      transport.barrier();
      const Seconds left = transport.now();
      for (std::int32_t other = 0; other < transport.size(); ++other) {
        Seconds theirs = 0;
        const Transport::Request request =
            transport.start_receive(std::as_writable_bytes(std::span(&theirs, 1)), other, i);
        transport.send(std::as_bytes(std::span(&entered, 1)), other, i);
        transport.wait_all(std::span(&request, 1));
        require(left >= theirs, "a rank left before another one entered");
      }
    }
  };
  EXPECT_EQ(run_ranks(5, work), all_fine(5));
}

}  // namespace
}  // namespace postage
