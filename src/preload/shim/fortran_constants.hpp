#pragma once

namespace postage::preload {

/// Fortran's MPI_IN_PLACE and MPI_BOTTOM are the addresses of common blocks: the C constant for those, other addresses
/// as they are.
[[nodiscard]] void* address_of(void* buffer);

/// Whether it is Fortran's MPI_STATUS_IGNORE.
[[nodiscard]] bool is_status_ignore(const void* status);

}  // namespace postage::preload
