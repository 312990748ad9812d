#pragma once

#include <postage/samples/samples.hpp>

#include <functional>
#include <string>
#include <vector>

namespace postage {

/// Measures what the words ask for.
using MeasureWords = std::function<SampleSet(const std::vector<std::string>& experiments)>;

/// How often sizes are looked for between others in a simulation: seven between two neighbours each time, which tells a
/// protocol's limit between 16 and 64 KiB to a dozen bytes.
inline constexpr int kMostRefinements = 6;

/// Adds to the samples what `measure` gives at sizes between which a protocol changes, and what groups share at sizes
/// of which none was measured, until no such are left, but no more than `most` times. `measure` may take fewer of the
/// same ranks, from the first on. Stops where it was interrupted.
[[nodiscard]] SampleSet refine_samples(SampleSet samples, const MeasureWords& measure, int most = kMostRefinements);

/// Ranks that are enough to refine a campaign on: those of two hosts at least, and some pairs of different hosts.
[[nodiscard]] int refining_ranks(const SampleSet& samples);

}  // namespace postage
