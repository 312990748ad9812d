#include "preload/files/shared_text.hpp"

#include <mpi.h>

#include <array>

namespace postage::preload {

SharedText share_from_first_rank(SharedText mine) {
  std::array<long long, 2> head{static_cast<long long>(mine.text.size()), mine.is_missing ? 1 : 0};
  PMPI_Bcast(head.data(), 2, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  mine.is_missing = head[1] != 0;
  mine.text.resize(static_cast<std::size_t>(head[0]));
  if (!mine.text.empty()) {
    PMPI_Bcast(mine.text.data(), static_cast<int>(mine.text.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  return mine;
}

}  // namespace postage::preload
