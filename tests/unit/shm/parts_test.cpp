#include "shm/chunk_pool.hpp"
#include "shm/mapping.hpp"
#include "shm/past_caches.hpp"
#include "shm/places.hpp"
#include "shm/remote_copy.hpp"
#include "shm/skew.hpp"
#include "support/ranks.hpp"

#include <postage/base/error.hpp>
#include <postage/shm/endpoint.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace postage::shm {
namespace {

// --- remote copies, with system calls that move as little as they like

std::mt19937 short_random(1);
int calls_before_failure = 0;

/// Moves at least one byte, and at most what was asked for.
ssize_t short_call(pid_t, const iovec* local, unsigned long local_count, const iovec* remote,
                   unsigned long remote_count, unsigned long) {
  std::size_t asked = 0;
  for (unsigned long i = 0; i < local_count; ++i) {
    asked += local[i].iov_len;
  }
  std::size_t there = 0;
  for (unsigned long i = 0; i < remote_count; ++i) {
    there += remote[i].iov_len;
  }
  const std::size_t bytes = 1 + short_random() % std::min(asked, there);
  std::size_t l = 0;
  std::size_t l_at = 0;
  std::size_t r = 0;
  std::size_t r_at = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    for (; l_at == local[l].iov_len; ++l, l_at = 0) {
    }
    for (; r_at == remote[r].iov_len; ++r, r_at = 0) {
    }
    static_cast<std::byte*>(local[l].iov_base)[l_at++] = static_cast<const std::byte*>(remote[r].iov_base)[r_at++];
  }
  return static_cast<ssize_t>(bytes);
}

ssize_t failing_call(pid_t process, const iovec* local, unsigned long local_count, const iovec* remote,
                     unsigned long remote_count, unsigned long flags) {
  if (calls_before_failure-- > 0) {
    return short_call(process, local, local_count, remote, remote_count, flags);
  }
  errno = EPERM;
  return -1;
}

ssize_t interrupted_call(pid_t process, const iovec* local, unsigned long local_count, const iovec* remote,
                         unsigned long remote_count, unsigned long flags) {
  if (short_random() % 2 == 0) {
    errno = EINTR;
    return -1;
  }
  return short_call(process, local, local_count, remote, remote_count, flags);
}

ssize_t call_that_moves_nothing(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long) {
  return 0;
}

std::vector<std::byte> numbers(std::size_t count) {
  std::vector<std::byte> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = static_cast<std::byte>(i * 7 + i / 256);
  }
  return all;
}

Buffer whole(std::vector<std::byte>& bytes) {
  return Buffer::of(ConstStridedBytes(bytes));
}

TEST(RemoteCopy, GoesOnAfterShortAndInterruptedCalls) {
  std::vector<std::byte> there = numbers(10000);
  for (const RemoteCall call : {short_call, interrupted_call}) {
    std::vector<std::byte> here(10000);
    EXPECT_EQ(copy_remote(call, 0, whole(here), whole(there).as_remote(), 0, 10000), 0);
    EXPECT_EQ(here, there);
  }
}

TEST(RemoteCopy, MovesOnlyThePartAskedFor) {
  std::vector<std::byte> there = numbers(1000);
  std::vector<std::byte> here(1000);
  EXPECT_EQ(copy_remote(short_call, 0, whole(here), whole(there).as_remote(), 100, 50), 0);
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(here[i], i >= 100 && i < 150 ? there[i] : std::byte{0}) << i;
  }
}

/// More blocks than one call takes, of different lengths on the two sides.
TEST(RemoteCopy, JoinsStridesOfTwoKinds) {
  constexpr Bytes kBytes = 6000;
  std::vector<std::byte> there = numbers(3 * kBytes);
  std::vector<std::byte> here(2 * kBytes);
  const Buffer from = Buffer::of(ConstStridedBytes(there.data(), 5, 15, kBytes / 5));
  const Buffer to = Buffer::of(ConstStridedBytes(here.data(), 12, 24, kBytes / 12));
  EXPECT_EQ(copy_remote(short_call, 0, to, from.as_remote(), 0, kBytes), 0);
  for (std::size_t i = 0; i < kBytes; ++i) {
    ASSERT_EQ(here[i / 12 * 24 + i % 12], there[i / 5 * 15 + i % 5]) << i;
  }
}

