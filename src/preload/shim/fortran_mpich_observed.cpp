// Of MPICH's `use mpi_f08`, entries without buffers call PMPI_* straight away: what completes requests, for instance.
#include "preload/shim/export.hpp"
#include "preload/shim/fortran_observed.hpp"
#include "preload/shim/fortran_requests.hpp"

using namespace postage::preload;

#define POSTAGE_DECLARE(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  extern "C" __attribute__((visibility("hidden"))) void postage_mpi_##NAME##_f08_ PARAMETERS;
POSTAGE_FORTRAN_REQUESTS(POSTAGE_DECLARE)

#define POSTAGE_EXPORTED(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) POSTAGE_EXPORT(mpi_##NAME##_f08_)
POSTAGE_FORTRAN_REQUESTS(POSTAGE_EXPORTED)

#define POSTAGE_DEFINE(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  void postage_mpi_##NAME##_f08_ PARAMETERS {                             \
    int result = MPI_SUCCESS;                                             \
    BEFORE const postage::Seconds began = now();                          \
    POSTAGE_NEXT(mpi_##NAME##_f08_) ARGUMENTS;                            \
    if (result == MPI_SUCCESS && job().observer != nullptr) {             \
      AFTER;                                                              \
    }                                                                     \
    store(error, result);                                                 \
  }
POSTAGE_FORTRAN_REQUESTS(POSTAGE_DEFINE)

namespace postage::preload {

std::span<const Export> fortran_observed_exports() {
#define POSTAGE_ROW(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  POSTAGE_EXPORT_ROW(mpi_##NAME##_f08_, Interception::kObserved)
  static const Export kExports[] = {POSTAGE_FORTRAN_REQUESTS(POSTAGE_ROW)};
  return kExports;
}

}  // namespace postage::preload
