// C = A x B on processors of different speeds: rank 0 has A and B, distributes them, and collects C (A. Lastovetsky,
// V. Rychkov, IJHPCA 23(2), 2009, section 7).
//
//   matmul N [rows|columns] [--speeds FILE] [--trees FOLDER] [--bcast NAME:SEGMENT] [--plan FOLDER] [--check]
#include "collectives.hpp"
#include "machine.hpp"
#include "partition.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>

namespace matmul {
namespace {

struct Options {
  int n = 0;
  Split split = Split::kRows;
  std::string speeds;  ///< a number for each rank; measured where it is empty
  std::string trees;
  std::string bcast;
  std::string plan;  ///< writes what is scattered and gathered, and ends
  bool checks = false;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      return i + 1 < argc ? std::string(argv[++i]) : throw std::runtime_error(word + " of what?");
    };
    if (word == "--speeds") {
      options.speeds = value();
    } else if (word == "--trees") {
      options.trees = value();
    } else if (word == "--bcast") {
      options.bcast = value();
    } else if (word == "--plan") {
      options.plan = value();
    } else if (word == "--check") {
      options.checks = true;
    } else if (word == "rows" || word == "columns") {
      options.split = word == "rows" ? Split::kRows : Split::kColumns;
    } else {
      options.n = std::atoi(word.c_str());
    }
  }
  if (options.n < 1 || options.n > 20'000) {
    throw std::runtime_error("give N, the matrices' size, from 1 to 20000");
  }
  return options;
}

/// Multiplications of a small block in a second, on this rank.
double measured_speed() {
  constexpr int kSize = 128;
  const std::vector<double> a(kSize * kSize, 1.0);
  std::vector<double> c(a.size());
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double start = MPI_Wtime();
    multiply(a.data(), a.data(), c.data(), kSize, kSize, kSize);
    spend(2.0 * kSize * kSize * kSize);
    least = std::min(least, MPI_Wtime() - start);
  }
  return 1 / std::max(least, 1e-9);
}

std::vector<double> speeds_of_ranks(const Options& options, int ranks) {
  std::vector<double> speeds(static_cast<std::size_t>(ranks));
  if (options.speeds.empty()) {
    const double own = measured_speed();
    MPI_Allgather(&own, 1, MPI_DOUBLE, speeds.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
    return speeds;
  }
  std::ifstream file(options.speeds);
  for (double& speed : speeds) {
    if (!(file >> speed) || speed <= 0) {
      throw std::runtime_error(options.speeds + " does not have a speed above 0 for each rank");
    }
  }
  return speeds;
}

/// What is sent to each rank and back. Of rows the rank's rows of A; of columns its rows of A, then its columns of B.
struct Plan {
  std::vector<Part> parts;
  Blocks scattered;
  Blocks gathered;
};

Plan make_plan(const Options& options, int ranks) {
  const std::vector<Part> parts = partition(options.n, speeds_of_ranks(options, ranks), options.split);
  std::vector<int> out;
  std::vector<int> back;
  for (const Part& part : parts) {
    out.push_back(options.n * (part.rows + (options.split == Split::kColumns ? part.columns : 0)));
    back.push_back(part.rows * part.columns);
  }
  return {parts, Blocks(out), Blocks(back)};
}

/// Counts of numbers, as postage optimize tree --counts reads them with --element 8.
void write_plan(const Plan& plan, const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream out(folder + "/scatterv.counts");
  std::ofstream back(folder + "/gatherv.counts");
  for (std::size_t rank = 0; rank < plan.parts.size(); ++rank) {
    out << plan.scattered.counts[rank] << '\n';
    back << plan.gathered.counts[rank] << '\n';
  }
}

/// Small whole numbers, whose products are exact.
double entry(int row, int column, int salt) {
  return (row * 7 + column * 13 + salt) % 11 - 5;
}

class Multiplication {
 public:
  Multiplication(const Options& options, Plan plan, Collectives& collectives)
      : n_(options.n),
        split_(options.split),
        shared_(is_simulated() && !options.checks),
        plan_(std::move(plan)),
        collectives_(collectives),
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
    const Numbers c = numbers(part_.rows * part_.columns);
    const Numbers packed = is_root() ? numbers(plan_.scattered.total) : Numbers();
    const Numbers collected = is_root() ? matrix() : Numbers();
    if (is_root() && !shared_) {
      pack(packed.get());
    }
    collectives_.scatterv(packed.get(), own.get(), plan_.scattered);
    const double computing = compute(own.get(), own.get() + n_ * part_.rows, c.get());
    collectives_.gatherv(c.get(), collected.get(), plan_.gathered);
    if (is_root() && !shared_) {
      unpack(collected.get());
    }
    return computing;
  }

  void pack(double* to) const {
    for (const Part& part : plan_.parts) {
      to = std::copy(a_.get() + at(part.row, 0), a_.get() + at(part.row + part.rows, 0), to);
      for (int i = 0; i < n_; ++i) {
        to = std::copy_n(b_.get() + at(i, part.column), part.columns, to);
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
  Multiplication multiplication(options, std::move(plan), collectives);
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
