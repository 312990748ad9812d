#pragma once

#include <postage/schedule/patterns/numbering.hpp>

#include <bit>
#include <cstdint>

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
  if ((align & (align - 1)) == 0) {
    return value & -align;  // without a division
  }
  return value - floor_mod(value, align);
}

struct Division {
  Index quotient = 0;
  Index remainder = 0;
};

/// Of a value >= 0; without a division where the divisor is a power of two, as in a butterfly.
[[nodiscard]] constexpr Division divided(Index value, Index divisor) {
  if ((divisor & (divisor - 1)) == 0) {
    return {value >> std::countr_zero(static_cast<std::uint64_t>(divisor)), value & (divisor - 1)};
  }
  return {value / divisor, value % divisor};
}

}  // namespace postage
