// The judgement of exchanges, with costs that the test makes up.
#include "channel/exchanges.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

namespace postage::channel {
namespace {

constexpr LongWay kTwo = LongWay::kTwoCopies;
constexpr LongWay kSingle = LongWay::kSingleCopy;

/// Messages until the way changes, all of the way that is asked for and of this cost.
std::uint32_t messages_until_change(ExchangeJudge& judge, double cost) {
  std::uint32_t messages = 0;
  do {
    ++messages;
  } while (!judge.observe(judge.next().value_or(kTwo), cost) && messages < 1000000);
  return messages;
}

/// One trial: its messages but the first cost `cost`, the first one `first`.
void make_trial(ExchangeJudge& judge, double first, double cost) {
  const LongWay tried = judge.next().value();
  ASSERT_FALSE(judge.observe(tried, first));
  for (std::uint32_t i = 1; i < ExchangeJudge::kLooks; ++i) {
    ASSERT_FALSE(judge.observe(tried, cost));
  }
  ASSERT_TRUE(judge.observe(tried, cost));
}

TEST(ExchangeJudge, TriesTheOtherWaySeldomWhileThatCostsMore) {
  for (const LongWay found : {kTwo, kSingle}) {
    ExchangeJudge judge(ExchangeJudge::kSeldomTrial);
    EXPECT_FALSE(judge.next().has_value());
    EXPECT_FALSE(judge.observe(found, 10));
    EXPECT_EQ(judge.next(), found);
    EXPECT_EQ(messages_until_change(judge, 10), ExchangeJudge::kFirstTrial - 1);
    std::uint32_t expected = ExchangeJudge::kFirstTrial;
    for (int trial = 0; trial < 12; ++trial) {
      EXPECT_EQ(judge.next(), other(found));
      make_trial(judge, 12, 12);
      EXPECT_EQ(judge.next(), found);
      expected = std::min(2 * expected, ExchangeJudge::kSeldomTrial);
      EXPECT_EQ(messages_until_change(judge, 10), expected);
    }
    EXPECT_EQ(judge.changes(), 0U);
    EXPECT_EQ(judge.trials(), 13U);
  }
}

TEST(ExchangeJudge, ChangesAfterTrialsInARowThatCostLess) {
  ExchangeJudge judge(ExchangeJudge::kSeldomTrial);
  messages_until_change(judge, 10);
  make_trial(judge, 10, 9);
  EXPECT_EQ(judge.next(), kTwo) << "one may have been lucky";
  EXPECT_EQ(messages_until_change(judge, 10), ExchangeJudge::kNextTrial);
  make_trial(judge, 10, 10);
  EXPECT_EQ(messages_until_change(judge, 10), 2 * ExchangeJudge::kFirstTrial) << "it was";
  make_trial(judge, 10, 9);
  EXPECT_EQ(messages_until_change(judge, 10), ExchangeJudge::kNextTrial);
  make_trial(judge, 10, 9);
  EXPECT_EQ(judge.next(), kSingle);
  EXPECT_EQ(judge.changes(), 1U);
  EXPECT_EQ(messages_until_change(judge, 9), ExchangeJudge::kFirstTrial) << "the former way gets its trials";
  EXPECT_EQ(judge.next(), kTwo);
}

TEST(ExchangeJudge, WantsMoreThanTheMargin) {
  ExchangeJudge judge(1);
  for (int trial = 0; trial < 100; ++trial) {
    messages_until_change(judge, 10);
    make_trial(judge, 10, 10 / ExchangeJudge::kMargin);
  }
  EXPECT_EQ(judge.changes(), 0U);
}

TEST(ExchangeJudge, EndsAHopelessTrialWithItsFirstMessage) {
  ExchangeJudge judge(ExchangeJudge::kSeldomTrial);
  messages_until_change(judge, 10);
  EXPECT_TRUE(judge.observe(kSingle, 10 * ExchangeJudge::kHopeless + 1));
  EXPECT_EQ(judge.next(), kTwo);
  EXPECT_EQ(messages_until_change(judge, 10), 2 * ExchangeJudge::kFirstTrial);
}

TEST(ExchangeJudge, CountsNeitherTheFirstOfATrialNorTheSlowest) {
  ExchangeJudge lucky(ExchangeJudge::kSeldomTrial);
  ExchangeJudge slow(ExchangeJudge::kSeldomTrial);
  for (std::uint32_t trial = 0; trial < ExchangeJudge::kChangeAfter; ++trial) {
    messages_until_change(lucky, 10);
    make_trial(lucky, 1, 10);
    messages_until_change(slow, 10);
    ASSERT_FALSE(slow.observe(kSingle, 14));
    ASSERT_FALSE(slow.observe(kSingle, 8));
    ASSERT_TRUE(slow.observe(kSingle, 1000));
  }
  EXPECT_EQ(lucky.changes(), 0U);
  EXPECT_EQ(slow.changes(), 1U);
}

TEST(ExchangeJudge, LooksOnlyWhereItMatters) {
  ExchangeJudge judge(ExchangeJudge::kSeldomTrial);
  for (std::uint32_t i = 0; i < ExchangeJudge::kFirstTrial; ++i) {
    EXPECT_EQ(judge.looks(), i + ExchangeJudge::kLooks >= ExchangeJudge::kFirstTrial) << i;
    // What it costs where that does not matter changes nothing.
    judge.observe(kTwo, judge.looks() ? 10 : 0);
  }
  EXPECT_TRUE(judge.looks());
  make_trial(judge, 0, 9);
  messages_until_change(judge, 10);
  make_trial(judge, 0, 9);
  EXPECT_EQ(judge.changes(), 1U);
}

TEST(ExchangeJudge, PassesOverMessagesThatWereUnderWayAtAChange) {
  ExchangeJudge judge(ExchangeJudge::kSeldomTrial);
  messages_until_change(judge, 10);
  for (std::uint32_t i = 0; i + 1 < ExchangeJudge::kAstray; ++i) {
    ASSERT_FALSE(judge.observe(kTwo, 1));
  }
  make_trial(judge, 10, 9);
  messages_until_change(judge, 10);
  make_trial(judge, 10, 9);
  EXPECT_EQ(judge.next(), kSingle) << "they count for nothing";
}

TEST(ExchangeJudge, GivesInToAPeerThatCannot) {
  ExchangeJudge judge(ExchangeJudge::kSeldomTrial);
  messages_until_change(judge, 10);
  ASSERT_EQ(judge.next(), kSingle);
  for (std::uint32_t i = 0; i + 1 < ExchangeJudge::kAstray; ++i) {
    ASSERT_FALSE(judge.observe(kTwo, 10));
  }
  EXPECT_TRUE(judge.observe(kTwo, 10));
  EXPECT_EQ(judge.next(), kTwo);
  EXPECT_EQ(judge.changes(), 0U);
  EXPECT_EQ(messages_until_change(judge, 10), ExchangeJudge::kSeldomTrial);
}

/// What so many messages cost, each as much as its way does on average, with noise, and a new trial's first message as
/// much as where nobody has read the buffer before.
struct Costs {
  double two = 0;
  double single = 0;
  double first_single = 0;
};

struct Run {
  double mean_cost = 0;
  int single = 0;  ///< messages by single copy
};

Run run(ExchangeJudge& judge, const Costs& costs, int messages, std::mt19937& random) {
  std::uniform_real_distribution<double> noise(1, 1.04);
  Run result;
  LongWay last = kTwo;
  for (int i = 0; i < messages; ++i) {
    const LongWay way = judge.next().value_or(kTwo);
    double cost = way == kTwo ? costs.two : last == kTwo ? costs.first_single : costs.single;
    cost *= noise(random) * (random() % 100 == 0 ? 20 : 1);
    result.mean_cost += cost / messages;
    result.single += way == kSingle ? 1 : 0;
    last = way;
    judge.observe(way, cost);
  }
  return result;
}

/// As measured between far cores, 256 KiB: buffers that stay as they are, and buffers that are written each time.
constexpr Costs kUntouched{.two = 28, .single = 19.5, .first_single = 28};
constexpr Costs kWritten{.two = 28, .single = 39, .first_single = 46};

TEST(ExchangeJudge, CostsLittleMoreThanTheBetterWayOfBothKinds) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    constexpr double kMeanNoise = 1.02 * 1.19;
    ExchangeJudge written(ExchangeJudge::kSeldomTrial);
    EXPECT_LT(run(written, kWritten, 20000, random).mean_cost, 28 * kMeanNoise * 1.04) << seed;
    ExchangeJudge untouched(ExchangeJudge::kSeldomTrial);
    EXPECT_LT(run(untouched, kUntouched, 20000, random).mean_cost, 19.5 * kMeanNoise * 1.04) << seed;
    EXPECT_EQ(untouched.next(), kSingle);
    EXPECT_LE(untouched.changes(), 3U);
  }
}

