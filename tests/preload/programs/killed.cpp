// The last rank dies, or calls MPI_Abort, while the others wait for it in a collective.
//   killed kill|abort
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::array<double, 1000> values{};
  for (int i = 0; i < 100; ++i) {
    if (rank == size - 1 && i == 50) {
      usleep(300'000);  // until the others wait
      if (argc > 1 && std::strcmp(argv[1], "abort") == 0) {
        MPI_Abort(MPI_COMM_WORLD, 3);
      }
      std::raise(SIGKILL);
    }
    MPI_Allreduce(MPI_IN_PLACE, values.data(), 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(values.data(), 1000, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  }
  std::printf("nobody died\n");
  MPI_Finalize();
}
