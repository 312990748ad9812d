#pragma once

#include "transport/mpi/typed_memory.hpp"

#include <postage/transport/executor.hpp>

#include <mpi.h>

namespace postage {

/// MPI's operation on packed elements of the type, by MPI_Reduce_local. Elements with gaps are unpacked for it, some
/// hundreds of kilobytes at a time.
[[nodiscard]] Reduction mpi_reduction(MPI_Op op, const MpiType& type);

[[nodiscard]] bool is_commutative(MPI_Op op);

}  // namespace postage