TEST(ExchangeJudge, FollowsAProgramThatChanges) {
  std::mt19937 random(7);
  ExchangeJudge judge(ExchangeJudge::kSeldomTrial);
  for (int phase = 0; phase < 6; ++phase) {
    // Trials may have become seldom: two of them, and a lucky one before, are needed.
    run(judge, phase % 2 == 0 ? kWritten : kUntouched, 5 * ExchangeJudge::kSeldomTrial, random);
    const int single = run(judge, phase % 2 == 0 ? kWritten : kUntouched, 100, random).single;
    EXPECT_NEAR(single, phase % 2 == 0 ? 0 : 100, 10) << phase;
  }
}

// --- what crosses

constexpr std::uint64_t kBytes = 100000;

/// Two ranks' counts of the messages between them.
struct Pair {
  Exchanges a{ExchangeJudge::kSeldomTrial};
  Exchanges b{ExchangeJudge::kSeldomTrial};

  /// A message that is sent; what it carries.
  static std::uint32_t send(Exchanges& from) {
    from.note_sent();
    return from.taken();
  }
};

TEST(Exchanges, CrossWhereNeitherHadTheOthersMessage) {
  Pair pair;
  for (int round = 0; round < 10; ++round) {
    const std::uint32_t from_a = Pair::send(pair.a);
    const std::uint32_t from_b = Pair::send(pair.b);
    EXPECT_TRUE(pair.b.take(kBytes, from_a));
    EXPECT_TRUE(pair.a.take(kBytes, from_b));
    EXPECT_TRUE(pair.a.expects(kBytes) && pair.b.expects(kBytes));
    EXPECT_FALSE(pair.a.expects(4 * kBytes));
  }
  EXPECT_EQ(pair.a.crossed(), 10U);
  // From here on one answers the other.
  for (int round = 0; round < 10; ++round) {
    EXPECT_FALSE(pair.b.take(kBytes, Pair::send(pair.a)));
    EXPECT_FALSE(pair.a.take(kBytes, Pair::send(pair.b)));
    EXPECT_FALSE(pair.a.expects(kBytes) || pair.b.expects(kBytes));
  }
  EXPECT_EQ(pair.a.crossed(), 10U);
}

