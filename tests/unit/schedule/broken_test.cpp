// Schedules of real algorithms with one thing wrong: the checker has to see each of them.
#include "schedule/patterns/butterflies.hpp"
#include "schedule/patterns/vectors.hpp"
#include "unit/schedule/shape.hpp"

#include <postage/schedule/check/dataflow.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace postage {
namespace {

Pattern& pattern_of(Schedule& schedule, std::size_t stage, std::size_t round, std::size_t pattern = 0) {
  return schedule.stages.at(stage).rounds.at(round).patterns.at(pattern);
}

std::string mistake_of(const Schedule& schedule, bool ordered = true) {
  return find_dataflow_mistake(schedule, ordered).value_or("none");
}

TEST(Broken, BarrierTreeThatTellsBeforeItHasCollected) {
  Schedule schedule = schedule_for(Collective::kBarrier, "tree", {.ranks = 6});
  std::swap(schedule.stages.at(0), schedule.stages.at(1));
  EXPECT_EQ(mistake_of(schedule), "rank 1 may leave the barrier before rank 2 has entered it");
}

TEST(Broken, BarrierWhoseFoldedRanksAreNotToldBack) {
  Schedule schedule = schedule_for(Collective::kBarrier, "recursive-doubling", {.ranks = 6});
  schedule.stages.at(0).rounds.pop_back();
  EXPECT_EQ(mistake_of(schedule), "rank 4 may leave the barrier before rank 0 has entered it");
}

TEST(Broken, ChainThatEndsTooEarly) {
  Schedule schedule = schedule_for(Collective::kBcast, "chain", {.ranks = 11, .parameters = {{"chains", 2}}});
  --schedule.stages.at(0).iterations;
  EXPECT_EQ(mistake_of(schedule), "rank 5 ends without block 0");
}

TEST(Broken, SplitBinaryTreeThatSendsTheOtherHalf) {
  Schedule schedule = schedule_for(Collective::kBcast, "split-binary", {.ranks = 7, .bytes = 2});
  pattern_of(schedule, 0, 1).blocks = fixed_blocks(1, 1);
  EXPECT_EQ(mistake_of(schedule),
            "stage 'trees', iteration 0, round 1: rank 1 sends block 1 to rank 3, but does not have it");
}

TEST(Broken, DoublingAllgatherWithoutTheHandDown) {
  Schedule schedule = schedule_for(Collective::kBcast, "scatter-rd-allgather", {.ranks = 5, .bytes = 5});
  schedule.stages.at(1).rounds.resize(3);
  EXPECT_EQ(mistake_of(schedule), "rank 1 ends without block 4");
}

TEST(Broken, RingThatPassesOnWhatHasNotComeYet) {
  Schedule schedule = schedule_for(Collective::kBcast, "scatter-ring-allgather", {.ranks = 5, .bytes = 5});
  std::get<BlockSpan>(pattern_of(schedule, 1, 0).blocks).constant = 1;
  EXPECT_EQ(mistake_of(schedule),
            "stage 'ring', iteration 0, round 0: rank 1 sends block 2 to rank 2, but does not have it");
}

TEST(Broken, HybridWhoseSecondGroupIsForgotten) {
  Schedule schedule = schedule_for(Collective::kBcast, "hybrid-segmented", {.ranks = 8, .bytes = 2});
  schedule.stages.erase(schedule.stages.begin());
  EXPECT_EQ(mistake_of(schedule),
            "stage 'halves', iteration 0, round 0: rank 4 sends block 1 to rank 6, but does not have it");
}

TEST(Broken, LinearReduceThatCombinesOnTheWrongSide) {
  Schedule schedule = schedule_for(Collective::kReduce, "linear", {.ranks = 3, .root = 1});
  pattern_of(schedule, 0, 0, 1).combine = Combine::kReduceRight;
  EXPECT_EQ(mistake_of(schedule, false), "none");
  EXPECT_EQ(mistake_of(schedule),
            "stage 'all to the root', iteration 1, round 0: rank 1, receiving from rank 0, reduces block 0 out of rank "
            "order: those of ranks 1 to 2 and of rank 0");
}

TEST(Broken, ReduceAroundTheRingFromTheRootIsOutOfOrder) {
  const Schedule schedule = schedule_for(Collective::kReduce, "binomial", {.ranks = 4, .root = 1});
  EXPECT_EQ(mistake_of(schedule, false), "none");
  EXPECT_EQ(mistake_of(schedule),
            "stage 'tree', iteration 0, round 0: rank 3, receiving from rank 0, reduces block 0 out of rank order: "
            "those of rank 3 and of rank 0");
}

TEST(Broken, ReduceThatIsNotHandedOver) {
  Schedule schedule = schedule_for(Collective::kReduce, "pipeline", {.ranks = 4, .root = 2, .commutative = false});
  --schedule.stages.at(0).iterations;
  EXPECT_EQ(mistake_of(schedule), "rank 2 ends with block 0 reduced over ranks 2 to 3 only, not over ranks 0 to 3");
}

TEST(Broken, HalvingThatSendsTheWrongHalf) {
  Schedule schedule = schedule_for(Collective::kAllreduce, "rabenseifner", {.ranks = 4, .bytes = 4});
  pattern_of(schedule, 0, 1).blocks = run_of_source(1);
  EXPECT_EQ(mistake_of(schedule, false),
            "rank 0 ends with block 1 reduced over ranks 2 to 3 only, not over ranks 0 to 3");
}

TEST(Broken, HalvingFromTheFarthestPartnersIsOutOfOrder) {
  Schedule schedule = schedule_for(Collective::kAllreduce, "rabenseifner", {.ranks = 4, .bytes = 4});
  for (Stage& stage : schedule.stages) {
    for (Round& round : stage.rounds) {
      for (Pattern& pattern : round.patterns) {
        pattern.numbering = as_ranks(4);
      }
    }
  }
  EXPECT_EQ(mistake_of(schedule, false), "none");
  EXPECT_EQ(mistake_of(schedule),
            "stage 'reduce-scatter', iteration 0, round 0: rank 2, receiving from rank 0, reduces block 2 out of rank "
            "order: those of rank 0 and of rank 2");
}

TEST(Broken, FoldThatKeepsTheOtherNeighbour) {
  Schedule schedule = schedule_for(Collective::kAllreduce, "recursive-doubling", {.ranks = 5, .bytes = 4});
  auto& numbering = std::get<FoldedNumbering>(pattern_of(schedule, 0, 1).numbering);
  numbering.keep_odd = !numbering.keep_odd;
  EXPECT_NE(mistake_of(schedule, false), "none");
}

TEST(Broken, RingThatStopsARoundEarly) {
  Schedule schedule = schedule_for(Collective::kAllreduce, "ring", {.ranks = 5, .bytes = 5});
  --schedule.stages.at(0).iterations;
  EXPECT_EQ(mistake_of(schedule, false), "rank 0 ends with block 0 reduced over rank 4 only, not over ranks 0 to 4");
}

TEST(Broken, HybridWhoseLeadersStandInTheWrongPlaces) {
  Schedule schedule =
      schedule_for(Collective::kAllreduce, "hybridB", {.ranks = 8, .bytes = 8, .parameters = {{"x", 2}}});
  pattern_of(schedule, 2, 0).numbering = leaders(1, 8);
  EXPECT_NE(mistake_of(schedule, false), "none");
}

TEST(Broken, ScanThatTellsOnlyHalfOfItsPartners) {
  Schedule schedule = schedule_for(Collective::kScan, "recursive-doubling", {.ranks = 4, .bytes = 4});
  auto& patterns = schedule.stages.at(0).rounds.at(0).patterns;
  patterns.pop_back();
  EXPECT_EQ(mistake_of(schedule, false),
            "rank 2 ends with block 0 reduced over 2 of the ranks 0 to 2, not over ranks 0 to 2");
}

TEST(Broken, ExscanThatCombinesFromAbove) {
  Schedule schedule = schedule_for(Collective::kExscan, "linear", {.ranks = 3, .bytes = 4});
  pattern_of(schedule, 0, 0).combine = Combine::kReduceRight;
  EXPECT_NE(mistake_of(schedule, false), "none");
}

}  // namespace
}  // namespace postage
