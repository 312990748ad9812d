// MPI_Init, MPI_Init_thread and MPI_Finalize.
#include "preload/job.hpp"
#include "preload/shim/export.hpp"

#include <mpi.h>

extern "C" {
__attribute__((visibility("hidden"))) int postage_MPI_Init(int* argc, char*** argv);
__attribute__((visibility("hidden"))) int postage_MPI_Init_thread(int* argc, char*** argv, int wanted, int* provided);
__attribute__((visibility("hidden"))) int postage_MPI_Finalize();
}

POSTAGE_EXPORT(MPI_Init)
POSTAGE_EXPORT(MPI_Init_thread)
POSTAGE_EXPORT(MPI_Finalize)

int postage_MPI_Init(int* argc, char*** argv) {
  const int result = POSTAGE_NEXT(MPI_Init)(argc, argv);
  postage::preload::start_job(result);
  return result;
}

int postage_MPI_Init_thread(int* argc, char*** argv, int wanted, int* provided) {
  const int result = POSTAGE_NEXT(MPI_Init_thread)(argc, argv, wanted, provided);
  postage::preload::start_job(result);
  return result;
}

int postage_MPI_Finalize() {
  postage::preload::finish_job();
  return POSTAGE_NEXT(MPI_Finalize)();
}

namespace postage::preload {

std::span<const Export> control_exports() {
  static const Export kExports[] = {POSTAGE_EXPORT_ROW(MPI_Init, Interception::kControl) POSTAGE_EXPORT_ROW(
      MPI_Init_thread, Interception::kControl) POSTAGE_EXPORT_ROW(MPI_Finalize, Interception::kControl)};
  return kExports;
}

}  // namespace postage::preload