TEST(RemoteCopy, ReportsWhatTheKernelSays) {
  std::vector<std::byte> there = numbers(10000);
  std::vector<std::byte> here(10000);
  calls_before_failure = 1;
  EXPECT_EQ(copy_remote(failing_call, 0, whole(here), whole(there).as_remote(), 0, 10000), EPERM);
  EXPECT_EQ(copy_remote(call_that_moves_nothing, 0, whole(here), whole(there).as_remote(), 0, 10000), EFAULT);
}

TEST(RemoteCopy, KnowsAProcessByItsToken) {
  static const std::uint64_t token = 0x1234567890abcdef;
  const auto address = reinterpret_cast<std::uintptr_t>(&token);
  EXPECT_EQ(read_token(getpid(), address, token), 0);
  EXPECT_EQ(read_token(getpid(), address, token + 1), EPERM) << "another process behind the same number";
  EXPECT_EQ(read_token(getpid(), 8, token), EFAULT) << "no memory there";
}

// --- the judgement of skew

TEST(SkewJudge, NeedsARunOfLongQueues) {
  SkewJudge judge;
  for (std::uint32_t i = 0; i + 1 < SkewJudge::kRaiseAfter; ++i) {
    EXPECT_FALSE(judge.observe(SkewJudge::kLongQueue));
  }
  EXPECT_FALSE(judge.observe(SkewJudge::kLongQueue - 1)) << "one short queue breaks the run";
  for (std::uint32_t i = 0; i + 1 < SkewJudge::kRaiseAfter; ++i) {
    EXPECT_FALSE(judge.observe(100));
  }
  EXPECT_TRUE(judge.observe(100));
  EXPECT_TRUE(judge.skewed());
  EXPECT_EQ(judge.raised(), 1U);
}

TEST(SkewJudge, GoesBackOnlyAfterALongerRunOfShorterQueues) {
  SkewJudge judge;
  for (std::uint32_t i = 0; i < SkewJudge::kRaiseAfter; ++i) {
    static_cast<void>(judge.observe(10));
  }
  ASSERT_TRUE(judge.skewed());
  for (std::uint32_t i = 0; i < 10 * SkewJudge::kRestoreAfter; ++i) {
    EXPECT_FALSE(judge.observe(SkewJudge::kShortQueue + 1)) << "between the marks nothing changes";
  }
  for (std::uint32_t i = 0; i + 1 < SkewJudge::kRestoreAfter; ++i) {
    EXPECT_FALSE(judge.observe(0));
  }
  EXPECT_TRUE(judge.observe(SkewJudge::kShortQueue));
  EXPECT_FALSE(judge.skewed());
  EXPECT_EQ(judge.restored(), 1U);
}

// --- places

PuSet set_of(std::initializer_list<std::size_t> pus) {
  PuSet set{};
  for (const std::size_t pu : pus) {
    set[pu / 64] |= std::uint64_t{1} << (pu % 64);
  }
  return set;
}

TEST(Places, GiveTheDistanceOfBoundRanksAndTheFarthestOfOthers) {
  // Two sockets of two caches of two cores each.
  std::vector<PuPlace> places(kMostPus);
  for (std::int16_t pu = 0; pu < 8; ++pu) {
    places[static_cast<std::size_t>(pu)] = {static_cast<std::int16_t>(pu / 4), static_cast<std::int16_t>(pu / 2)};
  }
  EXPECT_EQ(farthest_distance(places, set_of({0}), set_of({1})), LocalityLevel::kSameCache);
  EXPECT_EQ(farthest_distance(places, set_of({0}), set_of({2})), LocalityLevel::kSameSocket);
  EXPECT_EQ(farthest_distance(places, set_of({3}), set_of({4})), LocalityLevel::kOtherSocket);
  EXPECT_EQ(farthest_distance(places, set_of({0, 1}), set_of({0, 1})), LocalityLevel::kSameCache);
  EXPECT_EQ(farthest_distance(places, set_of({0, 3}), set_of({1})), LocalityLevel::kSameSocket);
  EXPECT_EQ(farthest_distance(places, set_of({0, 7}), set_of({0, 7})), LocalityLevel::kOtherSocket);
}

