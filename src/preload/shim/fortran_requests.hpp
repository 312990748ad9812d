#pragma once

#include "preload/observation.hpp"

#include <mpi.h>

#include <vector>

// Requests and datatypes of Fortran calls, as C has them.

namespace postage::preload {

[[nodiscard]] inline Bytes bytes_of_fortran(int count, int type) {
  return bytes_of(count, PMPI_Type_f2c(type));
}

[[nodiscard]] inline std::vector<MPI_Request> requests_of(const int* requests, int count) {
  std::vector<MPI_Request> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(PMPI_Request_f2c(requests[i]));
  }
  return all;
}

/// By indices that count from 1. MPI_UNDEFINED, which is none of these, chooses nothing.
[[nodiscard]] inline std::vector<MPI_Request> chosen(const std::vector<MPI_Request>& requests, const int* indices,
                                                     int count) {
  std::vector<MPI_Request> result;
  for (int i = 0; i < count; ++i) {
    if (indices[i] >= 1 && static_cast<std::size_t>(indices[i]) <= requests.size()) {
      result.push_back(requests[static_cast<std::size_t>(indices[i]) - 1]);
    }
  }
  return result;
}

[[nodiscard]] inline std::vector<MPI_Request> if_done(const std::vector<MPI_Request>& requests, int flag) {
  return flag != 0 ? requests : std::vector<MPI_Request>();
}

}  // namespace postage::preload
