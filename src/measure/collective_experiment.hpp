#pragma once

#include <postage/measure/campaign.hpp>

namespace postage {

/// Runs a collective by postage's own executor on all ranks and times it until its slowest rank is done; rank 0 gets
/// the measurement. Checks once that the right bytes arrive; throws Error where they do not.
[[nodiscard]] Measurement run_collective_experiment(Transport& transport, const CollectiveRun& run,
                                                    const MeasureSettings& settings, Seconds allowance);

}  // namespace postage
