#pragma once

#include <postage/base/units.hpp>

#include <algorithm>
#include <cmath>

namespace postage {

/// Libraries decide by round sizes: what they do until there, and from there on, is seen so far beside.
inline constexpr Bytes kWordBytes = 8;

[[nodiscard]] inline Bytes next_word(Bytes bytes) {
  return (bytes / kWordBytes + 1) * kWordBytes;
}

[[nodiscard]] inline Bytes word_before(Bytes bytes) {
  return (bytes - 1) / kWordBytes * kWordBytes;
}

[[nodiscard]] inline double logarithm_of_ratio(Bytes above, Bytes below) {
  return std::log(static_cast<double>(std::max<Bytes>(above, 1)) / static_cast<double>(std::max<Bytes>(below, 1)));
}

/// True where there is room for sizes between the two that are worth measuring.
[[nodiscard]] inline bool is_wide(Bytes below, Bytes above) {
  constexpr double kNearestSizes = 1.25;
  return logarithm_of_ratio(above, below) > std::log(kNearestSizes);
}

}  // namespace postage
