#pragma once

#include <postage/schedule/numbering.hpp>

namespace postage {

/// The representative of `value` in [0, modulus).
[[nodiscard]] constexpr Index floor_mod(Index value, Index modulus) {
  if (0 <= value && value < modulus) {
    return value;  // without a division
  }
  const Index remainder = value % modulus;
  return remainder < 0 ? remainder + modulus : remainder;
}

/// The largest multiple of `align` that is not above `value`.
[[nodiscard]] constexpr Index floor_to(Index align, Index value) {
  return align == 1 ? value : value - floor_mod(value, align);
}

}  // namespace postage
