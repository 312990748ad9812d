#include "preload/shim/collective_entries.hpp"

#include "preload/intercept.hpp"
#include "preload/shim/export.hpp"

using postage::preload::CollectiveCall;
using postage::preload::Entry;
using postage::preload::intercept;

#define POSTAGE_DECLARE(NAME, ENTRY, PARAMETERS, ARGUMENTS, ...) \
  extern "C" __attribute__((visibility("hidden"))) int postage_MPI_##NAME PARAMETERS;
POSTAGE_C_COLLECTIVES(POSTAGE_DECLARE)

#define POSTAGE_EXPORTED(NAME, ENTRY, PARAMETERS, ARGUMENTS, ...) POSTAGE_EXPORT(MPI_##NAME)
POSTAGE_C_COLLECTIVES(POSTAGE_EXPORTED)

#define POSTAGE_DEFINE(NAME, ENTRY, PARAMETERS, ARGUMENTS, ...)                                         \
  int postage_MPI_##NAME PARAMETERS {                                                                   \
    return intercept(                                                                                   \
        comm, [&] { return CollectiveCall{.entry = Entry::ENTRY, __VA_ARGS__, .communicator = comm}; }, \
        [&] { return POSTAGE_NEXT(MPI_##NAME) ARGUMENTS; });                                            \
  }
POSTAGE_C_COLLECTIVES(POSTAGE_DEFINE)

namespace postage::preload {

std::span<const Export> collective_exports() {
#define POSTAGE_ROW(NAME, ENTRY, PARAMETERS, ARGUMENTS, ...) POSTAGE_EXPORT_ROW(MPI_##NAME, Interception::kCollective)
  static const Export kExports[] = {POSTAGE_C_COLLECTIVES(POSTAGE_ROW)};
  return kExports;
}

}  // namespace postage::preload
