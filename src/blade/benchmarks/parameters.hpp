#pragma once

#include "blade/hardware/machine.hpp"

#include <postage/platform/platform.hpp>

namespace postage::blade {

/// How the gap g(m) is measured: as Ali et al. do, by gets from one SPE at once, or as T. Kielmann et al. do for other
/// machines, from roundtrips: g(m) = RTT(m) - RTT(0) + g(0). The second comes without a congestion term.
enum class GapMethod { kGetsFromRoot, kKielmann };

/// What the micro-benchmarks are run on: one chip, both chips of a blade, or also what joins blades.
enum class Extent { kChip, kBlade, kCluster };

/// Runs the micro-benchmarks and writes the parameters of the model plogp-cell as a platform whose nodes are chips:
/// L_1, g_1 of the channel intra-socket, gamma, and L_2, g_2 and C of the channel inter-node where there are two chips.
/// Then SPEs of the second chip take part in measuring g_1 (section 7.1). For a cluster, of at least two blades, also
/// the channels spe-ppe and between-blades, which no two ranks of the platform use.
[[nodiscard]] Platform measure_parameters(Machine& machine, Extent extent, GapMethod method);

}  // namespace postage::blade
