// A program starts another one of itself, and both call collectives together on the communicator that they merge.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

namespace {

bool sums_are_right(MPI_Comm all) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &ranks);
  bool right = true;
  for (int time = 0; time < 40; ++time) {
    const int own = rank + time;
    int sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, all);
    right = right && sum == ranks * time + ranks * (ranks - 1) / 2;
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm others = MPI_COMM_NULL;
  MPI_Comm_get_parent(&others);
  const bool is_started = others != MPI_COMM_NULL;
  if (!is_started) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
  }
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Intercomm_merge(others, is_started ? 1 : 0, &all);
  const bool right = sums_are_right(all);
  std::printf("%s: sums %s\n", is_started ? "started" : "first", right ? "right" : "WRONG");
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&others);
  MPI_Finalize();
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
