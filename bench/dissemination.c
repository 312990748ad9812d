/* `repetitions` times a dissemination: in round k every rank sends a byte to the one 2^k further and gets one from the
   one 2^k before. To be run on an event simulator, whose cost the script against_smpi.py compares with a prediction. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks;
  int rank;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int repetitions = argc > 1 ? atoi(argv[1]) : 1;
  const double begin = MPI_Wtime();
  for (int i = 0; i < repetitions; ++i) {
    for (int distance = 1; distance < ranks; distance *= 2) {
      char sent = 0;
      char received;
      MPI_Sendrecv(&sent, 1, MPI_CHAR, (rank + distance) % ranks, 0, &received, 1, MPI_CHAR,
                   (rank - distance + ranks) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  if (rank == 0) {
    printf("%d ranks, %d repetitions, %g simulated seconds\n", ranks, repetitions, MPI_Wtime() - begin);
  }
  MPI_Finalize();
  return 0;
}
