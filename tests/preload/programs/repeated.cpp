// Calls MPI_Allreduce a given number of times and checks the sums: something for tools to count.
//   repeated [TIMES]
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  bool right = true;
  for (int i = 0; i < (argc > 1 ? std::atoi(argv[1]) : 100); ++i) {
    const long own = rank + i;
    long sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    right = right && sum == static_cast<long>(size) * i + static_cast<long>(size) * (size - 1) / 2;
  }
  if (rank == 0) {
    std::printf("sums %s\n", right ? "right" : "WRONG");
  }
  MPI_Finalize();
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