TEST(Places, CountThreadsOfAllRanks) {
  PuSet all = set_of({0, 70});
  add(all, set_of({0, 1}));
  EXPECT_EQ(count(all), 3);
  EXPECT_GE(count(allowed_pus()), 1);
}

// --- past the caches

TEST(PastCaches, CopiesBytesAndNothingBesideThem) {
  std::mt19937 random(3);
  std::vector<std::byte> from(4000);
  std::generate(from.begin(), from.end(), [&] { return static_cast<std::byte>(random() % 255); });
  constexpr std::byte kUntouched{255};
  for (int round = 0; round < 3000; ++round) {
    const std::size_t bytes = random() % (round % 3 == 0 ? 5 : 2500);
    const std::size_t source = random() % (from.size() - bytes);
    const std::size_t target = random() % (from.size() - bytes);
    std::vector<std::byte> expected(from.size(), kUntouched);
    std::copy_n(from.data() + source, bytes, expected.data() + target);
    for (const auto& copy : {copy_past_caches, copy_by_blocks, copy_bytes}) {
      std::vector<std::byte> to(from.size(), kUntouched);
      copy(to.data() + target, from.data() + source, bytes);
      ASSERT_EQ(to, expected) << bytes << " bytes from " << source << " to " << target;
    }
  }
}

constexpr CopyCost kPastCaches{.fixed = 100, .per_byte = 0.1};
constexpr std::uint64_t kPiece = 9000;  // takes 1000 ticks past the caches

void observe_through_caches(WriteJudge& judge, Ticks took) {
  ASSERT_FALSE(judge.next_past_caches());
  judge.observe(false, kPiece, took);
}

WriteJudge far_judge() {
  WriteJudge judge(kPastCaches);
  for (std::uint32_t i = 0; i < WriteJudge::kChangeAfter; ++i) {
    observe_through_caches(judge, 9000);
  }
  return judge;
}

/// Copies past the caches before the next trial.
std::uint32_t copies_until_trial(WriteJudge& judge) {
  std::uint32_t copies = 0;
  for (; judge.next_past_caches() && copies < 1000000; ++copies) {
    judge.observe(true, kPiece, 1000);
  }
  return copies;
}

TEST(WriteJudge, WritesPastTheCachesAfterARunOfSlowCopies) {
  WriteJudge judge(kPastCaches);
  for (int round = 0; round < 10; ++round) {
    for (std::uint32_t i = 1; i < WriteJudge::kChangeAfter; ++i) {
      observe_through_caches(judge, 3001);
    }
    observe_through_caches(judge, 2999);
    EXPECT_FALSE(judge.far());
  }
  EXPECT_TRUE(far_judge().far());
  EXPECT_TRUE(far_judge().next_past_caches());
}

TEST(WriteJudge, TriesTheCachesSeldomWhileThatIsSlow) {
  WriteJudge judge = far_judge();
  for (std::uint32_t expected = WriteJudge::kFirstTrial; expected < WriteJudge::kSeldomTrial; expected *= 2) {
    EXPECT_EQ(copies_until_trial(judge), expected);
    observe_through_caches(judge, 9000);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(copies_until_trial(judge), WriteJudge::kSeldomTrial);
    observe_through_caches(judge, 9000);
  }
}

TEST(WriteJudge, GoesBackAfterARunOfQuickTrials) {
  WriteJudge judge = far_judge();
  EXPECT_EQ(copies_until_trial(judge), WriteJudge::kFirstTrial);
  for (std::uint32_t i = 1; i < WriteJudge::kChangeAfter; ++i) {
    observe_through_caches(judge, 900);
  }
  observe_through_caches(judge, 9000);
  EXPECT_TRUE(judge.far());
  EXPECT_GT(copies_until_trial(judge), 0U);
  for (std::uint32_t i = 0; i < WriteJudge::kChangeAfter; ++i) {
    EXPECT_TRUE(judge.far());
    observe_through_caches(judge, 900);
  }
  EXPECT_FALSE(judge.far());
}

