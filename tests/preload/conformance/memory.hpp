#pragma once

#include "types.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace postage {

/// Elements of a type with a guard before and behind them, filled at random, gaps too.
class Memory {
 public:
  Memory(const TestType& type, int elements, std::uint64_t seed);

  /// What a call is given as its buffer.
  [[nodiscard]] std::byte* address() { return bytes_.data() + origin_; }
  [[nodiscard]] const std::byte* address() const { return bytes_.data() + origin_; }

  /// Makes all elements from this one on equal zero bytes.
  void forget_from(int element);

  /// Nothing where both hold the same: element by element for types whose values are compared, up to so many roundings,
  /// and byte by byte for others, their gaps and the guards. Otherwise what differs.
  [[nodiscard]] std::optional<std::string> difference(const Memory& other, const TestType& type, double roundings = 0,
                                                      double scale = 1) const;

 private:
  [[nodiscard]] bool is_guard(std::size_t byte) const;

  std::vector<std::byte> bytes_;
  std::size_t origin_ = 0;
  int elements_ = 0;
  MPI_Aint extent_ = 0;
  std::size_t first_ = 0;  ///< byte behind the guard
  std::size_t end_ = 0;    ///< where the second guard begins
};

}  // namespace postage
