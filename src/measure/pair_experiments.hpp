#pragma once

#include <postage/measure/samples.hpp>
#include <postage/transport/transport.hpp>

#include <vector>

namespace postage {

/// Runs one experiment between two ranks; both call it. The source times, decides how often to repeat, and gets the
/// measurement; the target's result is empty.
[[nodiscard]] Measurement run_pair_experiment(Transport& transport, const Experiment& experiment,
                                              const MeasureSettings& settings, Seconds allowance);

}  // namespace postage
