#pragma once

#include "predict/powers_of_two.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <bit>
#include <cstdint>

namespace postage::closed_form {

[[nodiscard]] inline double number(std::int64_t value) {
  return static_cast<double>(value);
}

/// Requires ranks >= 1.
[[nodiscard]] inline std::int64_t floor_log2(std::int64_t ranks) {
  return std::bit_width(static_cast<std::uint64_t>(ranks)) - 1;
}

[[nodiscard]] inline std::int64_t ceil_log2(std::int64_t ranks) {
  return std::bit_width(static_cast<std::uint64_t>(ranks) - 1);
}

/// log2 P. Throws UsageError where that is no whole number: the formula of `what` is for such P only.
[[nodiscard]] inline std::int64_t exact_log2(std::int64_t ranks, const char* what) {
  if (ranks < 1 || !is_power_of_two(ranks)) {
    throw UsageError(fmt::format("the formula of {} is for a power of two of ranks, not P = {}", what, ranks));
  }
  return floor_log2(ranks);
}

}  // namespace postage::closed_form
