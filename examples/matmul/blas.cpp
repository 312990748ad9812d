#include "machine.hpp"

// The BLAS's own interface, that of Fortran: matrices by columns.
extern "C" void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                       const int*, const double*, const int*, const double*, double*, const int*);

namespace matmul {

/// By columns, c is its transpose: the transpose of b times that of a.
void multiply(const double* a, const double* b, double* c, int rows, int n, int columns) {
  if (rows == 0 || columns == 0) {
    return;
  }
  const double one = 1;
  const double zero = 0;
  dgemm_("N", "N", &columns, &rows, &n, &one, b, &columns, a, &n, &zero, c, &columns);
}

}  // namespace matmul
