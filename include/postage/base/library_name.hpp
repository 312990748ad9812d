#pragma once

#include <string>
#include <string_view>

namespace postage {

/// Name and version of what MPI_Get_library_version says: "Open MPI 4.1.4" of "Open MPI v4.1.4, package: ...",
/// "MPICH 4.0.2" of "MPICH Version:\t4.0.2\n...", "SMPI 3.32" of "SMPI Version 3.32. Copyright ...". Without a number
/// that follows a space or a v, the first line up to a comma. A name of this form stays as it is.
[[nodiscard]] std::string library_name(std::string_view library_version);

}  // namespace postage
