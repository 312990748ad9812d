#pragma once

#include "estimate/lmo/lmo_times.hpp"

#include <optional>

namespace postage {

/// S of the scatter sweep; nothing where it was not swept or has no step.
[[nodiscard]] std::optional<Estimate> scatter_limit(const SampleSet& samples);

/// S, M_1, M_2, kappa_1, kappa_2 and E, as far as the sweeps of scatter and gather tell them: nothing without sweeps.
void add_collective_limits(ParameterTable& table, const SampleSet& samples, const LmoEstimates& estimates);

}  // namespace postage