/// Copies through the caches before the next one past them.
std::uint32_t copies_until_look(WriteJudge& judge, Ticks took) {
  std::uint32_t copies = 0;
  for (; !judge.far() && !judge.next_past_caches() && copies < 1000000; ++copies) {
    judge.observe(false, kPiece, took);
  }
  return copies;
}

TEST(WriteJudge, LooksSeldomAtWhatTheOtherWayTakesWhereThePeerIsNear) {
  WriteJudge judge(kPastCaches);
  for (std::uint32_t expected = WriteJudge::kFirstTrial; expected < WriteJudge::kSeldomTrial; expected *= 2) {
    EXPECT_EQ(copies_until_look(judge, 900), expected);
    judge.observe(true, kPiece, 1000);
  }
  EXPECT_EQ(copies_until_look(judge, 900), WriteJudge::kSeldomTrial);
  // A look in the middle of a run does not end it.
  judge.observe(false, kPiece, 9000);
  judge.observe(true, kPiece, 1000);
  EXPECT_FALSE(judge.next_past_caches());
  for (std::uint32_t i = 1; i < WriteJudge::kChangeAfter; ++i) {
    EXPECT_FALSE(judge.far());
    observe_through_caches(judge, 9000);
  }
  EXPECT_TRUE(judge.far());
}

TEST(WriteJudge, FindsOutThatACopyPastTheCachesTakesLessThanAtFirst) {
  WriteJudge judge({.fixed = 1000, .per_byte = 1});
  std::uint32_t copies = 0;
  while (!judge.far() && copies < 1000) {
    copies += copies_until_look(judge, 9000);
    if (!judge.far()) {
      judge.observe(true, kPiece, 1000);
    }
  }
  EXPECT_LE(copies, 3 * WriteJudge::kFirstTrial + WriteJudge::kChangeAfter);
  EXPECT_EQ(copies_until_trial(judge), WriteJudge::kFirstTrial);
}

TEST(WriteJudge, IsNotMisledByOneCopyThatWasInterrupted) {
  WriteJudge judge = far_judge();
  judge.observe(true, kPiece, 1000000);
  copies_until_trial(judge);
  observe_through_caches(judge, 9000);
  EXPECT_TRUE(judge.far());
  EXPECT_EQ(copies_until_trial(judge), 2 * WriteJudge::kFirstTrial);
}

TEST(WriteJudge, KeepsToWhatWasDecided) {
  for (const bool far : {true, false}) {
    WriteJudge judge = WriteJudge::decided(far);
    for (std::uint32_t i = 0; i < 2 * WriteJudge::kSeldomTrial; ++i) {
      ASSERT_EQ(judge.far(), far);
      ASSERT_EQ(judge.next_past_caches(), far);
      judge.observe(far, kPiece, 1000000);
    }
  }
}

// --- chunks

TEST(ChunkPool, GivesEachChunkOnceUntilItComesBack) {
  SegmentOptions options;
  options.chunk_bytes = 4096;
  options.pool_bytes = 16 * 4096;
  const Mapping mapping(SegmentShape::of(2, options), options);
  ChunkPool pool(mapping.layout(), 1, 1024);
  std::vector<bool> taken(16, false);
  std::uint32_t chunk = 0;
  for (int i = 0; i < 16; ++i) {
    ASSERT_TRUE(pool.take(chunk));
    ASSERT_FALSE(taken.at(chunk));
    taken[chunk] = true;
  }
  EXPECT_FALSE(pool.take(chunk));
  EXPECT_FALSE(pool.has(1));
  give_back_chunk(mapping.layout(), 1, 5);
  EXPECT_TRUE(pool.has(1));
  ASSERT_TRUE(pool.take(chunk));
  EXPECT_EQ(chunk, 5U);
  EXPECT_FALSE(pool.take(chunk));
}

