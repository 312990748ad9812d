#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace postage {

/// Draws from a seed that are the same on every machine: the distributions of the standard library are not.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}

  /// In [0, 1).
  [[nodiscard]] double unit() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }
  /// In [first, last].
  [[nodiscard]] int whole(int first, int last) {
    return first + static_cast<int>(unit() * static_cast<double>(last - first + 1));
  }
  [[nodiscard]] bool happens(double share) { return unit() < share; }
  template <typename Value>
  [[nodiscard]] Value one_of(std::initializer_list<Value> values) {
    return *(values.begin() + whole(0, static_cast<int>(values.size()) - 1));
  }
  /// Its logarithm is even over [log(least), log(most)]; rounded to three digits.
  [[nodiscard]] double of_magnitude(double least, double most);

 private:
  std::mt19937_64 random_;
};

}  // namespace postage
