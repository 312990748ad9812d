#pragma once

namespace postage::preload {

/// Fortran's MPI_IN_PLACE and MPI_BOTTOM are the addresses of common blocks: the C constant for those, other addresses
/// as they are.
[[nodiscard]] void* address_of(void* buffer);

}  // namespace postage::preload
