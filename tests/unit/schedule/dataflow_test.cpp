#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/check/dataflow.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

namespace postage {
namespace {

using Mistake = std::optional<std::string>;

BlockSpan blocks(Index first, Index count = 1) {
  return {.constant = first, .count = count};
}

/// One message from rank to rank. The numbering is the identity on any number of ranks.
Pattern message(Index source, Index target, BlockSelector selector, Combine combine = Combine::kCopy) {
  return {.pairs = AffinePairs{.count = 1, .source_first = source, .target_first = target},
          .numbering = FoldedNumbering{},
          .blocks = std::move(selector),
          .combine = combine};
}

/// Each element of `rounds` is one round.
Schedule schedule_of(Collective collective, Rank ranks, Index block_count, std::vector<Round> rounds, Rank root = 0) {
  Schedule schedule{.collective = collective, .algorithm = "by hand", .ranks = ranks, .root = root};
  schedule.layout = BlockLayout::uniform(block_count, 8);
  schedule.stages.push_back({.name = "s", .rounds = std::move(rounds)});
  return schedule;
}

TEST(Dataflow, AcceptsACorrectBcast) {
  const Schedule s =
      schedule_of(Collective::kBcast, 3, 1, {{{message(0, 1, blocks(0))}}, {{message(1, 2, blocks(0))}}});
  EXPECT_EQ(find_dataflow_mistake(s), Mistake());
}

TEST(Dataflow, CatchesAMissingTransfer) {
  const Schedule s = schedule_of(Collective::kBcast, 3, 1, {{{message(0, 1, blocks(0))}}});
  EXPECT_EQ(find_dataflow_mistake(s), "rank 2 ends without block 0");
}

TEST(Dataflow, CatchesSendingWhatOneDoesNotHave) {
  const Schedule s =
      schedule_of(Collective::kBcast, 3, 1, {{{message(1, 2, blocks(0))}}, {{message(0, 1, blocks(0))}}});
  EXPECT_EQ(find_dataflow_mistake(s),
            "stage 's', iteration 0, round 0: rank 1 sends block 0 to rank 2, but does not have it");
}

TEST(Dataflow, CatchesForwardingInTheRoundOfArrival) {
  const Schedule s = schedule_of(Collective::kBcast, 3, 1, {{{message(0, 1, blocks(0)), message(1, 2, blocks(0))}}});
  EXPECT_EQ(find_dataflow_mistake(s),
            "stage 's', iteration 0, round 0: rank 1 sends block 0 to rank 2, but does not have it");
}

TEST(Dataflow, CatchesTheWrongBlock) {
  const Schedule s = schedule_of(Collective::kScatter, 2, 2, {{{message(0, 1, blocks(0))}}});
  EXPECT_EQ(find_dataflow_mistake(s), "rank 1 ends without block 1");
}

TEST(Dataflow, CatchesABlockDeliveredTwiceInARound) {
  const Schedule s =
      schedule_of(Collective::kBcast, 2, 4, {{{message(0, 1, blocks(0, 3)), message(0, 1, blocks(2, 2))}}});
  EXPECT_EQ(find_dataflow_mistake(s), "stage 's', iteration 0, round 0: rank 1 receives block 2 twice");
}

TEST(Dataflow, CatchesAReductionOfOneBlockTwiceInARound) {
  const Schedule s = schedule_of(
      Collective::kReduce, 3, 1,
      {{{message(1, 0, blocks(0), Combine::kReduceRight), message(2, 0, blocks(0), Combine::kReduceRight)}}});
  EXPECT_EQ(find_dataflow_mistake(s), "stage 's', iteration 0, round 0: rank 0 receives block 0 twice");
}

TEST(Dataflow, CatchesAMissingContribution) {
  const Schedule s = schedule_of(Collective::kReduce, 3, 1, {{{message(1, 0, blocks(0), Combine::kReduceRight)}}});
  EXPECT_EQ(find_dataflow_mistake(s), "rank 0 ends with block 0 reduced over ranks 0 to 1 only, not over ranks 0 to 2");
}

TEST(Dataflow, CatchesACopyWhereAReductionIsNeeded) {
  const Schedule s = schedule_of(Collective::kReduce, 2, 1, {{{message(1, 0, blocks(0))}}});
  EXPECT_EQ(find_dataflow_mistake(s), "rank 0 ends with block 0 reduced over rank 1 only, not over ranks 0 to 1");
}

TEST(Dataflow, CatchesADuplicateContribution) {
  const Round once{{message(1, 0, blocks(0), Combine::kReduceRight)}};
  const Schedule s = schedule_of(Collective::kReduce, 2, 1, {once, once});
  EXPECT_EQ(
      find_dataflow_mistake(s),
      "stage 's', iteration 0, round 1: rank 0, receiving from rank 1, reduces block 0 with contributions that it "
      "already has: those of ranks 0 to 1 and of rank 1");
}

TEST(Dataflow, CatchesADuplicateContributionInAnyOrder) {
  const Schedule s = schedule_of(Collective::kReduce, 5, 1,
                                 {{{message(2, 0, blocks(0), Combine::kReduceRight)}},
                                  {{message(4, 0, blocks(0), Combine::kReduceRight)}},
                                  {{message(2, 3, blocks(0), Combine::kReduceLeft)}},
                                  {{message(3, 0, blocks(0), Combine::kReduceRight)}}});
  EXPECT_EQ(
      find_dataflow_mistake(s, false),
      "stage 's', iteration 0, round 3: rank 0, receiving from rank 3, reduces block 0 with contributions that it "
      "already has: those of 3 of the ranks 0 to 4 and of ranks 2 to 3");
}

TEST(Dataflow, CatchesTheWrongSideInAnOrderedReduction) {
  const Schedule s = schedule_of(Collective::kReduce, 2, 1, {{{message(1, 0, blocks(0), Combine::kReduceLeft)}}});
  EXPECT_EQ(find_dataflow_mistake(s, false), Mistake());
  EXPECT_EQ(find_dataflow_mistake(s, true),
            "stage 's', iteration 0, round 0: rank 0, receiving from rank 1, reduces block 0 out of rank order: those "
            "of rank 1 and of rank 0");
}

TEST(Dataflow, CatchesASkippedNeighbourInAnOrderedReduction) {
  const Schedule s = schedule_of(
      Collective::kReduce, 3, 1,
      {{{message(2, 0, blocks(0), Combine::kReduceRight)}}, {{message(1, 0, blocks(0), Combine::kReduceRight)}}});
  EXPECT_EQ(find_dataflow_mistake(s, false), Mistake());
  EXPECT_EQ(find_dataflow_mistake(s, true),
            "stage 's', iteration 0, round 0: rank 0, receiving from rank 2, reduces block 0 out of rank order: those "
            "of rank 0 and of rank 2");
}

TEST(Dataflow, CatchesARankOutOfRange) {
  const Schedule s = schedule_of(Collective::kBcast, 2, 1, {{{message(0, 2, blocks(0))}}});
  EXPECT_EQ(find_dataflow_mistake(s),
            "stage 's', iteration 0, round 0: virtual rank 0 sends to 2, but not both of them are ranks of P = 2");
}

TEST(Dataflow, CatchesAVirtualRankBeyondItsTable) {
  Pattern beyond = message(0, 2, blocks(0));
  beyond.numbering = explicit_numbering({1, 0}, 2);
  const Schedule s = schedule_of(Collective::kBcast, 2, 1, {{{beyond}}});
  EXPECT_EQ(find_dataflow_mistake(s),
            "stage 's', iteration 0, round 0: virtual rank 0 sends to 2, but not both of them are ranks of P = 2");
}

TEST(Dataflow, CatchesABlockOutOfRange) {
  const Schedule s = schedule_of(Collective::kBcast, 2, 4, {{{message(0, 1, blocks(2, 3))}}});
  EXPECT_EQ(find_dataflow_mistake(s),
            "stage 's', iteration 0, round 0: rank 0 sends blocks 2 to 4 to rank 1, but the blocks are 0 to 3");
}

TEST(Dataflow, CatchesTheWrongRootOfABcast) {
  const Schedule s = schedule_of(Collective::kBcast, 2, 1, {{{message(0, 1, blocks(0))}}}, 1);
  EXPECT_EQ(find_dataflow_mistake(s),
            "stage 's', iteration 0, round 0: rank 0 sends block 0 to rank 1, but does not have it");
}

TEST(Dataflow, CatchesTheWrongRootOfAReduce) {
  const Schedule s = schedule_of(Collective::kReduce, 2, 1, {{{message(1, 0, blocks(0), Combine::kReduceRight)}}}, 1);
  EXPECT_EQ(find_dataflow_mistake(s), "rank 1 ends with block 0 reduced over rank 1 only, not over ranks 0 to 1");
}

TEST(Dataflow, CatchesARootThatIsNoRank) {
  EXPECT_EQ(find_dataflow_mistake(schedule_of(Collective::kBcast, 2, 1, {}, 2)), "root 2 is not a rank of P = 2");
}

TEST(Dataflow, CatchesTheWrongNumberOfBlocks) {
  EXPECT_EQ(find_dataflow_mistake(schedule_of(Collective::kAlltoall, 3, 3, {})),
            "alltoall among 3 ranks has 9 blocks, but the layout has 3");
  EXPECT_EQ(find_dataflow_mistake(schedule_of(Collective::kBcast, 3, 0, {})),
            "bcast needs at least 1 block, but the layout has none");
}

TEST(Dataflow, CatchesAnOperationWhereThereIsNone) {
  const Schedule s = schedule_of(Collective::kAllgather, 2, 2, {{{message(0, 1, blocks(0), Combine::kReduceLeft)}}});
  EXPECT_EQ(find_dataflow_mistake(s),
            "stage 's', iteration 0, round 0: rank 1, receiving from rank 0, reduces block 0, but allgather has no "
            "operation");
}

TEST(Dataflow, CatchesARankThatABarrierForgot) {
  const Schedule s = schedule_of(Collective::kBarrier, 3, 0, {{{message(1, 0, Token{})}}, {{message(0, 1, Token{})}}});
  EXPECT_EQ(find_dataflow_mistake(s), "rank 0 may leave the barrier before rank 2 has entered it");
}

TEST(Dataflow, CatchesABarrierWhoseTokensLeaveTooEarly) {
  const Schedule s = schedule_of(
      Collective::kBarrier, 3, 0,
      {{{message(0, 1, Token{}), message(0, 2, Token{})}}, {{message(1, 0, Token{}), message(2, 0, Token{})}}});
  EXPECT_EQ(find_dataflow_mistake(s), "rank 1 may leave the barrier before rank 2 has entered it");
}

TEST(Dataflow, FollowsTheCarryOfAScan) {
  const auto up = [](Index source) { return Round{{message(source, source + 1, blocks(0), Combine::kReduceLeft)}}; };
  EXPECT_EQ(find_dataflow_mistake(schedule_of(Collective::kScan, 3, 1, {up(0), up(1)})), Mistake());
  EXPECT_EQ(find_dataflow_mistake(schedule_of(Collective::kExscan, 3, 1, {up(0), up(1)})), Mistake());
  EXPECT_EQ(find_dataflow_mistake(schedule_of(Collective::kScan, 3, 1, {up(1), up(0)})),
            "rank 2 ends with block 0 reduced over ranks 1 to 2, not over ranks 0 to 2");
  EXPECT_EQ(find_dataflow_mistake(schedule_of(Collective::kExscan, 3, 1, {up(1)})),
            "rank 1 ends with block 0 reduced over no rank, not over ranks 0 to 0");
}

TEST(Dataflow, CatchesACopyInAScan) {
  EXPECT_EQ(find_dataflow_mistake(schedule_of(Collective::kScan, 2, 1, {{{message(0, 1, blocks(0))}}})),
            "stage 's', iteration 0, round 0: rank 1, receiving from rank 0, copies block 0, but a prefix is reduced");
}

TEST(Dataflow, CatchesABlockThatAnAlltoallDeliversElsewhere) {
  const Schedule s = schedule_of(Collective::kAlltoall, 2, 4, {{{message(0, 1, blocks(0)), message(1, 0, blocks(2))}}});
  EXPECT_EQ(find_dataflow_mistake(s), "rank 1 ends without block 1");
}

TEST(Dataflow, KeepsAPatternToItsIterations) {
  Pattern pattern = message(0, 1, blocks(0));
  pattern.active = {.begin = 3, .end = 4};
  Schedule s = schedule_of(Collective::kBcast, 2, 1, {{{pattern}}});
  s.stages[0].iterations = 3;
  EXPECT_EQ(find_dataflow_mistake(s), "rank 1 ends without block 0");
  s.stages[0].iterations = 4;
  EXPECT_EQ(find_dataflow_mistake(s), Mistake());
  EXPECT_EQ(traffic_of(s).messages, 1);
}

}  // namespace
}  // namespace postage
