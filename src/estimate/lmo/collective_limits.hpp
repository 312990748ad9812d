#pragma once

#include "estimate/lmo/lmo_times.hpp"

#include <optional>

namespace postage {

/// S of the scatter sweep; nothing where it was not swept or has no step.
[[nodiscard]] std::optional<Estimate> scatter_limit(const SampleSet& samples);

/// S, M_1, M_2, kappa_1, kappa_2 and the levels E_i with their shares f_i, as far as the sweeps of scatter and gather
/// tell them: nothing without sweeps. `printed_kappa` as in EstimateSettings.
void add_collective_limits(ParameterTable& table, const SampleSet& samples, const LmoEstimates& estimates,
                           bool printed_kappa);

}  // namespace postage
