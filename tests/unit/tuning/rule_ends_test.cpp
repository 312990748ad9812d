#include "unit/tuning/intervals.hpp"

namespace postage {
namespace {

TEST_F(Intervals, EndsJustBeforeAMeasuredSizeAreFound) {
  // As a library decides by "less than 4096".
  const Ratio first = [](Bytes bytes) { return bytes < 4096 ? 0.5 : 1.0; };
  const std::vector<DecisionRule> found = rules(first);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].bytes, (Span<Bytes>{0, 4088}));
}

TEST_F(Intervals, BeginningsJustBehindAMeasuredSizeAreFound) {
  // As a library decides by "at most 1024".
  const Ratio first = [](Bytes bytes) { return bytes <= 1024 ? 1.0 : 0.5; };
  const std::vector<DecisionRule> found = rules(first);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].bytes, (Span<Bytes>{1032, 16384}));
}

TEST_F(Intervals, SizesBelowTheLeastOneHaveARuleIfItIsWorthItThere) {
  const Ratio first = [](Bytes bytes) { return bytes < 8 ? 1.0 : 0.5; };
  const std::vector<DecisionRule> found = rules(first);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_GE(found[0].bytes.first, 8);
  EXPECT_LE(found[0].bytes.first, 64);
}

/// MPICH's allreduce of three floats is another algorithm than that of one double.
TEST_F(Intervals, HalfWordsBesideSmallSizesAreLookedAt) {
  const Ratio first = [](Bytes bytes) { return bytes <= 8 ? 1.0 : 0.5; };
  const std::vector<DecisionRule> found = rules(first);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_GT(found[0].bytes.first, 8);
  EXPECT_LE(found[0].bytes.first, 12);
}

/// Of 1024 bytes it is no contender, but what it does until 1016 it does there, too.
TEST_F(Intervals, ARuleGoesOnWhereItWasPredictedToLose) {
  const TuneRequest request{.target = TuningTarget::kSmpi,
                            .version = {3, 32, 0},
                            .sizes = {64, 1024, 16384},
                            .margin = 0,
                            .suspected = {{Collective::kBcast, 4, 64, "binomial"}}};
  const Ratio first = [](Bytes bytes) { return bytes <= 1024 ? 0.5 : 1.0; };
  const std::vector<DecisionRule> found = rules_of(request, first, kSlow);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].bytes.last, 1024);
}

}  // namespace
}  // namespace postage
