#include "tuning/decide/candidates.hpp"
#include "tuning/decide/cover.hpp"
#include "tuning/decide/merge.hpp"
#include "tuning/decide/points.hpp"

#include <gtest/gtest.h>

#include <set>

namespace postage {
namespace {

TEST(TuningPoints, EveryNumberOfRanksIsInOneSpan) {
  for (Rank largest = 2; largest <= 70; ++largest) {
    Rank next = 2;
    for (const Span<Rank>& span : spans_from(first_numbers(largest))) {
      EXPECT_EQ(span.first, next);
      next = span.last + 1;
    }
    EXPECT_EQ(next, largest + 1);
  }
}

TEST(TuningPoints, CommunicatorsAreCutWhereNodesEnd) {
  const TuningJob job{4, 4};
  const auto both = communicator_spans({3, 6}, job, true);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0], (CommunicatorSpan{{1, 1}, {3, 4}}));
  EXPECT_EQ(both[1].nodes.first, 2);
  EXPECT_EQ(both[1].ranks, (Span<Rank>{5, 6}));
  const auto each = communicator_spans({9, 15}, job, false);
  ASSERT_EQ(each.size(), 2U);
  EXPECT_EQ(each[0], (CommunicatorSpan{{3, 3}, {9, 12}}));
  EXPECT_EQ(each[1], (CommunicatorSpan{{4, 4}, {13, 15}}));
}

TEST(TuningPoints, SizesBetweenAreWholeWords) {
  EXPECT_EQ(with_sizes_between({8, 32, 128}), (std::vector<Bytes>{8, 16, 32, 64, 128}));
  EXPECT_EQ(sizes_for(Collective::kBarrier, 4, {8, 32}), std::vector<Bytes>{0});
  EXPECT_EQ(sizes_for(Collective::kAlltoall, 1024, {8, 1 << 20}), std::vector<Bytes>{8});
}

TEST(Candidates, AreWhatTheLibraryHasForAllRanksOfTheSpan) {
  const TuneRequest request{.target = TuningTarget::kOpenMpi, .version = {4, 1, 4}};
  std::set<std::string> names;
  for (const DecisionChoice& choice : candidates_for(request, Collective::kAllgather, {5, 7}, 64)) {
    names.insert(choice.library_name);
  }
  EXPECT_EQ(names, (std::set<std::string>{"linear", "bruck", "ring"}));
  names.clear();
  for (const DecisionChoice& choice : candidates_for(request, Collective::kBcast, {8, 8}, 1 << 16)) {
    EXPECT_TRUE(names.insert(key_of(choice)).second) << key_of(choice);
    EXPECT_LT(choice.segment, 1 << 16);
  }
  EXPECT_EQ(names.count("chain:seg=4096:chains=2"), 1U);
}

CoveredCell cell_of(std::vector<Seconds> seconds, const std::vector<std::size_t>& candidates) {
  CoveredCell cell{std::move(seconds), {}};
  allow_within(cell, candidates, 0.01);
  return cell;
}

TEST(Cover, TakesTheFewestRunsThatLoseLittle) {
  const std::vector<std::size_t> both{1, 2};
  const std::vector<CoveredCell> cells{cell_of({9, 1, 1.005}, both), cell_of({9, 1.005, 1}, both),
                                       cell_of({9, 2, 1}, both), cell_of({1, 2, 3}, {0})};
  EXPECT_EQ(cover(cells), (std::vector<CoverRun>{{0, 2, 2}, {3, 3, 0}}));
}

DecisionRule rule_for(Span<Rank> ranks, const std::string& algorithm, double gain) {
  return {.collective = Collective::kBcast,
          .communicators = {{1, 1}, ranks},
          .bytes = {0, 99},
          .choice = {.algorithm = algorithm},
          .gain = {.share = gain, .interval = {gain, gain}}};
}

TEST(Merge, JoinsNeighboursThatSayTheSame) {
  const auto merged = merge_communicators(
      {rule_for({2, 2}, "linear", 0.5), rule_for({3, 3}, "linear", 0.2), rule_for({5, 7}, "linear", 0.3)});
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].communicators.ranks, (Span<Rank>{2, 3}));
  EXPECT_EQ(merged[0].gain.share, 0.2);
}

TEST(Merge, AnotherPlacementAddsOnlyWhatIsNotThere) {
  std::vector<DecisionRule> all{rule_for({2, 4}, "linear", 0.5)};
  add_without_overlap(all, {rule_for({3, 3}, "chain", 0.5), rule_for({4, 8}, "chain", 0.5)});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].communicators.ranks, (Span<Rank>{5, 8}));
}

}  // namespace
}  // namespace postage
