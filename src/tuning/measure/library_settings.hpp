#pragma once

#include <postage/measure/choices.hpp>
#include <postage/tuning/decision_table.hpp>

#include <vector>

namespace postage {

/// The variables of MPI's tool interface that make a library take this choice for a collective. Throws Error for a
/// library of which they are not known.
[[nodiscard]] std::vector<LibrarySetting> settings_for(TuningTarget target, const LibraryVersion& version,
                                                       Collective collective, const DecisionChoice& choice);

}  // namespace postage
