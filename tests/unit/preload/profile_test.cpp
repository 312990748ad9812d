#include "preload/statistics/summary.hpp"

#include <postage/base/json.hpp>

#include <gtest/gtest.h>

namespace postage::preload {
namespace {

const JobRank kJob{.rank = 0, .ranks = 2, .library = "openmpi"};

CallEvent collective(Entry entry, Bytes bytes, Seconds seconds, const char* algorithm = nullptr) {
  return {.entry = entry, .ranks = 4, .bytes = bytes, .began = 1, .ended = 1 + seconds, .algorithm = algorithm};
}

TEST(SizeClass, ReachesFromOnePowerOfTwoToTheNext) {
  EXPECT_EQ(SizeClass(0).text(), "0");
  EXPECT_EQ(SizeClass(1).text(), "1-2");
  EXPECT_EQ(SizeClass(1023).text(), "512-1K");
  EXPECT_EQ(SizeClass(1024).text(), "1K-2K");
  EXPECT_EQ(SizeClass((1 << 20) + 5).text(), "1M-2M");
}

TEST(Profile, CountsEachMessageOnceWhereItIsSent) {
  Profile profile;
  const std::uint64_t request = 77;
  profile.count({.entry = Entry::kSend, .peer = 1, .bytes = 100});
  profile.count({.entry = Entry::kSend, .peer = -1, .bytes = 100});  // to MPI_PROC_NULL
  profile.count({.entry = Entry::kRecv, .source = 1, .received_bytes = 100});
  profile.count({.entry = Entry::kSendrecv, .peer = 1, .source = 1, .bytes = 40'000, .received_bytes = 10});
  profile.count({.entry = Entry::kSend_init, .peer = 1, .bytes = 2 << 20, .requests = {&request, 1}});
  profile.count({.entry = Entry::kStart, .requests = {&request, 1}});
  profile.count({.entry = Entry::kStart, .requests = {&request, 1}});
  const auto shares = sizes_of_table_1(profile.counts().point_to_point);
  EXPECT_EQ(shares[0].messages, 1U);
  EXPECT_EQ(shares[1].messages, 0U);
  EXPECT_EQ(shares[2].messages, 1U);
  EXPECT_EQ(shares[3].messages, 2U);
}

TEST(Profile, CountsACollectivesMessagesToEachRank) {
  Profile profile;
  const std::vector<Bytes> sizes{0, 10, 2000, 2000};
  profile.count(collective(Entry::kAlltoall, 512, 1));
  profile.count(collective(Entry::kBcast, 512, 1));
  CallEvent uneven = collective(Entry::kAlltoallv, 4010, 1);
  uneven.bytes_by_rank = sizes;
  profile.count(uneven);
  const auto shares = sizes_of_table_1(profile.counts().collective);
  EXPECT_EQ(shares[0].messages, 3U + 1U + 1U);
  EXPECT_EQ(shares[1].messages, 2U);
}

Counts example() {
  Profile profile;
  for (int i = 0; i < 4; ++i) {
    profile.count(collective(Entry::kAllreduce, 8, 3e-6));
    profile.count(collective(Entry::kAllreduce, 8, 1e-6, "direct"));
    profile.count(collective(Entry::kBcast, 1 << 20, 1e-3, "direct"));
  }
  profile.count({.entry = Entry::kSend, .peer = 1, .bytes = 100, .began = 0, .ended = 1e-3});
  Counts counts = profile.counts();
  counts.program = 0.5;
  return counts;
}

TEST(Profile, ReadsBackWhatItWrote) {
  const Counts counts = example();
  EXPECT_EQ(text_of(counts_of(text_of(counts))), text_of(counts));
  EXPECT_EQ(counts_of(text_of(counts)).calls.size(), counts.calls.size());
}

TEST(Summary, SaysWhatWasGainedOnlyWhereTheLibrarysOwnWereTimedToo) {
  const Summary summary = summarise(kJob, 1, {example(), example()});
  ASSERT_EQ(summary.calls.size(), 3U);
  const CallSummary& bcast = summary.calls[0];
  EXPECT_EQ(bcast.entry, Entry::kBcast);
  EXPECT_FALSE(bcast.sizes.front().gained());
  const CallSummary& allreduce = summary.calls[1];
  EXPECT_EQ(allreduce.total().calls, 16U);
  EXPECT_EQ(allreduce.replaced(), 8U);
  EXPECT_NEAR(allreduce.sizes.front().gained().value(), 8 * 2e-6, 1e-9);
  EXPECT_NEAR(summary.communication, 4 * 4e-6 + 4e-3 + 1e-3, 1e-9);
}

TEST(Summary, IsPrintedAndWrittenWithTheSameNumbers) {
  const Summary summary = summarise(kJob, 1, {example(), example()});
  const std::string table = table_of(summary);
  EXPECT_NE(table.find("16 of 24 blocking collectives replaced"), std::string::npos) << table;
  EXPECT_NE(table.find("Allreduce"), std::string::npos);
  const Json json = Json::parse(json_of(summary));
  EXPECT_EQ(json["format"].text(), "postage profile");
  EXPECT_EQ(json["collectives"].size(), 2U);
  EXPECT_EQ(json["collectives"][1]["name"].text(), "allreduce");
  EXPECT_EQ(json["collectives"][1]["replaced"].integer(), 8);
  EXPECT_TRUE(json["collectives"][0]["sizes"][0]["gained_seconds"].is_null());
  EXPECT_EQ(json["other_calls"][0]["name"].text(), "send");
  EXPECT_EQ(json["messages"]["point_to_point"][0]["messages"].integer(), 2);
}

}  // namespace
}  // namespace postage::preload
