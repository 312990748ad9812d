// One rank gives a collective wrong arguments, is told so, and goes on; then all call collectives together.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kMistakes = 5;
constexpr int kTimes = 40;

/// A mistake of rank 1 alone, before every other of the first collectives.
int refused_calls(int rank) {
  int refused = 0;
  int value = 0;
  for (int i = 0; i < kMistakes; ++i) {
    if (rank == 1) {
      refused += MPI_Bcast(&value, -1, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS ? 1 : 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return refused;
}

int wrong_sums(int rank, int ranks) {
  int wrong = 0;
  for (int time = 0; time < kTimes; ++time) {
    const int own = rank + time;
    int sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += sum == ranks * time + ranks * (ranks - 1) / 2 ? 0 : 1;
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int refused = refused_calls(rank);
  const bool right = refused == (rank == 1 ? kMistakes : 0) && wrong_sums(rank, ranks) == 0;
  if (!right) {
    std::fprintf(stderr, "rank %d: WRONG\n", rank);
  }
  MPI_Finalize();
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
