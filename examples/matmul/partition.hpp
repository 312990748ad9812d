#pragma once

#include <vector>

namespace matmul {

/// What of C = A x B one processor computes: rows [row, row + rows) and columns [column, column + columns) of C, for
/// which it needs these rows of A and these columns of B.
struct Part {
  int row = 0;
  int rows = 0;
  int column = 0;
  int columns = 0;
  int processor_column = 0;  ///< number of the column of processors that it stands in
};

/// How the matrices are divided.
enum class Split {
  kRows,  ///< C and A by rows in proportion to the processors' speeds; all have all of B (Lastovetsky and Rychkov 2009)
  kColumns,  ///< processors in columns, as wide as their speeds together, each as high as its share of its column's
  kColumnBroadcasts,  ///< the same; the first processor of a column passes the columns of B on to the others
};

/// `whole` cut in proportion to `speeds`, to the nearest; the rest goes to those that lost most.
[[nodiscard]] std::vector<int> shares(int whole, const std::vector<double>& speeds);

/// The part of each processor of n x n matrices. Columns: about the square root of the number of processors, which
/// stand in them by rank.
[[nodiscard]] std::vector<Part> partition(int n, const std::vector<double>& speeds, Split split);

}  // namespace matmul
