// Adds up vectors over MPI by an algorithm chosen by name. Built with an MPI's own compiler wrapper:
//   mpicxx.openmpi main.cpp $(pkg-config --cflags --libs postage-openmpi)
#include <postage/transport/mpi/collectives.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    postage::MpiCollectives collectives(MPI_COMM_WORLD);
    std::vector<double> values(1000, rank + 1);
    collectives.allreduce(MPI_IN_PLACE, values.data(), 1000, MPI_DOUBLE, MPI_SUM, {.algorithm = "rabenseifner"});
    if (rank == 0) {
      std::printf("%g\n", values[999]);
    }
  }
  MPI_Finalize();
}
