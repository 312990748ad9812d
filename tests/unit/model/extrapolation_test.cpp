#include <postage/model/extrapolation.hpp>
#include <postage/model/model.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

TEST(Extrapolation, IsTheFactorOutsideTheFittedSizes) {
  ParameterTable table = parse_parameters("hockney", "alpha=1us,beta=1ns");
  EXPECT_FALSE(extrapolation_of(table, "all", {.bytes = Bytes{1} << 50}).is_any());  // by hand: holds everywhere
  table.fit = {.points = 9, .smallest = 64, .largest = 4096};
  EXPECT_EQ(extrapolation_of(table, "any", {.bytes = 64}).factor(), 1);
  EXPECT_EQ(extrapolation_of(table, "any", {.bytes = 16384}).size, 4);
  EXPECT_EQ(extrapolation_of(table, "any", {.bytes = 16}).size, 4);
  EXPECT_EQ(extrapolation_of(table, "any", {.bytes = 0}).size, 64);
}

TEST(Extrapolation, KnowsTheCurvesOfTheTransfersOwnGroup) {
  const ParameterTable table = parse_parameters(
      "plogp", "L=1,o=0,g=0:1;1K:2 [b] L=1,o=0,g=0:1;4K:2 [b from 64K] L=1,o=0,g=64K:1;1M:2 [pair 0 1] L=1,o=0,g=1");
  EXPECT_EQ(extrapolation_of(table, "a", {.bytes = 4096}).factor(), 4);
  EXPECT_EQ(extrapolation_of(table, "b", {.bytes = 4096}).factor(), 1);
  EXPECT_EQ(extrapolation_of(table, "b", {.bytes = 32768}).factor(), 8);
  EXPECT_EQ(extrapolation_of(table, "b", {.bytes = 65536}).factor(), 1);
  EXPECT_EQ(extrapolation_of(table, "b", {.source = 1, .target = 0, .bytes = 32768}).factor(), 1);
}

TEST(Extrapolation, KnowsHowManyTransfersWereMeasured) {
  const ParameterTable table = parse_parameters("taulop", "o=1,n=2,L=1K/1:1;64K/1:9;1K/4:2;16K/4:9");
  EXPECT_FALSE(extrapolation_of(table, "a", {.bytes = 65536}).is_any());
  EXPECT_EQ(extrapolation_of(table, "a", {.bytes = 65536, .concurrency = 4}).size, 4);
  EXPECT_EQ(extrapolation_of(table, "a", {.bytes = 65536, .concurrency = 2}).size, 4);
  const Extrapolation far = extrapolation_of(table, "a", {.bytes = 4096, .concurrency = 12});
  EXPECT_EQ(far.concurrency, 3);
  EXPECT_EQ(far.size, 1);
  const ParameterTable blind = parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns");
  EXPECT_FALSE(extrapolation_of(blind, "a", {.bytes = 1, .concurrency = 1e6}).is_any());
}

// A get has at least 16 bytes, "the smallest DMA transfer possible" (Ali et al., section 3.3): one of 1 byte is one
// of 16.
TEST(Extrapolation, TakesSmallerGetsForTheSmallestOne) {
  const ParameterTable table = parse_parameters("plogp-cell", "L=16:1;4K:2,g=1");
  EXPECT_FALSE(extrapolation_of(table, "a", {.bytes = 1}).is_any());
  EXPECT_EQ(extrapolation_of(parse_parameters("plogp-cell", "L=64:1;4K:2,g=1"), "a", {.bytes = 1}).size, 4);
}

TEST(Extrapolation, KnowsWhichStridesWereMeasured) {
  const ParameterTable table = parse_parameters("log3p", "o_mw=0:1;16K:2,o_net=1,l_mw=1K/8:1;16K/8:2;1K/64:3;16K/64:9");
  EXPECT_FALSE(extrapolation_of(table, "a", {.bytes = 100}).is_any());
  EXPECT_FALSE(extrapolation_of(table, "a", {.bytes = 2048, .stride = 9}).is_any());
  EXPECT_EQ(extrapolation_of(table, "a", {.bytes = 2048, .stride = 512}).stride, 8);
  EXPECT_EQ(extrapolation_of(table, "a", {.bytes = 2048, .stride = 2}).stride, 4);
  EXPECT_EQ(extrapolation_of(table, "a", {.bytes = 256, .stride = 8}).size, 4);
}

}  // namespace
}  // namespace postage
