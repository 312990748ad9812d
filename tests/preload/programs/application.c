/* Calls as larger programs mix them, on communicators as they make them. Prints for each part a sum over all that its
   ranks received, which is the same whatever carries the calls out. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTimes = 12 };

typedef struct {
  double position[3];
  int number;
  char kind;
} Particle;

static int rank, ranks;
static unsigned long long sum;

static void add(const void* data, size_t bytes) {
  const unsigned char* at = data;
  for (size_t i = 0; i < bytes; ++i) {
    sum = (sum ^ at[i]) * 1099511628211ULL;
  }
}

static void say(const char* part) {
  const unsigned long long own = sum * (2 * (unsigned)rank + 1);
  unsigned long long all = 0;
  MPI_Reduce(&own, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%s: %016llx\n", part, all);
  }
  sum = 17;
}

static void fill(int* data, int count, int time) {
  for (int i = 0; i < count; ++i) {
    data[i] = time * 7919 + i * 31 + rank * 1009;
  }
}

/* Rows and columns of a grid; a column of a matrix, which other ranks receive as plain integers. */
static void grid(void) {
  int dims[2] = {0, 0}, periods[2] = {1, 0}, rows[2] = {0, 1}, columns[2] = {1, 0}, in_row, in_column, row_size,
      column_size;
  MPI_Comm both, row, column;
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &both);
  MPI_Cart_sub(both, rows, &row);
  MPI_Cart_sub(both, columns, &column);
  MPI_Comm_rank(row, &in_row);
  MPI_Comm_size(row, &row_size);
  MPI_Comm_rank(column, &in_column);
  MPI_Comm_size(column, &column_size);
  MPI_Datatype line, next_to_it;
  MPI_Type_vector(32, 1, 32, MPI_INT, &line);
  MPI_Type_create_resized(line, 0, sizeof(int), &next_to_it);
  MPI_Type_commit(&line);
  MPI_Type_commit(&next_to_it);
  for (int time = 0; time < kTimes; ++time) {
    int matrix[32][32], plain[32], around[2] = {rank, time};
    fill(&matrix[0][0], 32 * 32, time);
    fill(plain, 32, time);
    MPI_Bcast(&matrix[0][time], 3, next_to_it, time % row_size, row);
    add(matrix, sizeof matrix);
    if (in_column == time % column_size) {
      MPI_Bcast(&matrix[0][5], 1, line, in_column, column);
    } else {
      MPI_Bcast(plain, 32, MPI_INT, time % column_size, column);
    }
    add(plain, sizeof plain);
    MPI_Allreduce(MPI_IN_PLACE, around, 2, MPI_INT, MPI_MAX, both);
    MPI_Allreduce(MPI_IN_PLACE, plain, 32, MPI_INT, MPI_SUM, row);
    add(around, sizeof around);
    add(plain, sizeof plain);
    MPI_Barrier(column);
  }
  MPI_Type_free(&line);
  MPI_Type_free(&next_to_it);
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  MPI_Comm_free(&both);
  say("grid");
}

static void on_group(MPI_Comm some) {
  int own, size, mine[40];
  MPI_Comm_rank(some, &own);
  MPI_Comm_size(some, &size);
  int* all = calloc((size_t)(40 * size), sizeof(int));
  for (int time = 0; time < kTimes; ++time) {
    const int root = time % size;
    fill(mine, 40, time);
    MPI_Allgather(mine, 40, MPI_INT, all, 40, MPI_INT, some);
    add(all, sizeof(int) * (size_t)(40 * size));
    MPI_Scatter(all, 10, MPI_INT, own == root ? MPI_IN_PLACE : mine, 10, MPI_INT, root, some);
    add(mine, sizeof mine);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 5, MPI_INT, some);
    add(all, sizeof(int) * (size_t)(5 * size));
  }
  free(all);
}

static void groups(void) {
  MPI_Group world, even;
  int range[1][3] = {{0, ranks - 1, 2}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, range, &even);
  MPI_Comm evens = MPI_COMM_NULL, copy;
  if (rank % 2 == 0) {
    MPI_Comm_create_group(MPI_COMM_WORLD, even, 7, &evens);
    on_group(evens);
    MPI_Comm_disconnect(&evens);
  }
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  on_group(copy);
  MPI_Comm_free(&copy);
  MPI_Group_free(&world);
  MPI_Group_free(&even);
  say("groups");
}

static void between_groups(void) {
  MPI_Comm half, between, merged;
  const int side = rank >= ranks / 2;
  MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : ranks / 2, 5, &between);
  MPI_Intercomm_merge(between, !side, &merged);
  for (int time = 0; time < kTimes; ++time) {
    int mine[100], theirs[100];
    fill(mine, 100, time);
    MPI_Bcast(mine, 100, MPI_INT, side ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
    MPI_Allreduce(mine, theirs, 100, MPI_INT, MPI_BXOR, between);
    add(theirs, sizeof theirs);
    MPI_Scan(mine, theirs, 100, MPI_INT, MPI_SUM, merged);
    add(theirs, sizeof theirs);
  }
  MPI_Comm_free(&merged);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  say("between groups");
}