TEST(ChunkPool, TakesWhatWasUsedLongestAgo) {
  SegmentOptions options;
  options.chunk_bytes = 4096;
  options.pool_bytes = 8 * 4096;
  const Mapping mapping(SegmentShape::of(2, options), options);
  ChunkPool pool(mapping.layout(), 0, 1024);
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t expected = 0; expected < 8; ++expected) {
      std::uint32_t chunk = 99;
      ASSERT_TRUE(pool.take(chunk));
      EXPECT_EQ(chunk, expected);
      give_back_chunk(mapping.layout(), 0, chunk);
    }
  }
}

/// A pool of the usual shape, whose chunks are written at made-up costs and come back at once.
class UsualPool : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kChunk = 16384;
  static constexpr std::uint32_t kFew = ChunkPool::kFewBytes / kChunk;

  /// Ticks for a chunk that was used among the last `kFew`, or before.
  void write(int chunks, Ticks lately, Ticks rested) {
    for (int i = 0; i < chunks; ++i) {
      std::uint32_t chunk = 0;
      ASSERT_TRUE(pool_.take(chunk));
      const bool is_lately = writes_ - last_.at(chunk) <= kFew;
      last_.at(chunk) = ++writes_;
      pool_.note_written(kChunk, is_lately ? lately : rested);
      give_back_chunk(mapping_.layout(), 0, chunk);
    }
  }

  /// Chunks that the next writes use.
  std::set<std::uint32_t> used_in(int chunks) {
    std::set<std::uint32_t> used;
    for (int i = 0; i < chunks; ++i) {
      std::uint32_t chunk = 0;
      EXPECT_TRUE(pool_.take(chunk));
      used.insert(chunk);
      give_back_chunk(mapping_.layout(), 0, chunk);
    }
    return used;
  }

  Mapping mapping_{SegmentShape::of(2, {}), {}};
  ChunkPool pool_{mapping_.layout(), 0, 1024};
  std::map<std::uint32_t, std::uint64_t> last_ = [] {
    std::map<std::uint32_t, std::uint64_t> never;
    for (std::uint32_t chunk = 0; chunk < 256; ++chunk) {
      never[chunk] = 0;
    }
    return never;
  }();
  std::uint64_t writes_ = 1000;
};

TEST_F(UsualPool, GoesAroundAllOfItWhereRestedChunksAreWrittenFaster) {
  EXPECT_EQ(pool_.size(), 256U);
  write(20000, 3000, 1000);
  EXPECT_EQ(pool_.part(), PoolPart::kWhole);
  EXPECT_EQ(used_in(256).size(), 256U);
}

TEST_F(UsualPool, GoesAroundAFewWhereTheseAreWrittenFaster) {
  write(2000, 3000, 5000);
  EXPECT_EQ(pool_.part(), PoolPart::kFew);
  EXPECT_EQ(used_in(256).size(), kFew);
  // The machine changes.
  write(20000, 3000, 1000);
  EXPECT_EQ(pool_.part(), PoolPart::kWhole);
}

TEST_F(UsualPool, TakesAFewThatHaveComeBackInPlaceOfOthers) {
  write(2000, 3000, 5000);
  std::vector<std::uint32_t> taken(2 * kFew);
  for (std::uint32_t& chunk : taken) {
    ASSERT_TRUE(pool_.take(chunk));
  }
  const std::uint32_t other = taken.back();
  EXPECT_GE(other, kFew) << "there are no more of the few";
  EXPECT_EQ(pool_.rather_than(other), other);
  give_back_chunk(mapping_.layout(), 0, taken[0]);
  EXPECT_EQ(pool_.rather_than(taken[1]), taken[1]) << "it is one of them";
  std::uint32_t rather = other;
  for (std::uint32_t i = 0; i < kFew && rather == other; ++i) {
    rather = pool_.rather_than(other);  // looks at one of those that are out each time
  }
  EXPECT_EQ(rather, taken[0]);
  EXPECT_EQ(pool_.rather_than(taken[kFew]), taken[kFew]) << "none has come back";
  // What was given up can be taken, and all others are out once.
  std::set<std::uint32_t> rest;
  for (std::uint32_t chunk = 0; pool_.take(chunk);) {
    EXPECT_TRUE(rest.insert(chunk).second);
  }
  EXPECT_EQ(rest.size(), 256U - 2 * kFew + 1);
  EXPECT_TRUE(rest.contains(other));
}

