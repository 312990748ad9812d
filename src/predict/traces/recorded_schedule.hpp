#pragma once

#include <postage/predict/traces/recording.hpp>

#include <span>

namespace postage {

/// The schedule of a collective that all ranks of a communicator called: `calls` are theirs, in the communicator's
/// order. `root` is its rank in the communicator. Throws Error where the calls are of different collectives.
[[nodiscard]] Schedule recorded_schedule(std::span<const RecordedCall* const> calls, Rank root);

}  // namespace postage
