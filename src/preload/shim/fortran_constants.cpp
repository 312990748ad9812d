#include "preload/shim/fortran_constants.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <array>

namespace postage::preload {
namespace {

/// The spellings of one common block.
using Names = std::array<const char*, 4>;
constexpr Names kInPlace{"mpi_fortran_in_place", "mpi_fortran_in_place_", "mpi_fortran_in_place__",
                         "MPI_FORTRAN_IN_PLACE"};
constexpr Names kBottom{"mpi_fortran_bottom", "mpi_fortran_bottom_", "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM"};

constexpr Names kStatusIgnore{"mpi_fortran_status_ignore", "mpi_fortran_status_ignore_", "mpi_fortran_status_ignore__",
                              "MPI_FORTRAN_STATUS_IGNORE"};

class Constant {
 public:
  explicit Constant(const Names& names) {
    std::transform(names.begin(), names.end(), addresses_.begin(),
                   [](const char* name) { return dlsym(RTLD_DEFAULT, name); });
  }
  [[nodiscard]] bool is(const void* address) const {
    return address != nullptr && std::find(addresses_.begin(), addresses_.end(), address) != addresses_.end();
  }

 private:
  std::array<void*, 4> addresses_{};
};

}  // namespace

bool is_status_ignore(const void* status) {
  static const Constant ignore(kStatusIgnore);
  return ignore.is(status);
}

void* address_of(void* buffer) {
  static const Constant in_place(kInPlace);
  static const Constant bottom(kBottom);
  return in_place.is(buffer) ? MPI_IN_PLACE : bottom.is(buffer) ? MPI_BOTTOM : buffer;
}

}  // namespace postage::preload
