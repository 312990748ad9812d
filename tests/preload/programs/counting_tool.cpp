// Another tool on the profiling interface: counts the calls that it sees, and says how many on rank 0.
#include <mpi.h>

#include <cstdio>

namespace {

int allreduces = 0;
int initialised = 0;

}  // namespace

extern "C" int MPI_Init(int* argc, char*** argv) {
  initialised = 1;
  return PMPI_Init(argc, argv);
}

extern "C" int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++allreduces;
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}

extern "C" int MPI_Finalize() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::printf("tool: initialised %d, allreduces %d\n", initialised, allreduces);
    std::fflush(stdout);
  }
  return PMPI_Finalize();
}
