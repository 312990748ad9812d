// C = A x B on processors of different speeds: rank 0 has A and B, distributes them, and collects C (A. Lastovetsky,
// V. Rychkov, IJHPCA 23(2), 2009, section 7).
//
//   matmul N [rows|columns|column-broadcasts] [--speeds FILE] [--trees FOLDER] [--bcast NAME:SEGMENT]
//            [--plan FOLDER] [--check]
#include "collectives.hpp"
#include "machine.hpp"
#include "plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace matmul {
namespace {

/// Small whole numbers, whose products are exact.
double entry(int row, int column, int salt) {
  return (row * 7 + column * 13 + salt) % 11 - 5;
}

class Multiplication {
 public:
  /// `in_column`: among the processors of this rank's column.
  Multiplication(const Options& options, Plan plan, Collectives& collectives, Collectives& in_column)
      : n_(options.n),
        split_(options.split),
        shared_(is_simulated() && !options.checks),
        plan_(std::move(plan)),
        collectives_(collectives),
        in_column_(in_column),
        part_(plan_.parts[static_cast<std::size_t>(collectives.rank())]) {
    if (is_root()) {
      a_ = matrix();
      b_ = matrix();
      c_ = matrix();
      fill();
    }
  }

  /// Distributes, computes and collects; returns the seconds that this rank computed.
  double run() { return split_ == Split::kRows ? by_rows() : by_columns(); }

  /// The largest difference from what one processor computes.
  [[nodiscard]] double error() const {
    std::vector<double> expected(size());
    multiply(a_.get(), b_.get(), expected.data(), n_, n_, n_);
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      largest = std::max(largest, std::abs(expected[i] - c_[i]));
    }
    return largest;
  }

 private:
  [[nodiscard]] bool is_root() const { return collectives_.rank() == 0; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_); }
  [[nodiscard]] Numbers matrix() const { return make_numbers(size(), shared_); }
  [[nodiscard]] Numbers numbers(int count) const { return make_numbers(static_cast<std::size_t>(count), shared_); }

  void fill() {
    for (int i = 0; i < n_ && !shared_; ++i) {
      for (int j = 0; j < n_; ++j) {
        a_[at(i, j)] = entry(i, j, 1);
        b_[at(i, j)] = entry(i, j, 4);
      }
    }
  }
  [[nodiscard]] std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(column);
  }

  double compute(const double* a, const double* b, double* c) const {
    const double start = MPI_Wtime();
    if (!shared_) {
      multiply(a, b, c, part_.rows, n_, part_.columns);
    }
    spend(2.0 * part_.rows * n_ * part_.columns);
    return MPI_Wtime() - start;
  }

  double by_rows() {
    const Numbers a = numbers(n_ * part_.rows);
    const Numbers c = numbers(part_.rows * n_);
    Numbers own_b = is_root() ? Numbers() : matrix();
    double* b = is_root() ? b_.get() : own_b.get();
    collectives_.scatterv(a_.get(), a.get(), plan_.scattered);
    collectives_.bcast(b, n_ * n_);
    const double computing = compute(a.get(), b, c.get());
    collectives_.gatherv(c.get(), c_.get(), plan_.gathered);
    return computing;
  }

  double by_columns() {
    const Numbers own = numbers(n_ * (part_.rows + part_.columns));
    double* b = own.get() + n_ * part_.rows;
    const Numbers c = numbers(part_.rows * part_.columns);
    const Numbers packed = is_root() ? numbers(plan_.scattered.total) : Numbers();
    const Numbers collected = is_root() ? matrix() : Numbers();
    if (is_root() && !shared_) {
      pack(packed.get());
    }
    collectives_.scatterv(packed.get(), own.get(), plan_.scattered);
    if (split_ == Split::kColumnBroadcasts) {
      in_column_.bcast(b, n_ * part_.columns);
    }
    const double computing = compute(own.get(), b, c.get());
    collectives_.gatherv(c.get(), collected.get(), plan_.gathered);
    if (is_root() && !shared_) {
      unpack(collected.get());
    }
    return computing;
  }

  void pack(double* to) const {
    for (std::size_t rank = 0; rank < plan_.parts.size(); ++rank) {
      const Part& part = plan_.parts[rank];
      to = std::copy(a_.get() + at(part.row, 0), a_.get() + at(part.row + part.rows, 0), to);
      for (int i = 0; i < n_; ++i) {
        to = std::copy_n(b_.get() + at(i, part.column), plan_.columns_sent[rank], to);
      }
    }
  }
  void unpack(const double* from) {
    for (const Part& part : plan_.parts) {
      for (int i = part.row; i < part.row + part.rows; ++i) {
        std::copy_n(from, part.columns, c_.get() + at(i, part.column));
        from += part.columns;
      }
    }
  }

  int n_;
  Split split_;
  bool shared_;  ///< only time counts: all ranks share one memory, which holds nothing
  Plan plan_;
  Collectives& collectives_;
  Collectives& in_column_;
  Part part_;
  Numbers a_{};
  Numbers b_{};
  Numbers c_{};
};

void run(const Options& options) {
  Collectives collectives(MPI_COMM_WORLD, options.trees, options.bcast);
  Plan plan = make_plan(options, collectives.ranks());
  if (!options.plan.empty()) {
    if (collectives.rank() == 0) {
      write_plan(plan, options.plan);
    }
    return;
  }
  const int column = plan.parts[static_cast<std::size_t>(collectives.rank())].processor_column;
  MPI_Comm column_communicator = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, column, collectives.rank(), &column_communicator);
  Collectives in_column(column_communicator, options.trees, options.bcast, std::to_string(column).insert(0, 1, '-'));
  Multiplication multiplication(options, std::move(plan), collectives, in_column);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const double own = multiplication.run();
  const double total = MPI_Wtime() - start;
  double computing = 0;
  MPI_Reduce(&own, &computing, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (collectives.rank() != 0) {
    return;
  }
  std::printf("total %.6f computing %.6f communication %.6f\n", total, computing, total - computing);
  if (options.checks) {
    const double error = multiplication.error();
    std::printf("error %g\n", error);
    if (error > 0) {
      throw std::runtime_error("the product is wrong");
    }
  }
}

}  // namespace
}  // namespace matmul

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    matmul::run(matmul::read_options(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "matmul: %s\n", error.what());
    status = 1;
  }
  if (status != 0) {
    MPI_Abort(MPI_COMM_WORLD, status);
  }
  MPI_Finalize();
  return status;
}
