// The judgement of exchanges, with costs that the test makes up.
#include "shm/exchanges.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

namespace postage::shm {
namespace {

constexpr LongWay kTwo = LongWay::kTwoCopies;
constexpr LongWay kSingle = LongWay::kSingleCopy;

constexpr std::uint32_t kSeldom = 1024;
constexpr std::uint32_t kLooks = LongWayJudge::kLooks;

constexpr std::uint32_t kSettling = kSingleSettles;

/// Two copies settle as soon as single copy does.
LongWayJudge quick_judge() {
  return {kSeldom, {kSettling, kSettling}};
}

/// Messages of the usual way between two of its trials.
constexpr std::uint32_t between_trials(std::uint32_t patience) {
  return kSettling + patience * kSettling;
}

/// Messages until the way changes, all of the way that is asked for and of this cost.
std::uint32_t messages_until_change(LongWayJudge& judge, double cost) {
  std::uint32_t messages = 0;
  do {
    ++messages;
  } while (!judge.observe(judge.next().value_or(kTwo), cost) && messages < 1000000);
  return messages;
}

/// One trial that is not given up: until the way tried has settled its messages cost `first`, then `cost`.
void make_trial(LongWayJudge& judge, double first, double cost) {
  const LongWay tried = judge.next().value();
  for (std::uint32_t i = 0; i < kSettling; ++i) {
    ASSERT_FALSE(judge.observe(tried, first));
  }
  for (std::uint32_t i = 1; i < kLooks; ++i) {
    ASSERT_FALSE(judge.observe(tried, cost));
  }
  ASSERT_TRUE(judge.observe(tried, cost));
}

TEST(LongWayJudge, TriesTheOtherWaySeldomWhileThatCostsMore) {
  for (const LongWay found : {kTwo, kSingle}) {
    LongWayJudge judge = quick_judge();
    EXPECT_FALSE(judge.next().has_value());
    EXPECT_FALSE(judge.observe(found, 10));
    EXPECT_EQ(judge.next(), found);
    EXPECT_EQ(messages_until_change(judge, 10), between_trials(LongWayJudge::kFirstTrial) - 1);
    std::uint32_t expected = LongWayJudge::kFirstTrial;
    for (int trial = 0; trial < 12; ++trial) {
      EXPECT_EQ(judge.next(), other(found));
      make_trial(judge, 100, 11);
      EXPECT_EQ(judge.next(), found);
      expected = std::min(2 * expected, kSeldom);
      EXPECT_EQ(messages_until_change(judge, 10), between_trials(expected));
    }
    EXPECT_EQ(judge.changes(), 0U);
    EXPECT_EQ(judge.trials(), 13U);
  }
}

TEST(LongWayJudge, WaitsUntilTheWaysHaveSettled) {
  constexpr std::uint32_t kPool = 64;
  LongWayJudge judge(kSeldom, {kPool, kSettling});
  for (std::uint32_t i = 0; i < kPool + kSettling * LongWayJudge::kFirstTrial; ++i) {
    ASSERT_EQ(judge.next().value_or(kTwo), kTwo);
    // The pool is cold at first, and dearer than single copy.
    judge.observe(kTwo, i < kPool ? 20 : 10);
  }
  make_trial(judge, 20, 10);
  EXPECT_EQ(messages_until_change(judge, 10), kPool + kSettling * 2 * LongWayJudge::kFirstTrial);
  // Single copy becomes the better way, and later the worse one again.
  make_trial(judge, 20, 8);
  EXPECT_EQ(messages_until_change(judge, 10), kPool + kSettling * LongWayJudge::kNextTrial);
  make_trial(judge, 20, 8);
  EXPECT_EQ(judge.next(), kSingle);
  for (std::uint32_t trial = 0; trial < LongWayJudge::kChangeAfter; ++trial) {
    const std::uint32_t patience = trial == 0 ? LongWayJudge::kFirstTrial : LongWayJudge::kNextTrial;
    EXPECT_EQ(messages_until_change(judge, 11), kSettling + patience * kPool) << "long trials are rarer";
    for (std::uint32_t i = 0; i < kPool; ++i) {
      ASSERT_FALSE(judge.observe(kTwo, 20));
    }
    EXPECT_EQ(messages_until_change(judge, 10), kLooks);
  }
  EXPECT_EQ(judge.next(), kTwo);
}

TEST(LongWayJudge, ChangesAfterTrialsInARowThatCostLess) {
  LongWayJudge judge = quick_judge();
  messages_until_change(judge, 10);
  make_trial(judge, 10, 9);
  EXPECT_EQ(judge.next(), kTwo) << "one may have been lucky";
  EXPECT_EQ(messages_until_change(judge, 10), between_trials(LongWayJudge::kNextTrial));
  make_trial(judge, 10, 10);
  EXPECT_EQ(messages_until_change(judge, 10), between_trials(2 * LongWayJudge::kFirstTrial)) << "it was";
  make_trial(judge, 10, 9);
  EXPECT_EQ(messages_until_change(judge, 10), between_trials(LongWayJudge::kNextTrial));
  make_trial(judge, 10, 9);
  EXPECT_EQ(judge.next(), kSingle);
  EXPECT_EQ(judge.changes(), 1U);
  EXPECT_EQ(messages_until_change(judge, 9), between_trials(LongWayJudge::kFirstTrial))
      << "the former way gets its trials";
  EXPECT_EQ(judge.next(), kTwo);
}

TEST(LongWayJudge, WantsMoreThanTheMargin) {
  LongWayJudge judge(1, {1, kSettling});
  for (int trial = 0; trial < 100; ++trial) {
    messages_until_change(judge, 10);
    make_trial(judge, 10, 10 / LongWayJudge::kMargin);
  }
  EXPECT_EQ(judge.changes(), 0U);
}

TEST(LongWayJudge, EndsAHopelessTrialWithTheFirstMessageThatCounts) {
  LongWayJudge judge = quick_judge();
  messages_until_change(judge, 10);
  for (std::uint32_t i = 0; i < kSettling; ++i) {
    EXPECT_FALSE(judge.observe(kSingle, 100)) << "before it has settled";
  }
  EXPECT_TRUE(judge.observe(kSingle, 10 * LongWayJudge::kHopeless + 1));
  EXPECT_EQ(judge.next(), kTwo);
}

TEST(LongWayJudge, TriesTheMoreSeldomTheMoreThatCosts) {
  for (const double cost : {10.5, 12.0, 15.0, 20.0, 1000.0}) {
    LongWayJudge judge = quick_judge();
    messages_until_change(judge, 10);
    for (std::uint32_t i = 0; i < kSettling; ++i) {
      judge.observe(kSingle, cost);
    }
    while (judge.next() == kSingle) {
      judge.observe(kSingle, cost);
    }
    const double lost = (std::min(cost, 10 * LongWayJudge::kMostDear) - 10) * (kSettling + kLooks);
    const double spent = 10 * messages_until_change(judge, 10);
    EXPECT_LT(lost, LongWayJudge::kRegret * spent) << cost;
    EXPECT_GT(lost * 1.5 + 10, LongWayJudge::kRegret * spent) << cost;
  }
}

TEST(LongWayJudge, HearsHowLongAWayTakesToSettle) {
  LongWayJudge judge = quick_judge();
  judge.settle(kSingle, 20);
  EXPECT_EQ(messages_until_change(judge, 10), kSettling + 20 * LongWayJudge::kFirstTrial);
  judge.settle(kSingle, 0);
  EXPECT_EQ(messages_until_change(judge, 10), 20 + kLooks) << "of a trial that has begun";
  EXPECT_EQ(messages_until_change(judge, 10), kSettling + 2 * LongWayJudge::kFirstTrial);
  EXPECT_EQ(messages_until_change(judge, 10), 1 + kLooks);
}

TEST(LongWayJudge, CountsNeitherUnsettledMessagesNorTheSlowest) {
  LongWayJudge lucky = quick_judge();
  LongWayJudge slow = quick_judge();
  for (std::uint32_t trial = 0; trial < LongWayJudge::kChangeAfter; ++trial) {
    messages_until_change(lucky, 10);
    make_trial(lucky, 1, 10);
    messages_until_change(slow, 10);
    for (std::uint32_t i = 0; i < kSettling; ++i) {
      ASSERT_FALSE(slow.observe(kSingle, 1000));
    }
    ASSERT_FALSE(slow.observe(kSingle, 8));
    ASSERT_TRUE(slow.observe(kSingle, 1000));
  }
  EXPECT_EQ(lucky.changes(), 0U);
  EXPECT_EQ(slow.changes(), 1U);
}

TEST(LongWayJudge, ComparesTheLastMessagesBeforeATrial) {
  LongWayJudge judge = quick_judge();
  constexpr std::uint32_t kMessages = between_trials(LongWayJudge::kFirstTrial);
  for (std::uint32_t i = 0; i < kMessages; ++i) {
    judge.observe(kTwo, i + kLooks < kMessages ? 0 : 10);
  }
  make_trial(judge, 0, 9);
  messages_until_change(judge, 10);
  make_trial(judge, 0, 9);
  EXPECT_EQ(judge.changes(), 1U);
}

TEST(LongWayJudge, PassesOverMessagesThatWereUnderWayAtAChange) {
  LongWayJudge judge = quick_judge();
  messages_until_change(judge, 10);
  for (std::uint32_t i = 0; i + 1 < LongWayJudge::kAstray; ++i) {
    ASSERT_FALSE(judge.observe(kTwo, 1));
  }
  make_trial(judge, 10, 9);
  messages_until_change(judge, 10);
  make_trial(judge, 10, 9);
  EXPECT_EQ(judge.next(), kSingle) << "they count for nothing";
}

TEST(LongWayJudge, TellsTheTurnsOfItsTrials) {
  LongWayJudge judge = quick_judge();
  EXPECT_EQ(judge.turn(), 0U);
  for (std::uint64_t trial = 0; trial < 3; ++trial) {
    messages_until_change(judge, 10);
    EXPECT_EQ(judge.turn(), 2 * trial + 1);
    make_trial(judge, 10, 11);
    EXPECT_EQ(judge.turn(), 2 * trial + 2);
  }
}

TEST(LongWayJudge, TriesSoonWhereItsWayCostsMuchMore) {
  LongWayJudge judge = quick_judge();
  for (int trial = 0; trial < 8; ++trial) {
    messages_until_change(judge, 10);
    make_trial(judge, 10, 11);
  }
  const std::uint64_t trials = judge.trials();
  for (std::uint32_t i = 0; i < 100; ++i) {
    const bool is_dear = i < kSettling || i % LongWayJudge::kDearer != 0;
    EXPECT_FALSE(judge.observe(kTwo, is_dear ? 20 : 10)) << "that may be chance";
  }
  EXPECT_EQ(judge.trials(), trials);
  judge.observe(kTwo, 10);
  for (std::uint32_t i = 0; i < LongWayJudge::kDearer; ++i) {
    EXPECT_FALSE(judge.observe(kTwo, 20));
  }
  for (std::uint32_t trial = 0; trial < LongWayJudge::kChangeAfter; ++trial) {
    EXPECT_EQ(messages_until_change(judge, 20), between_trials(LongWayJudge::kNextTrial));
    make_trial(judge, 11, 11);
  }
  EXPECT_EQ(judge.next(), kSingle);
  EXPECT_EQ(judge.changes(), 1U);
}

TEST(LongWayJudge, GivesInToAPeerThatCannot) {
  LongWayJudge judge = quick_judge();
  messages_until_change(judge, 10);
  ASSERT_EQ(judge.next(), kSingle);
  for (std::uint32_t i = 0; i + 1 < LongWayJudge::kAstray; ++i) {
    ASSERT_FALSE(judge.observe(kTwo, 10));
  }
  EXPECT_TRUE(judge.observe(kTwo, 10));
  EXPECT_EQ(judge.next(), kTwo);
  EXPECT_EQ(judge.changes(), 0U);
  EXPECT_EQ(messages_until_change(judge, 10), between_trials(kSeldom));
}

/// What messages cost, with noise on top, by copies that find the caches as they left them themselves and by others.
struct Costs {
  double two = 0;
  double single = 0;
  double first_two = 0;
  double first_single = 0;
};

struct Run {
  double mean_cost = 0;
  int single = 0;  ///< messages by single copy
};

constexpr std::uint32_t kPoolMessages = 16;

Run run(LongWayJudge& judge, const Costs& costs, int messages, std::mt19937& random) {
  std::uniform_real_distribution<double> noise(1, 1.04);
  Run result;
  LongWay last = kTwo;
  std::uint32_t alike = 0;
  for (int i = 0; i < messages; ++i) {
    const LongWay way = judge.next().value_or(kTwo);
    alike = way == last ? alike + 1 : 0;
    last = way;
    const double usual = way == kTwo ? costs.two : costs.single;
    const double first = way == kTwo ? costs.first_two : costs.first_single;
    double cost = alike < (way == kTwo ? kPoolMessages : kSettling) ? first : usual;
    // Now and then something else runs.
    cost *= noise(random) * (random() % 100 == 0 ? 20 : 1);
    result.mean_cost += cost / messages;
    result.single += way == kSingle ? 1 : 0;
    judge.observe(way, cost);
  }
  return result;
}

/// As measured with 256 KiB: between far cores, buffers that stay as they are and buffers that are written each time;
/// and between near cores.
constexpr Costs kUntouched{.two = 28, .single = 19.5, .first_two = 33, .first_single = 46};
constexpr Costs kWritten{.two = 28, .single = 39, .first_two = 33, .first_single = 46};
constexpr Costs kNear{.two = 17.5, .single = 20, .first_two = 31, .first_single = 22};

TEST(LongWayJudge, CostsLittleMoreThanTheBetterWay) {
  constexpr double kNoise = 1.02 * 1.19;
  for (const Costs& costs : {kUntouched, kWritten, kNear}) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
      std::mt19937 random(seed);
      LongWayJudge judge(kSeldom, {kPoolMessages, kSettling});
      const double better = std::min(costs.two, costs.single);
      EXPECT_LT(run(judge, costs, 20000, random).mean_cost, 1.04 * kNoise * better) << better << ", " << seed;
      const int single = run(judge, costs, 1000, random).single;
      EXPECT_NEAR(single, costs.single < costs.two ? 1000 : 0, 50) << better << ", " << seed;
    }
  }
}

