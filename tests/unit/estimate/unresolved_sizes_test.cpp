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

}  // namespace
}  // namespace postage
