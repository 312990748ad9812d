// For SMPI: computing takes the time that the simulated host needs for it.
#include "machine.hpp"

#include <mpi.h>

#include <cstdlib>

namespace matmul {

void FreeNumbers::operator()(double* numbers) const {
  SMPI_SHARED_FREE(numbers);
}

Numbers make_numbers(std::size_t count, bool is_shared) {
  const std::size_t bytes = (count > 0 ? count : 1) * sizeof(double);
  return Numbers(static_cast<double*>(is_shared ? SMPI_SHARED_MALLOC(bytes) : std::calloc(bytes, 1)));
}

bool is_simulated() {
  return true;
}

void spend(double operations) {
  smpi_execute_flops(operations);
}

}  // namespace matmul