TEST(LongWayJudge, FollowsAProgramThatChanges) {
  std::mt19937 random(7);
  LongWayJudge judge(kSeldom, {kPoolMessages, kSettling});
  for (int phase = 0; phase < 9; ++phase) {
    const Costs& costs = phase % 3 == 0 ? kWritten : phase % 3 == 1 ? kUntouched : kNear;
    // Trials may have become seldom, and two in a row must not be spoilt.
    run(judge, costs, 4 * kSeldom * kPoolMessages, random);
    EXPECT_NEAR(run(judge, costs, 100, random).single, phase % 3 == 1 ? 100 : 0, 20) << phase;
  }
}

// --- what crosses

constexpr std::uint64_t kBytes = 100000;
/// Of the size of a message: nothing has to settle.
constexpr std::uint64_t kPoolBytes = 65536;

/// Two ranks' counts of the messages between them.
struct Pair {
  Exchanges a{kSeldom, kPoolBytes};
  Exchanges b{kSeldom, kPoolBytes};

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
    const LongWay way = WaysBySize::way_in(judging.judged().ways(), bytes).value_or(kTwo);
    if (way == kTwo) {
      judging.note_written(bytes, written);
    }
    judging.observe(way, bytes, way == kTwo ? read : single);
  }
}

TEST(Exchanges, CompareOneCopyByTheKernelWithBothCopiesOfARank) {
  Exchanges dear(kSeldom, kPoolBytes);
  exchange(dear, kBytes, 400, 5000, 5000, 9900);
  EXPECT_EQ(dear.judged().changes(), 0U);
  EXPECT_EQ(dear.judged().trials(), 5U);
  Exchanges cheap(kSeldom, kPoolBytes);
  exchange(cheap, kBytes, 100, 5000, 5000, 9000);
  EXPECT_EQ(cheap.judged().changes(), 1U);
  EXPECT_EQ(WaysBySize::way_in(cheap.judged().ways(), kBytes), kSingle);
}

