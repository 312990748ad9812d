#pragma once

namespace postage::preload {

/// Whether the program's MPI is another one than this library was built for: then nothing is replaced, and rank 0 says
/// so once on standard error.
[[nodiscard]] bool is_foreign_library();

/// "openmpi" or "mpich".
[[nodiscard]] const char* library_name();

}  // namespace postage::preload
