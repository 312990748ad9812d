#include "mistakes.hpp"

#include <mpi.h>

#include <cstdio>

namespace postage {

void Mistakes::note(const std::string& where, const std::optional<std::string>& what) {
  constexpr int kMostPrinted = 10;
  if (what && ++count_ <= kMostPrinted) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::fprintf(stderr, "rank %d: %s: %s\n", rank, where.c_str(), what->c_str());
  }
}

int Mistakes::report(int checked) const {
  int all = 0;
  int rank = 0;
  PMPI_Allreduce(&count_, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::printf("%d calls checked on the first rank, %d mistakes on all\n", checked, all);
  }
  return all > 0 ? 1 : 0;
}

}  // namespace postage
