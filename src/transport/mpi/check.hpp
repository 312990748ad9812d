#pragma once

#include <mpi.h>

namespace postage {

/// Throws Error with MPI's own words about `code` where it is not MPI_SUCCESS; `what` was being done.
void fail(int code, const char* what);

inline void check(int code, const char* what) {
  if (code != MPI_SUCCESS) [[unlikely]] {
    fail(code, what);
  }
}

}  // namespace postage
