// An algorithm from one file: what a user of the library writes (the first namespace), and what it gets for that.
#include "property/transport/late_transport.hpp"

#include <postage/base/error.hpp>
#include <postage/model/hockney.hpp>
#include <postage/model/model.hpp>
#include <postage/predict/timeline/timeline.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/check/dataflow.hpp>
#include <postage/transport/executor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace toy {

using namespace postage;

/// Both neighbours of the root start a walk, one upwards and one downwards, until the walks meet.
Schedule two_walks(const ScheduleRequest& request) {
  const Index up = request.ranks / 2;
  const Index down = request.ranks - 1 - up;
  const auto walk = [&](Index length, Index step) {
    return Pattern{
        .pairs =
            AffinePairs{
                .count = 1, .target_first = step, .source_step = step, .target_step = step, .modulus = request.ranks},
        .numbering = LinearNumbering{.offset = request.root, .ranks = request.ranks},
        .blocks = BlockSpan{},
        .active = {.end = length}};
  };
  return {.layout = BlockLayout::split(1, request.bytes / request.element_bytes, request.element_bytes),
          .stages = {{.name = "two walks", .iterations = up, .rounds = {{.patterns = {walk(up, 1), walk(down, -1)}}}}}};
}

const Algorithm kTwoWalks{.collective = Collective::kBcast,
                          .name = "two-walks",
                          .summary = "the message walks around the ring in both directions",
                          .segmentable = true,
                          .build = two_walks,
                          .also_called = {"double-chain"}};

}  // namespace toy

namespace postage {
namespace {

class ToyAlgorithm : public testing::Test {
 protected:
  static void SetUpTestSuite() { register_algorithm(toy::kTwoWalks); }

  [[nodiscard]] static Schedule schedule(const ScheduleRequest& request) {
    return build_schedule(find_algorithm(Collective::kBcast, "two-walks"), request);
  }
};

TEST_F(ToyAlgorithm, IsListedBehindTheOthersOfItsCollective) {
  EXPECT_EQ(algorithms_of(Collective::kBcast).back().name, "two-walks");
  EXPECT_EQ(find_algorithm(Collective::kBcast, "double-chain").name, "two-walks");
  EXPECT_EQ(algorithms_of(Collective::kReduce).front().collective, Collective::kReduce);
  EXPECT_TRUE(std::is_sorted(algorithms().begin(), algorithms().end(), [](const Algorithm& a, const Algorithm& b) {
    return a.collective < b.collective;
  })) << "algorithms of one collective are not next to each other";
}

TEST_F(ToyAlgorithm, IsCheckedLikeTheOthers) {
  for (Rank ranks = 1; ranks <= 17; ++ranks) {
    for (Rank root = 0; root < ranks; ++root) {
      EXPECT_EQ(find_dataflow_mistake(schedule({.ranks = ranks, .root = root, .bytes = 40})), std::nullopt);
    }
  }
}

TEST_F(ToyAlgorithm, IsPredicted) {
  Hockney model;
  model.links.set_channel(0, {{0, {.latency = 1, .seconds_per_byte = 0.5}}});
  // The root sends twice, then 3 more ranks follow one another upwards.
  EXPECT_DOUBLE_EQ(play(schedule({.ranks = 8, .bytes = 2}), ChannelMap::single_channel(), model).seconds(), 8);
}

TEST_F(ToyAlgorithm, IsExecuted) {
  constexpr Rank kRanks = 6;
  const Schedule whole = schedule({.ranks = kRanks, .root = 2, .bytes = 1000, .segment_bytes = 300});
  LateWorld world(kRanks, 1);
  std::vector<std::vector<std::byte>> messages(kRanks, std::vector<std::byte>(1000));
  std::fill(messages[2].begin(), messages[2].end(), std::byte{7});
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < kRanks; ++rank) {
    threads.emplace_back([&, rank] {
      LateTransport transport(world, rank);
      RankProgram(whole, rank).run(transport, {.receive = messages[static_cast<std::size_t>(rank)]});
    });
  }
  std::for_each(threads.begin(), threads.end(), [](std::thread& thread) { thread.join(); });
  EXPECT_EQ(std::count(messages.begin(), messages.end(), messages[2]), kRanks);
}

TEST_F(ToyAlgorithm, NeedsANameOfItsOwnAndAFunction) {
  EXPECT_THROW(register_algorithm(toy::kTwoWalks), UsageError);
  Algorithm nameless = toy::kTwoWalks;
  nameless.name = "";
  EXPECT_THROW(register_algorithm(nameless), UsageError);
  Algorithm other = toy::kTwoWalks;
  other.name = "other";
  EXPECT_THROW(register_algorithm(other), UsageError) << "its other name is taken";
  other.also_called = {};
  other.build = nullptr;
  EXPECT_THROW(register_algorithm(other), UsageError);
}

TEST_F(ToyAlgorithm, LeavesOlderReferencesValid) {
  const Algorithm& before = find_algorithm(Collective::kBarrier, "linear");
  Algorithm another = toy::kTwoWalks;
  another.name = "another";
  another.also_called = {};
  register_algorithm(another);
  EXPECT_EQ(before.name, "linear");
  EXPECT_EQ(before.name, find_algorithm(Collective::kBarrier, "linear").name);
}

}  // namespace
}  // namespace postage
