#pragma once

#include <postage/preload/settings.hpp>

namespace postage::preload {

/// This process's; from MPI_Init on those that all ranks of MPI_COMM_WORLD agree on.
[[nodiscard]] const Settings& settings();

/// Collective over MPI_COMM_WORLD, in MPI_Init, so that no rank does what others do not expect: of a variable that is
/// not the same on all ranks what asks for least holds. Rank 0 says so, and its complaints, and creates the folders of
/// files to be written.
void agree_on_settings();

}  // namespace postage::preload
