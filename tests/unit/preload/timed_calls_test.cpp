#include "preload/statistics/timed_calls.hpp"

#include <gtest/gtest.h>

#include <array>

namespace postage::preload {
namespace {

constexpr std::array<std::int32_t, 2> kOneNode{0, 0};

CallEvent timed(Entry entry, Bytes bytes, Seconds began, Seconds ended, const char* algorithm = nullptr) {
  return {.entry = entry,
          .ranks = 2,
          .bytes = bytes,
          .began = began,
          .ended = ended,
          .algorithm = algorithm,
          .common_number = 7};
}

const std::vector<CallTime>& times_of(const CallTimes& times, Entry entry, Bytes bytes) {
  return times.at({entry, SizeClass(bytes).number()});
}

TEST(TimedCalls, TakeFromTheLastEntryToTheLastExit) {
  std::array<TimedCalls, 2> ranks;
  // The second rank is late, for which the first one waits.
  ranks[0].note(timed(Entry::kAllreduce, 8, 1.0, 3.5));
  ranks[1].note(timed(Entry::kAllreduce, 8, 3.0, 3.25));
  const std::array series{ranks[0].series(), ranks[1].series()};
  const std::vector<CallTime> times = times_of(call_times(series, kOneNode), Entry::kAllreduce, 8);
  ASSERT_EQ(times.size(), 1U);
  EXPECT_EQ(times[0].calls, 2U);
  ASSERT_EQ(times[0].seconds.size(), 1U);
  EXPECT_NEAR(times[0].seconds[0], 0.5, 1e-9);
}

TEST(TimedCalls, AreToldApartByWhatCarriedThemOut) {
  TimedCalls rank;
  CallEvent probe = timed(Entry::kBcast, 8, 0, 1, "slots");
  probe.probe = Probe::kCounted;
  rank.note(probe);
  rank.note(timed(Entry::kBcast, 8, 0, 2, "slots"));
  rank.note(timed(Entry::kBcast, 8, 0, 3));
  const std::array series{rank.series(), rank.series()};
  EXPECT_EQ(times_of(call_times(series, kOneNode), Entry::kBcast, 8).size(), 3U);
}

TEST(TimedCalls, OfManyTheSameAreKeptOnAllRanks) {
  constexpr int kCalls = 5000;
  std::array<TimedCalls, 2> ranks;
  for (int call = 0; call < kCalls; ++call) {
    ranks[0].note(timed(Entry::kAllreduce, 8, call, call + 0.5));
    ranks[1].note(timed(Entry::kAllreduce, 8, call + 0.25, call + 0.5));
  }
  const std::array series{ranks[0].series(), ranks[1].series()};
  EXPECT_LE(series[0].begin()->second.kept.size(), TimedCalls::kMostKept);
  const std::vector<CallTime> times = times_of(call_times(series, kOneNode), Entry::kAllreduce, 8);
  EXPECT_EQ(times[0].calls, 2U * kCalls);
  EXPECT_GE(times[0].seconds.size(), TimedCalls::kMostKept / 2);
  for (const Seconds seconds : times[0].seconds) {
    EXPECT_NEAR(seconds, 0.25, 1e-6);
  }
}

TEST(TimedCalls, OfVariantsCountByTheFirstRanksSize) {
  std::array<TimedCalls, 2> ranks;
  for (int call = 0; call < 3; ++call) {
    ranks[0].note(timed(Entry::kAlltoallv, 100, call, call + 0.5));
    ranks[1].note(timed(Entry::kAlltoallv, 1000 << call, call, call + 0.5));
  }
  const std::array series{ranks[0].series(), ranks[1].series()};
  const CallTimes times = call_times(series, kOneNode);
  ASSERT_EQ(times.size(), 1U);
  EXPECT_EQ(times_of(times, Entry::kAlltoallv, 100)[0].calls, 6U);
  EXPECT_EQ(times_of(times, Entry::kAlltoallv, 100)[0].seconds.size(), 3U);
}

TEST(TimedCalls, HaveNoTimeAcrossNodesNorWithoutACommonNumber) {
  TimedCalls rank;
  rank.note(timed(Entry::kBcast, 8, 0, 1));
  const std::array series{rank.series(), rank.series()};
  EXPECT_TRUE(call_times(series, std::array{0, 1}).empty());
  TimedCalls early;
  CallEvent event = timed(Entry::kBcast, 8, 0, 1);
  event.common_number = 0;
  early.note(event);
  EXPECT_TRUE(early.series().empty());
}

TEST(TimedCalls, AreReadBackAsTheyWereWritten) {
  TimedCalls rank;
  for (int call = 0; call < 300; ++call) {
    rank.note(timed(Entry::kAlltoallv, 10 << call % 3, call, call + 0.5, call % 2 == 0 ? "direct" : nullptr));
  }
  const TimedSeriesByKey series = rank.series();
  EXPECT_EQ(text_of(timed_series_of(text_of(series))), text_of(series));
  EXPECT_EQ(timed_series_of(text_of(series)).begin()->second.calls, series.begin()->second.calls);
}

}  // namespace
}  // namespace postage::preload
