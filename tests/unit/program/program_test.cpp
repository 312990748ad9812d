#include <postage/base/error.hpp>
#include <postage/program/check.hpp>
#include <postage/program/program.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/prefix.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

constexpr Rank kRanks = 32;
constexpr Bytes kBlock = 100000;

Program program_of(const Schedule& schedule, Rank rank, const ProgramOptions& options = {}) {
  Program program = lower(schedule, rank, options);
  decide_overlap(program);
  return program;
}

/// The most scratch memory that a rank needs, blocks having kBlock bytes.
Bytes scratch_of(Collective collective, std::string_view algorithm, const ProgramOptions& options = {}) {
  const bool is_vector = is_reduction(collective) || collective == Collective::kBcast;
  const Schedule schedule = build_schedule(find_algorithm(collective, algorithm),
                                           {.ranks = kRanks, .bytes = is_vector ? kRanks * kBlock : kBlock});
  Bytes most = 0;
  for (Rank rank = 0; rank < kRanks; ++rank) {
    most = std::max(most, program_of(schedule, rank, options).scratch_bytes);
  }
  return most;
}

/// Lowers the schedule for each of its ranks.
void lower_all(const Schedule& schedule) {
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    static_cast<void>(program_of(schedule, rank));
  }
}

TEST(FirstSteps, CanBeRunOfEveryAlgorithm) {
  for (const Algorithm& algorithm : algorithms()) {
    for (const Rank ranks : {2, 5}) {
      if (!can_do(algorithm, ranks)) {
        continue;
      }
      const bool is_barrier = algorithm.collective == Collective::kBarrier;
      const Schedule whole =
          build_schedule(algorithm, {.ranks = ranks, .bytes = is_barrier ? 0 : 1000, .segment_bytes = 300});
      for (Index steps = 1; steps < step_count(whole); ++steps) {
        const Schedule begin = first_steps(whole, steps);
        EXPECT_TRUE(begin.is_cut);
        EXPECT_EQ(step_count(begin), steps);
        EXPECT_NO_THROW(lower_all(begin)) << algorithm.name << ", " << steps << " steps, P = " << ranks;
      }
      for (std::size_t stages = 1; stages < whole.stages.size(); ++stages) {
        EXPECT_NO_THROW(lower_all(first_stages(whole, stages))) << algorithm.name << ", P = " << ranks;
      }
      EXPECT_FALSE(first_steps(whole, step_count(whole)).is_cut);
      EXPECT_FALSE(first_stages(whole, whole.stages.size()).is_cut);
    }
  }
}

TEST(FirstSteps, AreNotTakenForAWholeOne) {
  Schedule begin =
      first_steps(build_schedule(find_algorithm(Collective::kAllgather, "hybrid"), {.ranks = 2, .bytes = 64}), 1);
  lower_all(begin);
  begin.is_cut = false;
  EXPECT_THROW(lower_all(begin), Error);
}

TEST(Scratch, RingsNeedRoomForAFewBlocks) {
  EXPECT_EQ(scratch_of(Collective::kAllgather, "ring"), 0);
  EXPECT_EQ(scratch_of(Collective::kAllreduce, "ring", {.commutative = true}), 0);
  EXPECT_LE(scratch_of(Collective::kAllreduce, "ring"), 3 * kBlock);
  EXPECT_LE(scratch_of(Collective::kReduceScatter, "ring"), 8 * kBlock);
  EXPECT_LE(scratch_of(Collective::kReduceScatter, "ring", {.in_place = true}), 3 * kBlock);
}

TEST(Scratch, ExchangesNeedNoneAndBruckAFewTimesWhatIsGiven) {
  EXPECT_EQ(scratch_of(Collective::kAlltoall, "linear"), 0);
  EXPECT_EQ(scratch_of(Collective::kAlltoall, "pairwise"), 0);
  EXPECT_LE(scratch_of(Collective::kAlltoall, "pairwise", {.in_place = true}), (kRanks + 1) * kBlock);
  EXPECT_LE(scratch_of(Collective::kAlltoall, "bruck"), 3 * kRanks * kBlock);
}

TEST(Scratch, TreesNeedRoomForTheirSubTree) {
  const Schedule gather = build_schedule(find_algorithm(Collective::kGather, "binomial"), {.ranks = 8, .bytes = 64});
  EXPECT_EQ(program_of(gather, 0).scratch_bytes, 0);
  EXPECT_EQ(program_of(gather, 7).scratch_bytes, 0);
  EXPECT_EQ(program_of(gather, 4).scratch_bytes, 4 * 64);
  EXPECT_EQ(program_of(gather, 6).scratch_bytes, 2 * 64);
}

TEST(Scratch, NoAlgorithmNeedsMuchMoreThanIsGivenAndPasses) {
  for (const Algorithm& algorithm : algorithms()) {
    const bool is_barrier = algorithm.collective == Collective::kBarrier;
    const Schedule schedule = build_schedule(algorithm, {.ranks = kRanks, .bytes = is_barrier ? 0 : 64 * kRanks * 100});
    for (Rank rank = 0; rank < kRanks; ++rank) {
      const Program program = program_of(schedule, rank);
      Bytes passing = 0;
      for (const Step& step : program.steps) {
        for (const Message& message : step.receives) {
          passing += message.where.bytes;
        }
      }
      EXPECT_LE(program.scratch_bytes, 4 * (program.send_bytes + program.receive_bytes) + 2 * passing + 65536)
          << name_of(algorithm.collective) << " " << algorithm.name << " rank " << rank;
    }
  }
}

