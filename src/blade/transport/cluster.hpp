#pragma once

#include "blade/hardware/session.hpp"

namespace postage::blade {

// Collectives over all SPEs of several blades, as Ali et al., section 6.1, describe them. Cycles from a common start
// until all SPEs have left.

/// On each blade: SPEs tell their PPE that they are there while they synchronise among themselves by recursive
/// doubling; the PPEs run MPI's barrier (Bruck's); each then tells one SPE, which tells the others along a binomial
/// tree.
[[nodiscard]] Cycles cluster_barrier(Machine& machine);

/// SPE 0 hands the message to its PPE and broadcasts it on its own blade (binomial-opt) at the same time; the PPEs
/// broadcast it along a binomial tree; each gives it to one SPE, which broadcasts it on its blade. Throws Error where
/// an SPE ends without it.
[[nodiscard]] Cycles cluster_bcast(Machine& machine, Bytes bytes);

}  // namespace postage::blade
