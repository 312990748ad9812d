#pragma once

#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

namespace postage {

using Random = std::mt19937_64;

/// How an element's value is written and compared. Null where its bytes are its value.
struct ElementKind {
  void (*fill)(std::byte* at, Random& random) = nullptr;
  /// Equal, or apart by no more than `roundings` times the type's epsilon times max(scale, |a|).
  bool (*close)(const std::byte* a, const std::byte* b, double roundings, double scale) = nullptr;
};

/// A value and its rank's number, as MPI_MINLOC takes them.
template <typename Value>
struct Located {
  Value value;
  int index;
};

template <typename Type>
struct IsComplex : std::false_type {};
template <typename Type>
struct IsComplex<std::complex<Type>> : std::true_type {};

/// Of size at most 1, so that a sum of P of them is rounded by at most (P-1) epsilon P.
template <typename Type>
Type random_value(Random& random) {
  if constexpr (std::is_same_v<Type, bool>) {
    return random() % 2 == 0;
  } else if constexpr (std::is_integral_v<Type>) {
    return static_cast<Type>(random());
  } else if constexpr (IsComplex<Type>::value) {
    using Real = typename Type::value_type;
    return {random_value<Real>(random) / 2, random_value<Real>(random) / 2};
  } else {
    const Type size = std::uniform_real_distribution<Type>(Type(0.25), Type(1))(random);
    return random() % 2 == 0 ? size : -size;
  }
}

template <typename Type>
bool are_close(const Type& a, const Type& b, double roundings, double scale) {
  if constexpr (std::is_integral_v<Type>) {
    return a == b;
  } else {
    using Size = decltype(std::abs(a));
    const Size allowed = static_cast<Size>(roundings) * std::numeric_limits<Size>::epsilon();
    return a == b || std::abs(a - b) <= allowed * std::max(static_cast<Size>(scale), std::abs(a));
  }
}

template <typename Type>
Type value_at(const std::byte* at) {
  Type value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <typename Type>
ElementKind plain_kind() {
  return {.fill =
              [](std::byte* at, Random& random) {
                const Type value = random_value<Type>(random);
                std::memcpy(at, &value, sizeof value);
              },
          .close = [](const std::byte* a, const std::byte* b, double roundings,
                      double scale) { return are_close(value_at<Type>(a), value_at<Type>(b), roundings, scale); }};
}

/// Few different values, so that indices decide.
template <typename Type>
ElementKind located_kind() {
  return {.fill =
              [](std::byte* at, Random& random) {
                const auto value = static_cast<Type>(static_cast<int>(random() % 5) - 2);
                const auto index = static_cast<int>(random() % 100);
                std::memcpy(at + offsetof(Located<Type>, value), &value, sizeof value);
                std::memcpy(at + offsetof(Located<Type>, index), &index, sizeof index);
              },
          .close =
              [](const std::byte* a, const std::byte* b, double, double) {
                const auto x = value_at<Located<Type>>(a);
                const auto y = value_at<Located<Type>>(b);
                return x.value == y.value && x.index == y.index;
              }};
}

}  // namespace postage
