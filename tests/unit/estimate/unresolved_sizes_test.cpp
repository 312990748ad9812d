#include "unit/estimate/synthetic.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/estimate/estimate.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace postage {
namespace {

constexpr Bytes kBetween = 12000;

/// A simulation of roundtrips of powers of two, and of messages of 12,000 bytes that only empty ones answered, which
/// took so many times what lies on the line between.
SampleSet answered_by_empty_messages(double times_the_line) {
  std::vector<Bytes> sizes = powers_of_two();
  sizes.insert(sizes.begin(), 0);
  SampleSet samples =
      measure({.model = "loggp", .parameters = "L=5us,o=1us,g=2us,G=1ns"}, {.roundtrips = sizes, .overheads = {8192}});
  samples.is_virtual = true;
  const std::size_t count = samples.measurements.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Measurement m = samples.measurements[i];
    const Experiment& e = m.experiment;
    if (e.kind != ExperimentKind::kRoundtrip || e.bytes != 0 || e.reply_bytes != 0) {
      continue;
    }
    Measurement answered = m;
    answered.experiment.bytes = kBetween;
    answered.summary.median = (m.summary.median + kBetween * 1e-9) * times_the_line;
    samples.measurements.push_back(answered);
  }
  return samples;
}

bool asks_for(const UnresolvedSizes& unresolved, Bytes bytes) {
  return std::find(unresolved.roundtrips.begin(), unresolved.roundtrips.end(), bytes) != unresolved.roundtrips.end();
}

// A line that begins between two sizes and ends at a threshold does not show in roundtrips of these sizes.
TEST(UnresolvedSizes, AreThoseThatTakeMoreOrLessThanBothTheirNeighboursSay) {
  EXPECT_TRUE(asks_for(unresolved_sizes(answered_by_empty_messages(1.05)), kBetween));
  EXPECT_TRUE(asks_for(unresolved_sizes(answered_by_empty_messages(0.95)), kBetween));
  EXPECT_FALSE(asks_for(unresolved_sizes(answered_by_empty_messages(1.002)), kBetween));
}

/// A simulation whose roundtrips of powers of two take what `change` makes of those on one line.
template <typename Change>
SampleSet roundtrips_that(const Change& change) {
  SampleSet samples = measure({.model = "loggp", .parameters = "L=5us,o=1us,g=2us,G=1ns"},
                              {.roundtrips = powers_of_two(), .overheads = {8192}});
  samples.is_virtual = true;
  for (Measurement& m : samples.measurements) {
    if (m.experiment.kind == ExperimentKind::kRoundtrip) {
      m.summary.median = change(m.experiment, m.summary.median);
    }
  }
  return samples;
}

// The first pair of each channel at one more size: the median over pairs of both kinds falls there.
TEST(UnresolvedSizes, AreNotWhereOnlyPairsOfOneKindWereMeasured) {
  RankPair first{-1, -1};
  SampleSet samples = roundtrips_that([&](const Experiment& e, Seconds time) {
    const RankPair pair = std::minmax(e.source, e.target);
    const bool is_other = first.first >= 0 && pair != first;
    first = first.first < 0 ? pair : first;
    return is_other ? 1.5 * time : time;
  });
  const std::size_t count = samples.measurements.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Measurement& m = samples.measurements[i];
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kRoundtrip && e.bytes == 1024 && RankPair(std::minmax(e.source, e.target)) == first) {
      Measurement between = m;
      between.experiment.bytes = 1500;
      between.experiment.reply_bytes = e.reply_bytes > 0 ? 1500 : 0;
      between.summary.median += (e.reply_bytes > 0 ? 2 : 1) * 476 * 1e-9;
      samples.measurements.push_back(between);
    }
  }
  const UnresolvedSizes unresolved = unresolved_sizes(samples);
  const bool is_asked = std::any_of(unresolved.roundtrips.begin(), unresolved.roundtrips.end(),
                                    [](Bytes bytes) { return bytes > 1024 && bytes < 2048; });
  EXPECT_FALSE(is_asked);
}

/// From a cluster whose messages change at 1,411, 3,483, 4,096, 5,776, 9,376 and 15,424 bytes, of which the first three
/// were seen: in microseconds.
const std::vector<std::pair<Bytes, double>> kThreePointsOnALine{
    {1, 1.4221},     {16, 1.4244},    {32, 1.4270},    {64, 1.4321},    {120, 1.4410},   {128, 1.4422},
    {129, 1.4424},   {130, 1.4426},   {256, 1.4855},   {512, 1.6017},   {1024, 1.7950},  {1410, 1.9300},
    {1411, 1.6297},  {1500, 1.6470},  {2048, 1.7569},  {2304, 1.8106},  {2560, 1.8643},  {2816, 1.9180},
    {3072, 1.9717},  {3328, 2.0254},  {3584, 1.9859},  {3840, 2.0284},  {4095, 2.0708},  {4096, 1.1015},
    {8192, 1.4517},  {16384, 3.7353}, {16388, 3.7360}, {16392, 3.7367}, {16396, 3.7374}, {16400, 3.7382},
    {18432, 4.0990}, {20480, 4.4626}, {24576, 5.1899}, {28672, 5.9173}, {32768, 6.6446}};

// Three points are one line if no other can be found. What their line misses most is asked for first, though others
// were missed too.
TEST(UnresolvedSizes, AreFirstWhereLinesMissMost) {
  SampleSet samples = without_measurements(2);
  samples.is_virtual = true;
  for (const auto& [bytes, time] : kThreePointsOnALine) {
    const Experiment there_and_back{
        .kind = ExperimentKind::kRoundtrip, .source = 0, .target = 1, .bytes = bytes, .reply_bytes = bytes};
    samples.measurements.push_back(repeated(there_and_back, 2e-6 * time, {}, samples.measurements.size()));
  }
  const UnresolvedSizes unresolved = unresolved_sizes(samples);
  for (const Bytes beside : {Bytes{8192}, Bytes{16384}}) {
    EXPECT_TRUE(std::any_of(unresolved.roundtrips.begin(), unresolved.roundtrips.end(), [&](Bytes bytes) {
      return bytes < beside && bytes > beside / 2;
    })) << beside;
  }
}

/// Messages jump by half of their time somewhere from 9,361 to 9,362 bytes on. A real machine's times leave it there.
TEST(UnresolvedSizes, AreBesideJumpsToTheByteInSimulations) {
  for (const bool is_virtual : {false, true}) {
    SampleSet samples = without_measurements(2);
    samples.is_virtual = is_virtual;
    for (const Bytes bytes : {1024, 2048, 4096, 8192, 9344, 9360, 9362, 9376, 12288, 16384, 32768, 65536}) {
      const Seconds time = 5e-6 + 1e-9 * static_cast<double>(bytes);
      const Experiment there_and_back{
          .kind = ExperimentKind::kRoundtrip, .source = 0, .target = 1, .bytes = bytes, .reply_bytes = bytes};
      samples.measurements.push_back(
          repeated(there_and_back, (bytes > 9360 ? 3 : 2) * time, {}, samples.measurements.size()));
    }
    EXPECT_EQ(asks_for(unresolved_sizes(samples), 9361), is_virtual);
  }
}

}  // namespace
}  // namespace postage
