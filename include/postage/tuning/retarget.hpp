#pragma once

#include <postage/tuning/decision_table.hpp>

#include <optional>

namespace postage {

/// The table's rules for another library, or another release of its own: algorithms by their schedule. Rules whose
/// algorithm that library lacks, or cannot cut into segments there, are in `dropped` with the reason.
[[nodiscard]] DecisionTable retarget(const DecisionTable& table, TuningTarget target, const LibraryVersion& version);

/// The release whose launcher is on the PATH: Open MPI's and MPICH's. Nothing where there is none, or it does not say.
[[nodiscard]] std::optional<LibraryVersion> installed_version(TuningTarget target);

}  // namespace postage
