#pragma once

#include "mistakes.hpp"

namespace postage {

/// The calls whose counts are MPI_Count, where the MPI has them (MPI 4).
void check_large_counts(Mistakes& mistakes);

}  // namespace postage
