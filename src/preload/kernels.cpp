#include "preload/kernels.hpp"

#include <cstdint>

namespace postage::preload {
namespace {

struct Sum {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Product {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a * b);
  }
};
struct Maximum {
  template <typename T>
  T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
struct Minimum {
  template <typename T>
  T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};

/// `out` may be `right`: element by element that changes nothing, which the compiler has to be told.
template <typename T, typename Op>
void combine(const void*, const std::byte* left, const std::byte* right, std::byte* out, Bytes bytes) {
  const auto* a = reinterpret_cast<const T*>(left);
  const auto* b = reinterpret_cast<const T*>(right);
  auto* c = reinterpret_cast<T*>(out);
  const auto count = static_cast<std::size_t>(bytes) / sizeof(T);
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    c[i] = Op()(a[i], b[i]);
  }
}

template <typename T>
Kernel kernel_for(MPI_Op op) {
  return op == MPI_SUM    ? combine<T, Sum>
         : op == MPI_MAX  ? combine<T, Maximum>
         : op == MPI_MIN  ? combine<T, Minimum>
         : op == MPI_PROD ? combine<T, Product>
                          : nullptr;
}

}  // namespace

Kernel kernel_of(MPI_Op op, const Datatype& type) {
  const MPI_Datatype handle = type.handle;
  if (handle == MPI_DOUBLE || handle == MPI_DOUBLE_PRECISION || handle == MPI_REAL8) {
    return kernel_for<double>(op);
  }
  if (handle == MPI_FLOAT || handle == MPI_REAL || handle == MPI_REAL4) {
    return type.size == sizeof(float) ? kernel_for<float>(op) : nullptr;
  }
  if (handle == MPI_INT || handle == MPI_INT32_T || handle == MPI_INTEGER || handle == MPI_INTEGER4) {
    return type.size == sizeof(std::int32_t) ? kernel_for<std::int32_t>(op) : nullptr;
  }
  if (handle == MPI_LONG || handle == MPI_INT64_T || handle == MPI_LONG_LONG || handle == MPI_INTEGER8) {
    return type.size == sizeof(std::int64_t) ? kernel_for<std::int64_t>(op) : nullptr;
  }
  return nullptr;
}

}  // namespace postage::preload
