#pragma once

#include "measure/rank_placements.hpp"

#include <postage/transport/transport.hpp>

#include <string>
#include <vector>

namespace postage {

/// The ranks' measurements on rank 0, in the order of ranks; empty elsewhere.
[[nodiscard]] std::vector<Measurement> gather_measurements(Transport& transport, const std::vector<Measurement>& own);
[[nodiscard]] std::vector<Control> gather_controls(Transport& transport, const std::vector<Control>& own);
[[nodiscard]] std::vector<Experiment> gather_experiments(Transport& transport, const std::vector<Experiment>& own);

/// Where all ranks run, on all ranks: the topology that the first rank of each host sees, and each rank's core. A rank
/// that is not bound counts as sitting on a core that no other rank took, as far as there are any.
[[nodiscard]] RankPlacements find_placements(Transport& transport);

/// "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();

}  // namespace postage
