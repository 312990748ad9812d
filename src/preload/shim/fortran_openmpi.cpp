// Open MPI's Fortran entries call PMPI_* straight away, so each of them is wrapped: mpi_bcast_ with its other spellings
// (mpif.h and `use mpi`) and mpi_bcast_f08_ (`use mpi_f08`), which take the same arguments.
#include "preload/shim/fortran_openmpi.hpp"

#include "preload/intercept.hpp"
#include "preload/shim/export.hpp"
#include "preload/shim/fortran_constants.hpp"

using namespace postage::preload;

#define POSTAGE_HIDDEN extern "C" __attribute__((visibility("hidden")))

// The names of one entry, and those of `use mpi_f08`.
#define POSTAGE_FORTRAN_EXPORT(NAME, UPPER)           \
  POSTAGE_EXPORT(mpi_##NAME##_)                       \
  POSTAGE_ALIAS("mpi_" #NAME, "mpi_" #NAME "_");      \
  POSTAGE_ALIAS("mpi_" #NAME "__", "mpi_" #NAME "_"); \
  POSTAGE_ALIAS("MPI_" #UPPER, "mpi_" #NAME "_");     \
  POSTAGE_EXPORT(mpi_##NAME##_f08_)

#define POSTAGE_DECLARE(NAME, UPPER, ENTRY, PARAMETERS, ARGUMENTS, ...) \
  POSTAGE_HIDDEN void postage_mpi_##NAME##_ PARAMETERS;                 \
  POSTAGE_HIDDEN void postage_mpi_##NAME##_f08_ PARAMETERS;
POSTAGE_FORTRAN_COLLECTIVES(POSTAGE_DECLARE)

#define POSTAGE_EXPORTED(NAME, UPPER, ENTRY, PARAMETERS, ARGUMENTS, ...) POSTAGE_FORTRAN_EXPORT(NAME, UPPER)
POSTAGE_FORTRAN_COLLECTIVES(POSTAGE_EXPORTED)

#define POSTAGE_DEFINE_ONE(FULL, ENTRY, PARAMETERS, ARGUMENTS, ...)                                         \
  void postage_##FULL PARAMETERS {                                                                          \
    const MPI_Comm handle = PMPI_Comm_f2c(*comm);                                                           \
    int* const caller_error = error;                                                                        \
    int result = MPI_SUCCESS;                                                                               \
    error = &result;                                                                                        \
    const int status = intercept<Entry::ENTRY>(                                                             \
        handle, [&] { return CollectiveCall{.entry = Entry::ENTRY, __VA_ARGS__, .communicator = handle}; }, \
        [&] {                                                                                               \
          POSTAGE_NEXT(FULL) ARGUMENTS;                                                                     \
          return result;                                                                                    \
        });                                                                                                 \
    store(caller_error, status);                                                                            \
  }
#define POSTAGE_DEFINE(NAME, UPPER, ENTRY, PARAMETERS, ARGUMENTS, ...)         \
  POSTAGE_DEFINE_ONE(mpi_##NAME##_, ENTRY, PARAMETERS, ARGUMENTS, __VA_ARGS__) \
  POSTAGE_DEFINE_ONE(mpi_##NAME##_f08_, ENTRY, PARAMETERS, ARGUMENTS, __VA_ARGS__)
POSTAGE_FORTRAN_COLLECTIVES(POSTAGE_DEFINE)

// Initialising and finalising.
#define POSTAGE_CONTROL_ENTRIES(X)                                                                     \
  X(init, INIT, (int* error), (&result), , start_job(result);)                                         \
  X(init_thread, INIT_THREAD, (int* wanted, int* provided, int* error), (wanted, provided, &result), , \
    start_job(result);)                                                                                \
  X(finalize, FINALIZE, (int* error), (&result), finish_job();, )

#define POSTAGE_DECLARE_CONTROL(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  POSTAGE_HIDDEN void postage_mpi_##NAME##_ PARAMETERS;                            \
  POSTAGE_HIDDEN void postage_mpi_##NAME##_f08_ PARAMETERS;
POSTAGE_CONTROL_ENTRIES(POSTAGE_DECLARE_CONTROL)
#define POSTAGE_EXPORT_CONTROL(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) POSTAGE_FORTRAN_EXPORT(NAME, UPPER)
POSTAGE_CONTROL_ENTRIES(POSTAGE_EXPORT_CONTROL)
#define POSTAGE_DEFINE_CONTROL_ONE(FULL, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  void postage_##FULL PARAMETERS {                                             \
    int result = MPI_SUCCESS;                                                  \
    BEFORE POSTAGE_NEXT(FULL) ARGUMENTS;                                       \
    AFTER store(error, result);                                                \
  }
#define POSTAGE_DEFINE_CONTROL(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  POSTAGE_DEFINE_CONTROL_ONE(mpi_##NAME##_, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  POSTAGE_DEFINE_CONTROL_ONE(mpi_##NAME##_f08_, PARAMETERS, ARGUMENTS, BEFORE, AFTER)
POSTAGE_CONTROL_ENTRIES(POSTAGE_DEFINE_CONTROL)

namespace postage::preload {

std::span<const Export> fortran_exports() {
#define POSTAGE_ROW(NAME, UPPER, ENTRY, PARAMETERS, ARGUMENTS, ...) \
  POSTAGE_EXPORT_ROW(mpi_##NAME##_, Interception::kCollective)      \
  POSTAGE_EXPORT_ROW(mpi_##NAME##_f08_, Interception::kCollective)
#define POSTAGE_CONTROL_ROW(NAME, UPPER, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  POSTAGE_EXPORT_ROW(mpi_##NAME##_, Interception::kControl)                    \
  POSTAGE_EXPORT_ROW(mpi_##NAME##_f08_, Interception::kControl)
  static const Export kExports[] = {POSTAGE_FORTRAN_COLLECTIVES(POSTAGE_ROW)
                                        POSTAGE_CONTROL_ENTRIES(POSTAGE_CONTROL_ROW)};
  return kExports;
}

}  // namespace postage::preload
