#pragma once

#include <postage/schedule/numbering.hpp>

namespace postage {

/// The representative of `value` in [0, modulus).
[[nodiscard]] constexpr Index floor_mod(Index value, Index modulus) {
  const Index remainder = value % modulus;
  return remainder < 0 ? remainder + modulus : remainder;
}

/// The largest multiple of `align` that is not above `value`.
[[nodiscard]] constexpr Index floor_to(Index align, Index value) {
  return align == 1 ? value : value - floor_mod(value, align);
}

/// The lowest `bits` bits of `value` in reverse order.
[[nodiscard]] constexpr Index reverse_bits(Index value, int bits) {
  Index reversed = 0;
  for (int bit = 0; bit < bits; ++bit) {
    reversed = 2 * reversed + ((value >> bit) & 1);
  }
  return reversed;
}

}  // namespace postage
