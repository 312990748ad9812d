#pragma once

#include <postage/tuning/decision_table.hpp>

namespace postage::preload {

/// Collective over MPI_COMM_WORLD, in MPI_Init: rank 0 reads the file that POSTAGE_DECISIONS names, and gives it to
/// all, so that they decide alike. Where it cannot be read, rank 0 says why in one sentence, and nothing is replaced.
void load_decisions();

/// nullptr where there is no file.
[[nodiscard]] const DecisionTable* decision_table();

/// Whether a file was asked for that cannot be read.
[[nodiscard]] bool are_decisions_missing();

}  // namespace postage::preload
