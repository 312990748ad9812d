#include "unit/tuning/intervals.hpp"

#include <cmath>
#include <set>

namespace postage {
namespace {

TEST_F(Intervals, TwoRulesLeaveTheDefaultWhereNeitherIsWorthItAtTheOthersSize) {
  const Ratio first = [](Bytes bytes) { return bytes <= 1300 ? 0.5 : 2; };
  const Ratio second = [](Bytes bytes) { return bytes <= 3800 ? 2 : 0.5; };
  const std::vector<DecisionRule> found = rules(first, second);
  expect_no_loss(found, first, second);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_GT(found[0].bytes.last, 1100);
  EXPECT_LT(found[1].bytes.first, 4096);
}

TEST_F(Intervals, ARuleThatIsWorthItAtBothSizesSpansWhatLiesBetween) {
  const Ratio first = [](Bytes bytes) { return always(0.5, bytes); };
  const Ratio second = [](Bytes bytes) { return bytes < 4096 ? 2 : 0.3; };
  const std::vector<DecisionRule> found = rules(first, second);
  expect_no_loss(found, first, second);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].bytes, (Span<Bytes>{0, 4095}));
  EXPECT_EQ(found[1].bytes, (Span<Bytes>{4096, 16384}));
}

TEST_F(Intervals, ARuleThatGainsLittleAtASizeIsMeasuredBeforeItSpansToAnotherRule) {
  // Until 4096 the default is a fast algorithm, and then a slow one.
  const Ratio first = [](Bytes bytes) { return bytes <= 1024 ? 0.94 : bytes < 4096 ? 1.2 : 0.7; };
  const Ratio second = [](Bytes bytes) { return bytes < 4096 ? 2 : 0.3; };
  const std::vector<DecisionRule> found = rules(first, second);
  expect_no_loss(found, first, second);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_LT(found[0].bytes.last, 1200);
  EXPECT_EQ(found[1].bytes, (Span<Bytes>{4096, 16384}));
}

TEST_F(Intervals, RulesThatAreBothWorthItMeetWhereTheirTimesCross) {
  const Ratio first = [](Bytes bytes) { return bytes <= 1024 ? 0.4 : 0.6; };
  const Ratio second = [](Bytes bytes) { return bytes <= 1024 ? 0.8 : 0.55; };
  const std::vector<DecisionRule> found = rules(first, second);
  expect_no_loss(found, first, second);
  ASSERT_EQ(found.size(), 2U);
  // The first leads by log 2 at 1024, the second by log 12/11 just behind.
  const double share = std::log(2) / (std::log(2) + std::log(12.0 / 11));
  EXPECT_EQ(found[1].bytes.first, std::llround(1024 * std::pow(1032.0 / 1024, share)));
  EXPECT_EQ(found[0].bytes.last, found[1].bytes.first - 1);
}

TEST_F(Intervals, ARuleThatGainsAtAnothersLastSizeIsMeasuredBehindIt) {
  // From 1025 on the default is the first algorithm, which large messages take longer with.
  const Ratio first = [](Bytes bytes) { return bytes <= 1024 ? 0.42 : 1.0; };
  const Ratio second = [](Bytes bytes) { return bytes <= 1024 ? 0.84 : bytes < 4096 ? 2.2 : 0.63; };
  const std::vector<DecisionRule> found = rules(first, second);
  expect_no_loss(found, first, second);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].bytes, (Span<Bytes>{0, 1024}));
  EXPECT_EQ(found[1].bytes, (Span<Bytes>{4096, 16384}));
}

TEST_F(Intervals, ARuleThatGainsAtAnothersFirstSizeIsMeasuredBeforeIt) {
  const Ratio first = [](Bytes bytes) { return bytes <= 1024 ? 0.5 : bytes < 4096 ? 1.5 : 0.8; };
  const Ratio second = [](Bytes bytes) { return bytes < 4096 ? 2 : 0.4; };
  const std::vector<DecisionRule> found = rules(first, second);
  expect_no_loss(found, first, second);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].bytes, (Span<Bytes>{4096, 16384}));
}

/// Between two sizes at which a rule gains a half.
TEST_F(Intervals, ADefaultThatIsFastBetweenTwoSizesIsFoundBesideThemOrInTheMiddle) {
  for (const auto& [first, end] : {std::pair<Bytes, Bytes>{9000, 16384}, {1025, 1500}, {3000, 7000}}) {
    standard_ = [&](Bytes bytes) { return bytes >= first && bytes < end ? 0.4 : 1; };
    const auto half = [](Bytes bytes) { return always(0.5, bytes); };
    const auto never = [](Bytes bytes) { return always(2, bytes); };
    const std::vector<DecisionRule> found = rules(half, never);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().bytes.first, 0);
    EXPECT_EQ(found.back().bytes.last, 16384);
    expect_no_loss(found, half, never);
  }
}