TEST(Exchanges, DoNotCrossInAStream) {
  Pair pair;
  std::vector<std::uint32_t> under_way;
  for (int i = 0; i < 20; ++i) {
    under_way.push_back(Pair::send(pair.a));
  }
  for (const std::uint32_t seen : under_way) {
    EXPECT_FALSE(pair.b.take(kBytes, seen));
  }
  EXPECT_FALSE(pair.a.take(kBytes, Pair::send(pair.b))) << "an answer after all of them";
}

/// Messages of both, each of this rank's written in `written` ticks and each of the peer's read in `read`, or copied by
/// the kernel in `single`, as the judgement says.
void exchange(Exchanges& judging, std::uint64_t bytes, int messages, Ticks written, Ticks read, Ticks single) {
  for (int i = 0; i < messages; ++i) {
    const LongWay way = Exchanges::way_in(judging.ways(), bytes).value_or(kTwo);
    if (way == kTwo) {
      judging.note_written(bytes, written);
    }
    judging.observe(way, bytes, way == kTwo ? read : single);
  }
}

TEST(Exchanges, CompareOneCopyByTheKernelWithBothCopiesOfARank) {
  Exchanges dear(ExchangeJudge::kSeldomTrial);
  exchange(dear, kBytes, 200, 5000, 5000, 9900);
  EXPECT_EQ(dear.changes(), 0U);
  EXPECT_EQ(dear.trials(), 3U);
  Exchanges cheap(ExchangeJudge::kSeldomTrial);
  exchange(cheap, kBytes, 100, 5000, 5000, 9000);
  EXPECT_EQ(cheap.changes(), 1U);
  EXPECT_EQ(Exchanges::way_in(cheap.ways(), kBytes), kSingle);
}

TEST(Exchanges, AreJudgedForEachSizeByItself) {
  Exchanges exchanges(ExchangeJudge::kSeldomTrial);
  exchange(exchanges, 65536, 30, 5000, 5000, 20000);
  exchange(exchanges, 131072, 30, 5000, 5000, 5000);
  EXPECT_EQ(Exchanges::way_in(exchanges.ways(), 65536), kTwo);
  EXPECT_EQ(Exchanges::way_in(exchanges.ways(), 131071), kTwo);
  EXPECT_EQ(Exchanges::way_in(exchanges.ways(), 131072), kSingle);
  EXPECT_FALSE(Exchanges::way_in(exchanges.ways(), 262144).has_value()) << "nothing of the kind was seen";
  exchanges.reset();
  EXPECT_FALSE(Exchanges::way_in(exchanges.ways(), 131072).has_value());
}

TEST(Exchanges, NeedMessagesOfBothRanksToBeJudged) {
  Exchanges exchanges(ExchangeJudge::kSeldomTrial);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(exchanges.observe(kTwo, kBytes, 1000));
  }
  EXPECT_EQ(exchanges.trials(), 0U);
  EXPECT_EQ(exchanges.ways(), 0U);
}

}  // namespace
}  // namespace postage::channel