/// One message from rank to rank, of whole blocks.
Pattern message(Index source, Index target, Index first, Index count = 1, Combine combine = Combine::kCopy) {
  return {.pairs = AffinePairs{.count = 1, .source_first = source, .target_first = target},
          .numbering = FoldedNumbering{},
          .blocks = BlockSpan{.constant = first, .count = count},
          .combine = combine};
}

Schedule schedule_of(Collective collective, Rank ranks, const BlockLayout& layout, std::vector<Round> rounds) {
  Schedule schedule{.collective = collective, .algorithm = "by hand", .ranks = ranks};
  schedule.layout = layout;
  schedule.stages.push_back({.name = "s", .rounds = std::move(rounds)});
  return schedule;
}

Region region(Memory memory, Bytes offset, Bytes bytes) {
  return {{memory, offset}, bytes};
}

TEST(Lowering, RefusesToSendWhatARankDoesNotHave) {
  const Schedule s = schedule_of(Collective::kBcast, 3, BlockLayout::uniform(1, 8), {{{message(1, 2, 0)}}});
  EXPECT_THROW((void)program_of(s, 1), Error);
}

TEST(Lowering, RefusesToEndWithoutAResult) {
  const Schedule s = schedule_of(Collective::kBcast, 3, BlockLayout::uniform(1, 8), {{{message(0, 1, 0)}}});
  EXPECT_THROW((void)program_of(s, 2), Error);
  EXPECT_NO_THROW((void)program_of(s, 1));
}

TEST(Lowering, RefusesToWorkInPlaceWhereOnlyTheRootMay) {
  const Schedule s = build_schedule(find_algorithm(Collective::kGather, "linear"), {.ranks = 3, .root = 1, .bytes = 8});
  EXPECT_THROW((void)program_of(s, 0, {.in_place = true}), UsageError);
  EXPECT_NO_THROW((void)program_of(s, 1, {.in_place = true}));
}

TEST(Lowering, RefusesAnAlltoallInPlaceOfUnequalBlocks) {
  const Schedule s = schedule_of(Collective::kAlltoall, 2, BlockLayout::explicit_sizes({1, 2, 3, 4}),
                                 {{{message(0, 1, 1), message(1, 0, 2)}}});
  EXPECT_THROW((void)program_of(s, 0, {.in_place = true}), UsageError);
}

TEST(Lowering, SendsAndReceivesInTheUsersMemory) {
  const Schedule s =
      schedule_of(Collective::kAlltoall, 2, BlockLayout::uniform(4, 8), {{{message(0, 1, 1), message(1, 0, 2)}}});
  const Program program = program_of(s, 1);
  EXPECT_EQ(program.scratch_bytes, 0);
  ASSERT_EQ(program.steps.size(), 1U);
  EXPECT_EQ(program.steps[0].sends.at(0).where, region(Memory::kSend, 0, 8));
  EXPECT_EQ(program.steps[0].receives.at(0).where, region(Memory::kReceive, 0, 8));
  // The own block is copied while they are under way.
  EXPECT_EQ(program.steps[0].meanwhile.at(0), (LocalOperation{region(Memory::kSend, 8, 8), {Memory::kReceive, 8}}));
  EXPECT_TRUE(program.finish.empty());
}

TEST(Lowering, LetsTheOwnContributionBeTheLeftSideWhereItLies) {
  const Schedule s = schedule_of(Collective::kReduce, 2, BlockLayout::split(1, 1, 8),
                                 {{{message(1, 0, 0, 1, Combine::kReduceRight)}}});
  const Program program = program_of(s, 0);
  EXPECT_EQ(program.scratch_bytes, 0);
  EXPECT_EQ(program.steps.at(0).receives.at(0).where, region(Memory::kReceive, 0, 8));
  EXPECT_EQ(program.steps.at(0).after.at(0),
            (LocalOperation{region(Memory::kSend, 0, 8), {Memory::kReceive, 0}, true}));
}

TEST(Lowering, KeepsOneValueOfAScanUntilSomethingComesFromTheRight) {
  const auto up = [](Index source) { return Round{{message(source, source + 1, 0, 1, Combine::kReduceLeft)}}; };
  const Schedule s = schedule_of(Collective::kScan, 3, BlockLayout::split(1, 1, 8), {up(0), up(1)});
  const Program program = program_of(s, 1, {.commutative = true});
  EXPECT_EQ(program.scratch_bytes, 0);
  EXPECT_EQ(program.steps.at(1).sends.at(0).where, region(Memory::kReceive, 0, 8));
}

