#include "unit/estimate/synthetic.hpp"

#include <postage/estimate/estimate.hpp>

#include <gtest/gtest.h>

#include <algorithm>

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

}  // namespace
}  // namespace postage
