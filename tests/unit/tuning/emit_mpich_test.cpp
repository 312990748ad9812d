#include "tuning/emit/mpich/tree.hpp"

#include <gtest/gtest.h>

#include <string>

namespace postage {
namespace {

MpichNode one_of(const std::string& name) {
  return mpich_leaf("Bcast_intra_" + name);
}

TEST(MpichRanges, AskForASizeOnlyWhereNeighboursDiffer) {
  const MpichNode tree = one_of("binomial");
  const MpichNode ring = one_of("scatter_ring_allgather");
  EXPECT_EQ(mpich_ranges("avg_msg_size", {{100, tree}, {2000, tree}, {1L << 40, ring}}),
            mpich_chain({{"avg_msg_size<=2000", tree}, {"avg_msg_size=any", ring}}));
  EXPECT_EQ(mpich_ranges("avg_msg_size", {{100, tree}, {1L << 40, tree}}), tree);
}

TEST(MpichRanges, OfShortMessagesAreAskedForFirst) {
  const MpichNode tree = one_of("binomial");
  const MpichNode ring = one_of("scatter_ring_allgather");
  EXPECT_EQ(mpich_ranges("avg_msg_size", {{9999, tree}, {20000, ring}, {300000, tree}, {1L << 40, ring}}),
            mpich_chain({{"avg_msg_size<=9999", tree},
                         {"avg_msg_size=any",
                          mpich_chain({{"avg_msg_size<=20000", ring},
                                       {"avg_msg_size=any", mpich_chain({{"avg_msg_size<=300000", tree},
                                                                         {"avg_msg_size=any", ring}})}})}}));
}

TEST(MpichRanges, OfTimesThatAreAlikeAreFoundByHalves) {
  const MpichNode tree = one_of("binomial");
  const MpichNode ring = one_of("scatter_ring_allgather");
  EXPECT_EQ(mpich_ranges("avg_msg_size", {{20, tree}, {40, ring}, {60, tree}, {1L << 40, ring}}),
            mpich_chain({{"avg_msg_size<=40", mpich_chain({{"avg_msg_size<=20", tree}, {"avg_msg_size=any", ring}})},
                         {"avg_msg_size=any", mpich_chain({{"avg_msg_size<=60", tree}, {"avg_msg_size=any", ring}})}}));
}

TEST(MpichRanges, EndWhereMpichsSizesDo) {
  const MpichNode tree = one_of("binomial");
  const MpichNode ring = one_of("scatter_ring_allgather");
  EXPECT_EQ(mpich_ranges("avg_msg_size", {{100, tree}, {1L << 32, ring}, {1L << 40, tree}}),
            mpich_chain({{"avg_msg_size<=100", tree}, {"avg_msg_size=any", ring}}));
}

TEST(MpichDefault, AsksNothingInVainWithinARangeOfSizes) {
  const MpichNode usual = mpich_default("bcast", {4, 0, 2});
  const MpichNode short_ones = mpich_within(usual, "avg_msg_size", {0, 12288});
  const MpichNode tree = one_of("binomial");
  EXPECT_EQ(short_ones, tree) << "for any number of ranks";

  const MpichNode ring = one_of("scatter_ring_allgather");
  const MpichNode doubling = one_of("scatter_recursive_doubling_allgather");
  EXPECT_EQ(
      mpich_within(usual, "avg_msg_size", {12289, 600000}),
      mpich_chain({{"comm_size<=7", tree},
                   {"comm_size=pow2", mpich_chain({{"avg_msg_size<=524288", doubling}, {"avg_msg_size=any", ring}})},
                   {"comm_size=any", ring}}));
  EXPECT_EQ(mpich_within(usual, "total_msg_size", {0, 100}), usual) << "a size of another kind";
}

TEST(MpichDefault, AsksNothingInVainOfKnownRanks) {
  const MpichNode usual = mpich_default("bcast", {4, 0, 2});
  const MpichNode tree = one_of("binomial");
  const MpichNode ring = one_of("scatter_ring_allgather");
  EXPECT_EQ(mpich_within(usual, "comm_size", {2, 2}), tree);
  EXPECT_EQ(mpich_within(usual, "comm_size", {12, 12}),
            mpich_chain({{"avg_msg_size<=12288", tree}, {"avg_msg_size=any", ring}}));
  EXPECT_EQ(mpich_within(usual, "comm_size", {16, 16}).members.size(), 3U);
  EXPECT_EQ(mpich_within(usual, "comm_size", {8, 20}).members.front().first, "comm_size=pow2");
}

TEST(MpichDefault, KnowsABoundThatIsNotReached) {
  const MpichNode usual = mpich_default("allgather", {4, 0, 2});  // total_msg_size<524288
  const auto doubled = [&](Bytes last) {
    return mpich_within(usual, "total_msg_size", {0, last}).members.front().second;
  };
  EXPECT_EQ(doubled(524287), mpich_leaf("Allgather_intra_recursive_doubling"));
  EXPECT_EQ(doubled(524288).members.size(), 2U);
}

}  // namespace
}  // namespace postage
