#pragma once

#include <cstdint>

namespace postage {

[[nodiscard]] constexpr bool is_power_of_two(std::int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

}  // namespace postage