TEST_F(UsualPool, LooksAtAllThatAreOutInTurn) {
  write(2000, 3000, 5000);
  std::uint32_t first = 0;
  std::uint32_t chunk = 0;
  ASSERT_TRUE(pool_.take(first));
  for (std::uint32_t i = 1; i < kFew; ++i) {
    ASSERT_TRUE(pool_.take(chunk));
  }
  // The first one is kept by somebody; the last one comes back.
  give_back_chunk(mapping_.layout(), 0, chunk);
  std::uint32_t got = 256;
  for (std::uint32_t i = 0; i < kFew && got != chunk; ++i) {
    ASSERT_TRUE(pool_.take(got));
  }
  EXPECT_EQ(got, chunk);
}

TEST_F(UsualPool, IsNotJudgedByShortPieces) {
  // Messages that fill no chunk say little.
  for (int i = 0; i < 20000; ++i) {
    pool_.note_written(kChunk / 2 - 1, pool_.part() == PoolPart::kWhole ? 5000 : 1000);
  }
  EXPECT_EQ(pool_.part(), PoolPart::kWhole);
}

// --- thresholds

TEST(Thresholds, BeginAtThePapersAndRefuseWhatCannotBe) {
  ThresholdTable table;
  EXPECT_EQ(table.of(LocalityLevel::kSameCache).single_copy, 32768);
  EXPECT_EQ(table.of(LocalityLevel::kSameSocket).single_copy, 2048);
  EXPECT_EQ(table.of(LocalityLevel::kOtherSocket).single_copy, 1024);
  EXPECT_THROW(table.set(LocalityLevel::kSameCache, {-1, 2, 3, 4}), UsageError);
  EXPECT_THROW(table.set(LocalityLevel::kSameCache, {1, 4, 3, 4}), UsageError);
  EXPECT_THROW(table.set(LocalityLevel::kSameCache, {1, 4, 5, 3}), UsageError);
  const ProtocolThresholds good{1, 2, 3, 4};
  table.set(LocalityLevel::kSameSocket, good);
  EXPECT_EQ(table.of(LocalityLevel::kSameSocket), good);
}

TEST(Thresholds, ComeFromAPlatformForTheClassesThatItHas) {
  const ProtocolThresholds measured{100, 200, 300, 400};
  Platform platform;
  platform.channel_thresholds = {{kIntraSocket, measured}};
  const ThresholdTable table = ThresholdTable::of_platform(platform);
  EXPECT_EQ(table.of(LocalityLevel::kSameSocket), measured);
  EXPECT_EQ(table.of(LocalityLevel::kSameCache), ThresholdTable().of(LocalityLevel::kSameCache));
  platform.channel_thresholds = {{"telepathy", measured}};
  EXPECT_THROW(static_cast<void>(ThresholdTable::of_platform(platform)), Error);
}

TEST(Thresholds, ComeFromTheFileThatTheEnvironmentNames) {
  const std::string path = ::testing::TempDir() + "postage-thresholds.json";
  Platform platform;
  for (const LocalityLevel distance : kLocalityLevels) {
    platform.channel_thresholds.push_back({name_of(distance), {100, 200, 300, 400}});
  }
  write_platform(path, platform);
  setenv("POSTAGE_PLATFORM", path.c_str(), 1);
  EXPECT_EQ(ShmEndpoint(ShmSegment::create(1), 0).size(), 1);
  const auto work = [](ShmEndpoint& channel) {
    test::require(channel.connection(1 - channel.rank()).thresholds == ProtocolThresholds{100, 200, 300, 400}, "taken");
  };
  EXPECT_EQ(test::run_on_channel(2, work), test::all_fine(2));
  unlink(path.c_str());
  EXPECT_THROW(ShmEndpoint(ShmSegment::create(1), 0), Error);
  unsetenv("POSTAGE_PLATFORM");
  EXPECT_EQ(ThresholdTable::of_environment(), ThresholdTable());
}

}  // namespace
}  // namespace postage::shm
