// What collectives take whose buffers do not lie alike in their pages, in C, for any MPI. Two ranks:
//
//   mpicc -O2 -o misaligned bench/misaligned.c && mpirun -n 2 ./misaligned
//   postage run -- mpirun -n 2 ./misaligned
//
// Median over calls of the slowest rank's time, from a barrier on. `further`: by how many bytes the receiver's buffer
// lies further into its page than the sender's (bcast), or the second block than the first (allgather).
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kCalls = 400, kMostBytes = 1 << 20, kPage = 4096 };

static int by_size(const void* left, const void* right) {
  const double a = *(const double*)left;
  const double b = *(const double*)right;
  return (a > b) - (a < b);
}

static double median_of(int is_bcast, char* data, char* all, int bytes) {
  static double times[kCalls];
  for (int i = 0; i < kCalls; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    if (is_bcast) {
      MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    } else {
      MPI_Allgather(data, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD);
    }
    const double own = MPI_Wtime() - begin;
    MPI_Allreduce(&own, &times[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  qsort(times, kCalls, sizeof times[0], by_size);
  return times[kCalls / 2];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const size_t room = (size_t)(kMostBytes + kPage) * (size_t)ranks;
  void* data = NULL;
  void* all = NULL;
  if (posix_memalign(&data, kPage, room) != 0 || posix_memalign(&all, kPage, room) != 0) {
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  memset(data, 1, room);
  memset(all, 1, room);
  for (int further = 0; further <= 8; further += 8) {
    for (int bytes = kMostBytes / 16; bytes <= kMostBytes; bytes *= 4) {
      const double bcast = median_of(1, (char*)data + (rank == 0 ? 0 : further), all, bytes);
      const double allgather = median_of(0, data, all, bytes + further);
      if (rank == 0) {
        printf("%d further, %7d bytes: bcast %7.1f us, allgather %7.1f us\n", further, bytes, bcast * 1e6,
               allgather * 1e6);
      }
    }
  }
  free(data);
  free(all);
  MPI_Finalize();
  return 0;
}