TEST(Overlap, BlocksOnlyInALeafsReceiveAndALastSend) {
  const Schedule s =
      schedule_of(Collective::kBcast, 3, BlockLayout::uniform(1, 8), {{{message(0, 1, 0)}}, {{message(1, 2, 0)}}});
  EXPECT_TRUE(program_of(s, 0).steps.at(0).uses_blocking_call);
  EXPECT_TRUE(program_of(s, 1).steps.at(0).uses_blocking_call);
  EXPECT_TRUE(program_of(s, 1).steps.at(1).uses_blocking_call);
  EXPECT_TRUE(program_of(s, 2).steps.at(0).uses_blocking_call);
}

TEST(Overlap, PostsTheNextReceiveOfAPipelineEarly) {
  Schedule s =
      schedule_of(Collective::kBcast, 3, BlockLayout::uniform(1, 64), {{{message(0, 1, 0)}}, {{message(1, 2, 0)}}});
  s = segmented(std::move(s), 16);
  const Program program = program_of(s, 1);
  ASSERT_EQ(program.steps.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    const bool is_later_receive = i > 0 && i % 2 == 0;
    EXPECT_TRUE(!is_later_receive || program.steps[i].receives_start_early) << i;
    EXPECT_FALSE(program.steps[i].waits_for_earlier_sends) << i;
    EXPECT_FALSE(program.steps[i].waits_for_sends) << i;
  }
}

TEST(Overlap, OfBlockingCallsEndsWithEachRound) {
  Schedule s =
      schedule_of(Collective::kBcast, 3, BlockLayout::uniform(1, 64), {{{message(0, 1, 0)}}, {{message(1, 2, 0)}}});
  s.calls = Calls::kBlocking;
  const Program program = program_of(segmented(std::move(s), 16), 1);
  ASSERT_EQ(program.steps.size(), 8U);
  for (const Step& step : program.steps) {
    EXPECT_FALSE(step.receives_start_early);
    EXPECT_TRUE(step.uses_blocking_call);
    EXPECT_EQ(step.waits_for_sends, !step.sends.empty());
  }
}

TEST(Overlap, OfAnExchangeThatBlocksWaitsForBothDirections) {
  Schedule s =
      schedule_of(Collective::kAllgather, 2, BlockLayout::uniform(2, 8), {{{message(0, 1, 0), message(1, 0, 1)}}});
  s.calls = Calls::kBlocking;
  const Program program = program_of(s, 0);
  ASSERT_EQ(program.steps.size(), 1U);
  EXPECT_FALSE(program.steps[0].uses_blocking_call);
  EXPECT_TRUE(program.steps[0].waits_for_sends);
  EXPECT_TRUE(program.steps[0].meanwhile.empty());
  EXPECT_EQ(find_overlap_mistake(program), std::nullopt);
}

TEST(Overlap, WaitsForASendBeforeItsBytesChange) {
  // Rank 1 passes block 0 on and then gets it anew.
  const Schedule s = schedule_of(Collective::kBcast, 3, BlockLayout::uniform(1, 8),
                                 {{{message(0, 1, 0)}}, {{message(1, 2, 0)}}, {{message(0, 1, 0)}}});
  const Program program = program_of(s, 1);
  EXPECT_FALSE(program.steps.at(2).receives_start_early);
  EXPECT_TRUE(program.steps.at(2).waits_for_earlier_sends);
}

/// Rank 0 of two: sends its 8 bytes by `protocol`, then receives over them.
Program overwriting(Protocol protocol) {
  Program program;
  const Region where{{Memory::kReceive, 0}, 8};
  program.steps.push_back({.sends = {{1, where, protocol}}});
  program.steps.push_back({.receives = {{1, where, protocol}}});
  return program;
}

TEST(OverlapCheck, FindsABufferReusedBeforeItsAcknowledgement) {
  for (const Protocol protocol : {Protocol::kDefault, Protocol::kGet, Protocol::kAcknowledged}) {
    Program program = overwriting(protocol);
    EXPECT_TRUE(find_overlap_mistake(program).has_value());
    decide_overlap(program);
    EXPECT_EQ(find_overlap_mistake(program), std::nullopt);
    EXPECT_EQ(program.steps[0].waits_for_sends, protocol == Protocol::kAcknowledged);
    EXPECT_EQ(program.steps[1].waits_for_earlier_sends, protocol != Protocol::kAcknowledged);
    (protocol == Protocol::kAcknowledged ? program.steps[0].waits_for_sends
                                         : program.steps[1].waits_for_earlier_sends) = false;
    EXPECT_TRUE(find_overlap_mistake(program).has_value());
  }
}

TEST(OverlapCheck, FindsWhatReadsAMessageUnderWay) {
  Program program;
  const Region where{{Memory::kReceive, 0}, 8};
  program.steps.push_back({.receives = {{1, where}}, .meanwhile = {{where, {Memory::kScratch, 0}, false}}});
  EXPECT_EQ(find_overlap_mistake(program),
            "step 0: touches 8 bytes of a message from rank 1: a message may still arrive");
  program.steps[0].after.swap(program.steps[0].meanwhile);
  EXPECT_EQ(find_overlap_mistake(program), std::nullopt);
}

}  // namespace
}  // namespace postage
