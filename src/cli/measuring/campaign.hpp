#pragma once

#include "cli/measuring/measure_options.hpp"

#include <postage/samples/samples.hpp>

namespace postage {

/// Everything that was asked for; again, as often as was allowed, where the machine changed its speed meanwhile. A
/// simulation also visits sizes that the first samples ask for, where the user gave none.
[[nodiscard]] SampleSet measure_all(const MeasureOptions& options);

/// Keeps the samples of an interrupted campaign, and throws Interrupted, which names where they are.
[[noreturn]] void keep_interrupted(const MeasureOptions& options, const SampleSet& samples);

}  // namespace postage
