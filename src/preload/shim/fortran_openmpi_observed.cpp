// Those of Open MPI, which call PMPI_* straight away.
#include "preload/observation.hpp"
#include "preload/shim/export.hpp"
#include "preload/shim/fortran_constants.hpp"
#include "preload/shim/fortran_observed.hpp"
#include "preload/shim/fortran_requests.hpp"

#include <array>

using namespace postage::preload;

namespace {

/// Where the program wants no status, one of the library's own.
class FortranStatus {
 public:
  explicit FortranStatus(int* wanted) : status_(is_status_ignore(wanted) ? own_.data() : wanted) {}
  [[nodiscard]] int* get() const { return status_; }
  [[nodiscard]] int source() const { return converted().MPI_SOURCE; }
  [[nodiscard]] int tag() const { return converted().MPI_TAG; }
  [[nodiscard]] postage::Bytes bytes() const {
    MPI_Status status = converted();
    return StatusRoom(&status).bytes();
  }

 private:
  [[nodiscard]] MPI_Status converted() const {
    MPI_Status status{};
    PMPI_Status_f2c(status_, &status);
    return status;
  }
  mutable std::array<int, sizeof(MPI_Status) / sizeof(int)> own_{};
  int* status_;
};

}  // namespace

#define POSTAGE_HIDDEN extern "C" __attribute__((visibility("hidden")))

#define POSTAGE_DECLARE(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  POSTAGE_HIDDEN void postage_mpi_##NAME##_ PARAMETERS;                    \
  POSTAGE_HIDDEN void postage_mpi_##NAME##_f08_ PARAMETERS;
POSTAGE_FORTRAN_OBSERVED(POSTAGE_DECLARE)

#define POSTAGE_EXPORTED(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  POSTAGE_EXPORT(mpi_##NAME##_)                                             \
  POSTAGE_ALIAS("mpi_" #NAME, "mpi_" #NAME "_");                            \
  POSTAGE_ALIAS("mpi_" #NAME "__", "mpi_" #NAME "_");                       \
  POSTAGE_ALIAS("MPI_" #UPPER, "mpi_" #NAME "_");                           \
  POSTAGE_EXPORT(mpi_##NAME##_f08_)
POSTAGE_FORTRAN_OBSERVED(POSTAGE_EXPORTED)

#define POSTAGE_DEFINE_ONE(FULL, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  void postage_##FULL PARAMETERS {                                     \
    int result = MPI_SUCCESS;                                          \
    BEFORE const postage::Seconds began = now();                       \
    POSTAGE_NEXT(FULL) ARGUMENTS;                                      \
    if (result == MPI_SUCCESS && job().observer != nullptr) {          \
      AFTER;                                                           \
    }                                                                  \
    store(error, result);                                              \
  }
#define POSTAGE_DEFINE(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  POSTAGE_DEFINE_ONE(mpi_##NAME##_, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  POSTAGE_DEFINE_ONE(mpi_##NAME##_f08_, PARAMETERS, ARGUMENTS, BEFORE, AFTER)
POSTAGE_FORTRAN_OBSERVED(POSTAGE_DEFINE)

namespace postage::preload {

std::span<const Export> fortran_observed_exports() {
#define POSTAGE_ROW(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  POSTAGE_EXPORT_ROW(mpi_##NAME##_, Interception::kObserved)           \
  POSTAGE_EXPORT_ROW(mpi_##NAME##_f08_, Interception::kObserved)
  static const Export kExports[] = {POSTAGE_FORTRAN_OBSERVED(POSTAGE_ROW)};
  return kExports;
}

}  // namespace postage::preload
