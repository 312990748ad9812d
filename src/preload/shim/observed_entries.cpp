#include "preload/shim/observed_entries.hpp"

#include "preload/observation.hpp"
#include "preload/shim/export.hpp"

using namespace postage::preload;

namespace {

std::span<const MPI_Request> list_of(const MPI_Request* requests, int count) {
  return {requests, count > 0 ? static_cast<std::size_t>(count) : 0};
}

/// The library sets what has completed to MPI_REQUEST_NULL.
std::vector<MPI_Request> copy_of(const MPI_Request* requests, int count) {
  const auto all = list_of(requests, count);
  return {all.begin(), all.end()};
}

/// MPI_UNDEFINED, which is negative in some libraries and larger than any count in others, chooses nothing.
std::vector<MPI_Request> chosen(const std::vector<MPI_Request>& requests, const int* indices, int count) {
  std::vector<MPI_Request> result;
  for (int i = 0; count != MPI_UNDEFINED && i < count; ++i) {
    if (indices[i] >= 0 && static_cast<std::size_t>(indices[i]) < requests.size()) {
      result.push_back(requests[static_cast<std::size_t>(indices[i])]);
    }
  }
  return result;
}

std::span<const MPI_Request> if_done(const std::vector<MPI_Request>& requests, int flag) {
  return flag != 0 ? std::span<const MPI_Request>(requests) : std::span<const MPI_Request>();
}

}  // namespace

#define POSTAGE_DECLARE(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  extern "C" __attribute__((visibility("hidden"))) int postage_MPI_##NAME PARAMETERS;
POSTAGE_C_OBSERVED(POSTAGE_DECLARE)

#define POSTAGE_EXPORTED(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER) POSTAGE_EXPORT(MPI_##NAME)
POSTAGE_C_OBSERVED(POSTAGE_EXPORTED)

#define POSTAGE_DEFINE(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
  int postage_MPI_##NAME PARAMETERS {                              \
    BEFORE const postage::Seconds began = now();                   \
    const int result = POSTAGE_NEXT(MPI_##NAME) ARGUMENTS;         \
    if (result == MPI_SUCCESS && job().observer != nullptr) {      \
      AFTER;                                                       \
    }                                                              \
    return result;                                                 \
  }
POSTAGE_C_OBSERVED(POSTAGE_DEFINE)

namespace postage::preload {

std::span<const Export> observed_exports() {
#define POSTAGE_ROW(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER) POSTAGE_EXPORT_ROW(MPI_##NAME, Interception::kObserved)
  static const Export kExports[] = {POSTAGE_C_OBSERVED(POSTAGE_ROW)};
  return kExports;
}

}  // namespace postage::preload
