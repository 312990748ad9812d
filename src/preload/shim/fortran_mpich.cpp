// MPICH's mpif.h and `use mpi` call the C entries; of its `use mpi_f08` these four call PMPI instead.
#include "preload/intercept.hpp"
#include "preload/shim/export.hpp"

using namespace postage::preload;

extern "C" {
__attribute__((visibility("hidden"))) void postage_mpi_init_f08_(int* error);
__attribute__((visibility("hidden"))) void postage_mpi_init_thread_f08_(int* wanted, int* provided, int* error);
__attribute__((visibility("hidden"))) void postage_mpi_finalize_f08_(int* error);
__attribute__((visibility("hidden"))) void postage_mpi_barrier_f08_(int* comm, int* error);
}

POSTAGE_EXPORT(mpi_init_f08_)
POSTAGE_EXPORT(mpi_init_thread_f08_)
POSTAGE_EXPORT(mpi_finalize_f08_)
POSTAGE_EXPORT(mpi_barrier_f08_)

void postage_mpi_init_f08_(int* error) {
  int result = MPI_SUCCESS;
  POSTAGE_NEXT(mpi_init_f08_)(&result);
  start_job(result);
  store(error, result);
}

void postage_mpi_init_thread_f08_(int* wanted, int* provided, int* error) {
  int result = MPI_SUCCESS;
  POSTAGE_NEXT(mpi_init_thread_f08_)(wanted, provided, &result);
  start_job(result);
  store(error, result);
}

void postage_mpi_finalize_f08_(int* error) {
  finish_job();
  POSTAGE_NEXT(mpi_finalize_f08_)(error);
}

void postage_mpi_barrier_f08_(int* handle, int* error) {
  const MPI_Comm comm = PMPI_Comm_f2c(*handle);
  store(error, intercept<Entry::kBarrier>(
                   comm, [&] { return CollectiveCall{.entry = Entry::kBarrier, .communicator = comm}; },
                   [&] {
                     int result = MPI_SUCCESS;
                     POSTAGE_NEXT(mpi_barrier_f08_)(handle, &result);
                     return result;
                   }));
}

namespace postage::preload {

std::span<const Export> fortran_exports() {
  static const Export kExports[] = {POSTAGE_EXPORT_ROW(mpi_init_f08_, Interception::kControl) POSTAGE_EXPORT_ROW(
      mpi_init_thread_f08_, Interception::kControl) POSTAGE_EXPORT_ROW(mpi_finalize_f08_, Interception::kControl)
                                        POSTAGE_EXPORT_ROW(mpi_barrier_f08_, Interception::kCollective)};
  return kExports;
}

}  // namespace postage::preload
