#pragma once

#include "blade/hardware/machine.hpp"

#include <postage/platform/parameters.hpp>

namespace postage::blade {

/// Channels beyond a blade: between an SPE and the PPE of its blade, and between PPEs.
inline constexpr const char* kSpePpe = "spe-ppe";
inline constexpr const char* kBetweenBlades = "between-blades";

/// L_sp(m), g_sp(1) of the channel spe-ppe, by the micro-benchmarks between SPEs (Ali et al., section 6.1).
[[nodiscard]] ParameterGroup host_parameters(Machine& machine);

/// L_node(m), g_node(m) of the channel between-blades as T. Kielmann's program logp_mpi measures them:
/// g(m) = RTT(m) - RTT(0) + g(0), where answers are empty, and L = RTT(0)/2 - g(0). A message takes L + g(m).
[[nodiscard]] ParameterGroup network_parameters(Machine& machine);

}  // namespace postage::blade
