#pragma once

#include <cstddef>
#include <memory>

namespace matmul {

/// Memory for `count` numbers, which goes with its owner. In simulations that only count time all ranks may share it.
struct FreeNumbers {
  void operator()(double* numbers) const;
};
using Numbers = std::unique_ptr<double[], FreeNumbers>;
[[nodiscard]] Numbers make_numbers(std::size_t count, bool is_shared);

/// True under SMPI, where a run that checks nothing needs no numbers.
[[nodiscard]] bool is_simulated();

/// In a simulation, the time of so many floating-point operations on this host; nothing on a real machine, where
/// multiplying takes its own time.
void spend(double operations);

/// c (rows x columns) = a (rows x n) times b (n x columns), all by rows, through the BLAS.
void multiply(const double* a, const double* b, double* c, int rows, int n, int columns);

}  // namespace matmul