TEST(Exchanges, AreJudgedForEachSizeByItself) {
  Exchanges exchanges(kSeldom, kPoolBytes);
  exchange(exchanges, 65536, 80, 5000, 5000, 20000);
  exchange(exchanges, 131072, 80, 5000, 5000, 5000);
  EXPECT_EQ(WaysBySize::way_in(exchanges.judged().ways(), 65536), kTwo);
  EXPECT_EQ(WaysBySize::way_in(exchanges.judged().ways(), 131071), kTwo);
  EXPECT_EQ(WaysBySize::way_in(exchanges.judged().ways(), 131072), kSingle);
  EXPECT_FALSE(WaysBySize::way_in(exchanges.judged().ways(), 262144).has_value()) << "nothing of the kind was seen";
  exchanges.reset();
  EXPECT_FALSE(WaysBySize::way_in(exchanges.judged().ways(), 131072).has_value());
}

TEST(Exchanges, NeedMessagesOfBothRanksToBeJudged) {
  Exchanges exchanges(kSeldom, kPoolBytes);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(exchanges.observe(kTwo, kBytes, 1000));
  }
  EXPECT_EQ(exchanges.judged().trials(), 0U);
  EXPECT_EQ(exchanges.judged().ways(), 0U);
}

}  // namespace
}  // namespace postage::shm
