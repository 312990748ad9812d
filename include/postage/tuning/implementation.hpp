#pragma once

#include <postage/tuning/library.hpp>

#include <optional>
#include <string_view>

namespace postage {

/// A library in one release.
struct LibraryRelease {
  TuningTarget target = TuningTarget::kOpenMpi;
  LibraryVersion version{};
};

/// Of what MPI_Get_library_version says, as samples hold it: "Open MPI v4.1.4", "MPICH Version: 4.0.2", "Intel(R) MPI
/// Library 2021.10 for Linux* OS", "SMPI Version 3.32". Nothing where the library is none of those that can be tuned.
[[nodiscard]] std::optional<LibraryRelease> library_of(std::string_view implementation);

}  // namespace postage
