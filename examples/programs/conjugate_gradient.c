/* Solves (I + L) x = b by conjugate gradients, L the five-point Laplacian of an N x N grid whose rows of points lie on
 * the ranks in blocks: MPI_Allgather of the direction, MPI_Allreduce of each scalar product. Verifies the residual.
 *   conjugate_gradient [ROWS_PER_RANK [ITERATIONS]] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int side;  /* points of a row, and rows */
  int first; /* row of this rank */
  int rows;  /* of this rank */
} Grid;

static double value_at(const double* all, const Grid* g, int row, int column) {
  const int is_inside = row >= 0 && row < g->side && column >= 0 && column < g->side;
  return is_inside ? all[(size_t)row * (size_t)g->side + (size_t)column] : 0;
}

/* The rank's rows of (I + L) v, of a vector that is gathered first. */
static void multiply(const double* own, double* all, double* result, const Grid* g) {
  const int points = g->rows * g->side;
  MPI_Allgather(own, points, MPI_DOUBLE, all, points, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < g->rows; ++i) {
    for (int j = 0; j < g->side; ++j) {
      const int row = g->first + i;
      const double around = value_at(all, g, row - 1, j) + value_at(all, g, row + 1, j) + value_at(all, g, row, j - 1) +
                            value_at(all, g, row, j + 1);
      result[i * g->side + j] = 5 * value_at(all, g, row, j) - around;
    }
  }
}

static double product(const double* a, const double* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += a[i] * b[i];
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static void add(double* to, double factor, const double* what, int count) {
  for (int i = 0; i < count; ++i) {
    to[i] += factor * what[i];
  }
}

static double* vector(size_t count) {
  return calloc(count, sizeof(double));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rows = argc > 1 ? atoi(argv[1]) : 32;
  const int iterations = argc > 2 ? atoi(argv[2]) : 200;
  const Grid grid = {.side = rows * ranks, .first = rank * rows, .rows = rows};
  const int own = rows * grid.side;
  double* all = vector((size_t)grid.side * (size_t)grid.side);
  double* b = vector((size_t)own);
  double* x = vector((size_t)own);
  double* residual = vector((size_t)own);
  double* direction = vector((size_t)own);
  double* image = vector((size_t)own);
  for (int i = 0; i < own; ++i) {
    b[i] = residual[i] = direction[i] = sin(0.01 * (grid.first * grid.side + i));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  double square = product(residual, residual, own);
  for (int i = 0; i < iterations; ++i) {
    multiply(direction, all, image, &grid);
    const double curvature = product(direction, image, own);
    const double step = square > 0 ? square / curvature : 0;
    add(x, step, direction, own);
    add(residual, -step, image, own);
    const double next = product(residual, residual, own);
    const double keep = square > 0 ? next / square : 0;
    for (int k = 0; k < own; ++k) {
      direction[k] = residual[k] + keep * direction[k];
    }
    square = next;
    if (square < 1e-24) {
      square = 0; /* solved: go on with the same calls, so that every run makes as many */
    }
  }
  const double seconds = MPI_Wtime() - start;
  multiply(x, all, image, &grid);
  add(image, -1, b, own);
  const double error = sqrt(product(image, image, own) / product(b, b, own));
  if (rank == 0) {
    printf("conjugate_gradient: %d ranks, %d x %d points, %d iterations: %s, %.6f s\n", ranks, grid.side, grid.side,
           iterations, error < 1e-8 ? "verified" : "WRONG", seconds);
  }
  free(all);
  free(b);
  free(x);
  free(residual);
  free(direction);
  free(image);
  MPI_Finalize();
  return error < 1e-8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
