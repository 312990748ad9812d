#include "preload/shim/collective_entries.hpp"

#include "preload/intercept.hpp"
#include "preload/shim/export.hpp"

using postage::preload::CollectiveCall;
using postage::preload::Entry;
using postage::preload::intercept;
using postage::preload::passes_at_a_glance;

#define POSTAGE_DECLARE(NAME, ENTRY, PARAMETERS, ARGUMENTS, ...) \
  extern "C" __attribute__((visibility("hidden"))) int postage_MPI_##NAME PARAMETERS;
POSTAGE_C_COLLECTIVES(POSTAGE_DECLARE)

#define POSTAGE_EXPORTED(NAME, ENTRY, PARAMETERS, ARGUMENTS, ...) POSTAGE_EXPORT(MPI_##NAME)
POSTAGE_C_COLLECTIVES(POSTAGE_EXPORTED)

// What passes through at a glance jumps on with its arguments as they are.
#define POSTAGE_DEFINE(NAME, ENTRY, PARAMETERS, ARGUMENTS, ...)                                         \
  namespace {                                                                                           \
  [[gnu::noinline]] int examine_##NAME PARAMETERS {                                                     \
    return intercept<Entry::ENTRY>(                                                                     \
        comm, [&] { return CollectiveCall{.entry = Entry::ENTRY, __VA_ARGS__, .communicator = comm}; }, \
        [&] { return POSTAGE_NEXT(MPI_##NAME) ARGUMENTS; });                                            \
  }                                                                                                     \
  }                                                                                                     \
  int postage_MPI_##NAME PARAMETERS {                                                                   \
    if (passes_at_a_glance<Entry::ENTRY>({.entry = Entry::ENTRY, __VA_ARGS__, .communicator = comm})) { \
      return reinterpret_cast<decltype(&postage_MPI_##NAME)>(postage_next_MPI_##NAME) ARGUMENTS;        \
    }                                                                                                   \
    return examine_##NAME ARGUMENTS;                                                                    \
  }
POSTAGE_C_COLLECTIVES(POSTAGE_DEFINE)

namespace postage::preload {

std::span<const Export> collective_exports() {
#define POSTAGE_ROW(NAME, ENTRY, PARAMETERS, ARGUMENTS, ...) POSTAGE_EXPORT_ROW(MPI_##NAME, Interception::kCollective)
  static const Export kExports[] = {POSTAGE_C_COLLECTIVES(POSTAGE_ROW)};
  return kExports;
}

}  // namespace postage::preload
