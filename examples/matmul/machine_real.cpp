#include "machine.hpp"

namespace matmul {

void FreeNumbers::operator()(double* numbers) const {
  delete[] numbers;
}

Numbers make_numbers(std::size_t count, bool /*is_shared*/) {
  return Numbers(new double[count]());
}

bool is_simulated() {
  return false;
}

void spend(double /*operations*/) {}

}  // namespace matmul
