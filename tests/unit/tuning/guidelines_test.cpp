#include <postage/tuning/guidelines.hpp>
#include <postage/tuning/implementation.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace postage {
namespace {

constexpr Bytes kLargest = 1 << 20;

const GuidelineCheck& find(const std::vector<GuidelineCheck>& checks, std::string_view guideline, Bytes bytes) {
  const auto found = std::find_if(checks.begin(), checks.end(), [&](const GuidelineCheck& check) {
    return check.guideline == guideline && check.bounded.bytes == bytes;
  });
  EXPECT_NE(found, checks.end()) << guideline << " " << bytes;
  return *found;
}

TEST(Guidelines, BoundsHaveTheSizesThatDoTheSame) {
  const std::vector<GuidelineCheck> checks = guideline_checks(6, {8, 1000}, kLargest);
  // One rank's 1000 bytes gathered from 6 ranks are a vector of 6000.
  EXPECT_EQ(find(checks, "allgather(n) <= gather(n) + bcast(n P)", 1000).bound,
            (std::vector<TimedCall>{{Collective::kGather, 1000}, {Collective::kBcast, 6000}}));
  // 1000/6 bytes are 21 doubles of 8 bytes: 168.
  EXPECT_EQ(find(checks, "bcast(n) <= scatter(n/P) + allgather(n/P)", 1000).bound,
            (std::vector<TimedCall>{{Collective::kScatter, 168}, {Collective::kAllgather, 168}}));
  // A vector for six parts of whole doubles has at least 1008 bytes.
  EXPECT_EQ(find(checks, "allreduce(n) <= reduce_scatter(n) + allgather(n/P)", 1000).bound,
            (std::vector<TimedCall>{{Collective::kReduceScatter, 1008}, {Collective::kAllgather, 168}}));
  EXPECT_EQ(find(checks, "barrier(n) <= allreduce(n)", 0).bound, (std::vector<TimedCall>{{Collective::kAllreduce, 8}}));
}

TEST(Guidelines, OneMessageIsNoSlowerThanItsParts) {
  const std::vector<GuidelineCheck> checks = guideline_checks(2, {8, 100}, kLargest);
  const GuidelineCheck& parts = find(checks, "bcast(k n) <= k bcast(n)", 104);
  EXPECT_EQ(parts.times, 13);
  EXPECT_EQ(parts.bound, (std::vector<TimedCall>{{Collective::kBcast, 8}}));
  EXPECT_EQ(find(checks, "bcast(n) <= bcast(larger n)", 8).bound, (std::vector<TimedCall>{{Collective::kBcast, 104}}));
}

TEST(Guidelines, CallsThatAreTooLargeAreLeftOut) {
  for (const GuidelineCheck& check : guideline_checks(64, {8, kLargest / 2, kLargest}, kLargest)) {
    for (const TimedCall& call : check.bound) {
      EXPECT_LE(call.bytes, kLargest);
    }
  }
}

TEST(Guidelines, EachCallIsMadeOnce) {
  const std::vector<CollectiveRun> runs = calls_of(guideline_checks(4, {8, 64}, kLargest));
  for (const CollectiveRun& run : runs) {
    EXPECT_TRUE(run.is_library());
    EXPECT_EQ(std::count_if(runs.begin(), runs.end(),
                            [&](const CollectiveRun& other) {
                              return other.collective == run.collective && other.bytes == run.bytes;
                            }),
              1);
  }
}

Measurement timed(Collective collective, Bytes bytes, const std::vector<double>& by_pass) {
  Measurement measurement{.experiment = {.kind = ExperimentKind::kCollective,
                                         .bytes = bytes,
                                         .collective = std::string(name_of(collective)),
                                         .algorithm = std::string(kLibraryAlgorithm)}};
  for (const double seconds : by_pass) {
    measurement.passes.push_back({seconds, seconds, seconds});
  }
  measurement.summary = summarise(measurement.passes, 0.95);
  return measurement;
}

std::vector<GuidelineCheck> allreduce_check() {
  return {{.guideline = "allreduce(n) <= reduce(n) + bcast(n)",
           .bounded = {Collective::kAllreduce, 64},
           .bound = {{Collective::kReduce, 64}, {Collective::kBcast, 64}}}};
}

/// The machine is twice as slow in half of the passes: the factor is not.
TEST(Guidelines, TimesAreComparedWithinPasses) {
  SampleSet samples;
  samples.measurements = {timed(Collective::kAllreduce, 64, {5, 10, 5, 10, 5, 10}),
                          timed(Collective::kReduce, 64, {3, 6, 3, 6, 3, 6}),
                          timed(Collective::kBcast, 64, {1, 2, 1, 2, 1, 2})};
  const auto checks = allreduce_check();
  const std::vector<GuidelineResult> results = judge(checks, samples, 0.05);
  ASSERT_EQ(results.size(), 1);
  EXPECT_DOUBLE_EQ(results[0].factor, 1.25);
  EXPECT_DOUBLE_EQ(results[0].interval.lower, 1.25);
  EXPECT_TRUE(results[0].violated);
  EXPECT_FALSE(judge(checks, samples, 0.3)[0].violated);
}

TEST(Guidelines, WhatScattersBeyondTheBoundIsNoViolation) {
  SampleSet samples;
  samples.measurements = {timed(Collective::kAllreduce, 64, {5, 5, 5, 3.9, 5, 5}),
                          timed(Collective::kReduce, 64, {3, 3, 3, 3, 3, 3}),
                          timed(Collective::kBcast, 64, {1, 1, 1, 1, 1, 1})};
  const auto checks = allreduce_check();
  const std::vector<GuidelineResult> results = judge(checks, samples, 0.05);
  EXPECT_DOUBLE_EQ(results[0].interval.lower, 0.975);
  EXPECT_FALSE(results[0].violated);
}

TEST(Guidelines, AreNotJudgedWithoutAllTimes) {
  SampleSet samples;
  samples.measurements = {timed(Collective::kAllreduce, 64, {5, 5}), timed(Collective::kReduce, 64, {3, 3})};
  EXPECT_TRUE(judge(allreduce_check(), samples, 0.05).empty());
}

TEST(Guidelines, RemediesAreTheLibrarysOwn) {
  const std::vector<GuidelineCheck> checks = guideline_checks(4, {8, 1024}, kLargest);
  EXPECT_EQ(
      remedy_for(find(checks, "bcast(n) <= scatter(n/P) + allgather(n/P)", 1024), TuningTarget::kOpenMpi, {4, 1, 4}, 4),
      "algorithm 9 (scatter_allgather_ring)");
  EXPECT_EQ(
      remedy_for(find(checks, "allreduce(n) <= reduce(n) + bcast(n)", 1024), TuningTarget::kOpenMpi, {4, 1, 4}, 4),
      "reduce of 1K, then bcast of 1K");
  EXPECT_EQ(remedy_for(find(checks, "bcast(n) <= bcast(larger n)", 8), TuningTarget::kMpich, {4, 0, 2}, 4),
            "the algorithm that is used at 1K");
}

TEST(Implementation, IsReadFromWhatTheLibrarySays) {
  EXPECT_EQ(library_of("Open MPI v4.1.4")->version, (LibraryVersion{4, 1, 4}));
  EXPECT_EQ(library_of("MPICH Version: 4.0.2")->target, TuningTarget::kMpich);
  EXPECT_EQ(library_of("Intel(R) MPI Library 2021.10 for Linux* OS")->version, (LibraryVersion{2021, 10, 0}));
  EXPECT_FALSE(library_of("shared memory"));
}

}  // namespace
}  // namespace postage
