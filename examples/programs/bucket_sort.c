/* Sorts keys over all ranks: each sends every other the keys of its range (MPI_Alltoall of the counts, MPI_Alltoallv of
 * the keys), and sorts what it gets. Verifies order, number and sum.
 *   bucket_sort [KEYS_PER_RANK [REPETITIONS]] */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void* a, const void* b) {
  const uint32_t x = *(const uint32_t*)a;
  const uint32_t y = *(const uint32_t*)b;
  return (x > y) - (x < y);
}

static uint32_t next_key(uint64_t* state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (uint32_t)(*state >> 32);
}

static int bucket_of(uint32_t key, int ranks) {
  return (int)(((uint64_t)key * (uint64_t)ranks) >> 32);
}

static int sum_before(const int* counts, int* starts, int ranks) {
  int sum = 0;
  for (int i = 0; i < ranks; ++i) {
    starts[i] = sum;
    sum += counts[i];
  }
  return sum;
}

/* Returns the rank's sorted keys, and how many there are. */
static uint32_t* sort(const uint32_t* keys, int count, int ranks, int* sorted_count) {
  int* send_counts = calloc((size_t)ranks, sizeof *send_counts);
  int* receive_counts = calloc((size_t)ranks, sizeof *receive_counts);
  int* send_starts = malloc((size_t)ranks * sizeof *send_starts);
  int* receive_starts = malloc((size_t)ranks * sizeof *receive_starts);
  int* next = malloc((size_t)ranks * sizeof *next);
  uint32_t* by_bucket = malloc((size_t)count * sizeof *by_bucket + 1);
  for (int i = 0; i < count; ++i) {
    ++send_counts[bucket_of(keys[i], ranks)];
  }
  sum_before(send_counts, send_starts, ranks);
  memcpy(next, send_starts, (size_t)ranks * sizeof *next);
  for (int i = 0; i < count; ++i) {
    by_bucket[next[bucket_of(keys[i], ranks)]++] = keys[i];
  }
  MPI_Alltoall(send_counts, 1, MPI_INT, receive_counts, 1, MPI_INT, MPI_COMM_WORLD);
  *sorted_count = sum_before(receive_counts, receive_starts, ranks);
  uint32_t* sorted = malloc((size_t)*sorted_count * sizeof *sorted + 1);
  MPI_Alltoallv(by_bucket, send_counts, send_starts, MPI_UINT32_T, sorted, receive_counts, receive_starts,
                MPI_UINT32_T, MPI_COMM_WORLD);
  qsort(sorted, (size_t)*sorted_count, sizeof *sorted, compare);
  free(send_counts);
  free(receive_counts);
  free(send_starts);
  free(receive_starts);
  free(next);
  free(by_bucket);
  return sorted;
}

/* In its range and order on this rank, and neither lost nor changed on all of them. */
static int is_right(const uint32_t* keys, int count, const uint32_t* sorted, int sorted_count, int rank, int ranks) {
  int right = 1;
  int64_t sums[2] = {count, 0};
  for (int i = 0; i < sorted_count; ++i) {
    right = right && bucket_of(sorted[i], ranks) == rank && (i == 0 || sorted[i - 1] <= sorted[i]);
    sums[1] -= sorted[i];
  }
  sums[0] -= sorted_count;
  for (int i = 0; i < count; ++i) {
    sums[1] += keys[i];
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return right && sums[0] == 0 && sums[1] == 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int count = argc > 1 ? atoi(argv[1]) : 1 << 18;
  const int repetitions = argc > 2 ? atoi(argv[2]) : 20;
  uint32_t* keys = malloc((size_t)count * sizeof *keys + 1);
  uint64_t state = 12345 + (uint64_t)rank;
  int right = 1;
  double seconds = 0;
  for (int i = 0; i < repetitions; ++i) {
    for (int k = 0; k < count; ++k) {
      keys[k] = next_key(&state);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    int sorted_count = 0;
    uint32_t* sorted = sort(keys, count, ranks, &sorted_count);
    seconds += MPI_Wtime() - start;
    right = is_right(keys, count, sorted, sorted_count, rank, ranks) && right;
    free(sorted);
  }
  if (rank == 0) {
    printf("bucket_sort: %d ranks, %d keys each, %d times: %s, %.6f s\n", ranks, count, repetitions,
           right ? "verified" : "WRONG", seconds);
  }
  free(keys);
  MPI_Finalize();
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