/// Both take another protocol between two near sizes, the rule's choice first.
TEST_F(Intervals, ALeapBeforeTheDefaultsBetweenNearSizesIsFound) {
  standard_ = [](Bytes bytes) { return (bytes < 10'700 ? 1e-4 : 1.25e-4) * static_cast<double>(bytes); };
  const Ratio first = [](Bytes bytes) { return (bytes < 10'200 ? 0.82e-4 : 1.12e-4) * static_cast<double>(bytes); };
  const Ratio none = [](Bytes bytes) { return 3e-4 * static_cast<double>(bytes); };
  const std::vector<DecisionRule> found = rules_of(
      {.target = TuningTarget::kSmpi, .version = {3, 32, 0}, .sizes = {10'000, 11'800, 13'900}, .exhaustive = true},
      first, none);
  expect_no_loss(found, first, none);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(static_cast<double>(found[0].bytes.last), 10'200, 20);
  EXPECT_NEAR(static_cast<double>(found[1].bytes.first), 10'700, 20);
}

/// Both take a faster protocol from somewhere between two near sizes on, the default sooner, as SMPI's `mpich` does in
/// a reduce of 15,000 bytes among six ranks.
TEST_F(Intervals, ALeapDownBehindTheDefaultsBetweenNearSizesIsFound) {
  standard_ = [](Bytes bytes) { return (bytes < 12'700 ? 1.08e-4 : 0.96e-4) * static_cast<double>(bytes); };
  const Ratio first = [](Bytes bytes) { return (bytes < 13'200 ? 1e-4 : 0.88e-4) * static_cast<double>(bytes); };
  const Ratio none = [](Bytes bytes) { return 3e-4 * static_cast<double>(bytes); };
  const std::vector<DecisionRule> found = rules_of(
      {.target = TuningTarget::kSmpi, .version = {3, 32, 0}, .sizes = {10'000, 11'800, 13'900}, .exhaustive = true},
      first, none);
  ASSERT_GE(found.size(), 2U);
  EXPECT_LE(found[0].bytes.last, 12'696);
  EXPECT_GE(found[1].bytes.first, 12'900);
}

/// Faster than the default only where each of four ranks has as many words.
TEST_F(Intervals, BothEndsEvenAreNoProofForSizesBetween) {
  standard_ = [](Bytes bytes) { return 1e-4 * static_cast<double>(bytes); };
  const Ratio first = [](Bytes bytes) { return (bytes % 32 == 0 ? 0.85e-4 : 1.03e-4) * static_cast<double>(bytes); };
  const Ratio none = [](Bytes bytes) { return 3e-4 * static_cast<double>(bytes); };
  for (const DecisionRule& rule : rules(first, none)) {
    EXPECT_EQ(rule.bytes.first, rule.bytes.last);
  }
}

/// The middle between two near sizes, 10,560 bytes, is as many words for each of four ranks.
TEST_F(Intervals, SizesInTheMiddleLeaveARemainder) {
  standard_ = [](Bytes bytes) { return (bytes < 11'000 ? 1e-4 : 1.25e-4) * static_cast<double>(bytes); };
  std::set<Bytes> measured;
  const Ratio first = [&](Bytes bytes) {
    measured.insert(bytes);
    return (bytes < 10'200 ? 0.82e-4 : 1.12e-4) * static_cast<double>(bytes);
  };
  const Ratio none = [](Bytes bytes) { return 3e-4 * static_cast<double>(bytes); };
  static_cast<void>(rules_of(
      {.target = TuningTarget::kSmpi, .version = {3, 32, 0}, .sizes = {10'000, 12'440, 15'000}, .exhaustive = true},
      first, none));
  EXPECT_TRUE(measured.contains(10'568));
  EXPECT_FALSE(measured.contains(10'560));
}

/// The second rule takes over between 1 and 4 KiB, and both gain a half at either size.
TEST_F(Intervals, ADefaultThatIsFastBetweenTwoRulesIsFoundBesideThemOrInTheMiddle) {
  standard_ = [](Bytes bytes) { return bytes > 1100 && bytes < 4096 ? 0.4 : 1; };
  const auto first = [](Bytes bytes) { return bytes <= 1024 ? 0.45 : 0.55; };
  const auto second = [](Bytes bytes) { return bytes <= 1024 ? 0.55 : 0.45; };
  const std::vector<DecisionRule> found = rules(first, second);
  ASSERT_GE(found.size(), 2U);
  EXPECT_EQ(found.front().choice.library_name, kFirst);
  EXPECT_EQ(found.back().choice.library_name, kSecond);
  expect_no_loss(found, first, second);
}

TEST_F(Intervals, RulesAreMeasuredWhereTheirGainDwindles) {
  // From 4096 on the default is another algorithm: until then the gain goes on shrinking into a loss.
  const Ratio first = [](Bytes bytes) {
    return bytes < 4096 ? 0.5 * std::pow(static_cast<double>(std::max<Bytes>(bytes, 64)) / 64, 0.22) : 0.5;
  };
  const std::vector<DecisionRule> found = rules(first);
  expect_no_loss(found, first, kSlow);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_GT(found[0].bytes.last, 1024);
  EXPECT_EQ(found[1].bytes.first, 4096);
}

/// MPICH's files take some 60 ns that a variable does not, and 12 ns for a question that tells a rule from the default.
TEST_F(Intervals, OneRuleOfMpichHoldsAlsoWhereItIsAsFastAsTheDefault) {
  const TuneRequest request{
      .target = TuningTarget::kMpich, .version = {4, 0, 2}, .sizes = {64, 1024, 16384}, .exhaustive = true};
  first_name_ = "binomial";
  standard_ = [](Bytes /*bytes*/) { return 1e-6; };
  const auto saves = [](Seconds in_the_middle) {
    return [in_the_middle](Bytes bytes) {
      return 1e-6 - (bytes < 64 || bytes > 16384 ? 0 : bytes == 1024 ? in_the_middle : 200e-9);
    };
  };
  const Ratio none = [](Bytes bytes) { return always(1, bytes); };
  EXPECT_EQ(rules_of(request, saves(200e-9), none).size(), 1U);
  const std::vector<DecisionRule> joined = rules_of(request, saves(70e-9), none);
  ASSERT_EQ(joined.size(), 1U);
  EXPECT_EQ(joined.front().bytes, (Span<Bytes>{64, 16384}));
  EXPECT_NEAR(joined.front().gain.share, 0.07, 1e-9) << "that of the size with the least gain";
  EXPECT_EQ(rules_of(request, saves(40e-9), none).size(), 2U) << "as long as the default, and more by the file";
}

}  // namespace
}  // namespace postage