static MPI_Datatype particle_type(void) {
  const int lengths[3] = {3, 1, 1};
  const MPI_Aint at[3] = {offsetof(Particle, position), offsetof(Particle, number), offsetof(Particle, kind)};
  const MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_CHAR};
  MPI_Datatype plain, resized;
  MPI_Type_create_struct(3, lengths, at, types, &plain);
  MPI_Type_create_resized(plain, 0, sizeof(Particle), &resized);
  MPI_Type_commit(&resized);
  MPI_Type_free(&plain);
  return resized;
}

/* Particles that move to other ranks. */
static void particles(void) {
  MPI_Datatype type = particle_type();
  int *sent = malloc(sizeof(int) * (size_t)ranks), *from = malloc(sizeof(int) * (size_t)ranks);
  int *received = malloc(sizeof(int) * (size_t)ranks), *to = malloc(sizeof(int) * (size_t)ranks);
  for (int time = 0; time < kTimes; ++time) {
    int all_sent = 0, all_received = 0;
    for (int i = 0; i < ranks; ++i) {
      sent[i] = (rank * 3 + i * 5 + time * 7) % 11 * (time % 3 == 0 ? 40 : 1);
      from[i] = all_sent;
      all_sent += sent[i];
    }
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = ranks - 1; i >= 0; --i) {
      to[i] = all_received;
      all_received += received[i];
    }
    Particle* here = calloc((size_t)all_sent + 1, sizeof(Particle));
    Particle* there = calloc((size_t)all_received + 1, sizeof(Particle));
    for (int i = 0; i < all_sent; ++i) {
      here[i] = (Particle){{i, 0, rank + 0.5}, i * time, (char)('a' + i % 26)};
    }
    MPI_Alltoallv(here, sent, from, type, there, received, to, type, MPI_COMM_WORLD);
    for (int i = 0; i < all_received; ++i) {
      add(there[i].position, sizeof there[i].position);
      add(&there[i].number, sizeof(int));
      add(&there[i].kind, 1);
    }
    free(here);
    free(there);
  }
  MPI_Type_free(&type);
  free(sent);
  free(from);
  free(received);
  free(to);
  say("particles");
}

/* Products of matrices, which do not commute. */
static void multiply(void* left, void* right, int* count, MPI_Datatype* type) {
  const unsigned* a = left;
  unsigned* b = right;
  (void)type;
  for (int i = 0; i < *count; ++i, a += 4, b += 4) {
    const unsigned product[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                                 a[2] * b[1] + a[3] * b[3]};
    memcpy(b, product, sizeof product);
  }
}

static void operations(void) {
  enum { kMost = 900 };
  MPI_Datatype matrix;
  MPI_Type_contiguous(4, MPI_UNSIGNED, &matrix);
  MPI_Type_commit(&matrix);
  unsigned* mine = malloc(16 * (size_t)(kMost * ranks));
  unsigned* result = malloc(16 * (size_t)(kMost * ranks));
  for (int time = 0; time < kTimes; ++time) {
    const int count = time % 4 == 3 ? kMost : 7;
    const size_t bytes = 16 * (size_t)count;
    MPI_Op product;
    MPI_Op_create(multiply, 0, &product);
    for (int i = 0; i < 4 * count * ranks; ++i) {
      mine[i] = result[i] = (unsigned)(i * 13 + rank * 7 + time);
    }
    MPI_Exscan(MPI_IN_PLACE, result, count, matrix, product, MPI_COMM_WORLD);
    add(result, rank > 0 ? bytes : 0);
    memcpy(result, mine, bytes);
    MPI_Scan(MPI_IN_PLACE, result, count, matrix, product, MPI_COMM_WORLD);
    add(result, bytes);
    MPI_Allreduce(mine, result, count, matrix, product, MPI_COMM_WORLD);
    add(result, bytes);
    MPI_Reduce_scatter_block(mine, result, count, matrix, product, MPI_COMM_WORLD);
    add(result, bytes);
    MPI_Op_free(&product);
  }
  MPI_Type_free(&matrix);
  free(mine);
  free(result);
  say("operations");
}

/* Calls that do not block, and messages, that are under way during others that do. */
static void under_way(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  for (int time = 0; time < kTimes; ++time) {
    int first[2000], second[2000], third[2000], next = -1;
    MPI_Request requests[4];
    MPI_Status statuses[4];
    fill(first, 2000, time);
    fill(second, 2000, time + 1);
    fill(third, 2000, time + 2);
    MPI_Ibcast(first, 2000, MPI_INT, time % ranks, copy, &requests[0]);
    MPI_Irecv(&next, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &requests[1]);
    MPI_Iallreduce(MPI_IN_PLACE, second, 2000, MPI_INT, MPI_SUM, copy, &requests[2]);
    MPI_Allreduce(MPI_IN_PLACE, third, 2000, MPI_INT, MPI_MAX, copy);
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % ranks, time, copy, &requests[3]);
    MPI_Bcast(third, 2000, MPI_INT, (time + 1) % ranks, copy);
    MPI_Waitall(4, requests, statuses);
    add(first, sizeof first);
    add(second, sizeof second);
    add(third, sizeof third);
    add(&next, sizeof next);
  }
  MPI_Comm_free(&copy);
  say("under way");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  sum = 17;
  grid();
  groups();
  between_groups();
  particles();
  operations();
  under_way();
  /* Nobody receives this. */
  MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
