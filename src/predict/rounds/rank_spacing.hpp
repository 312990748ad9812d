#pragma once

#include "predict/powers_of_two.hpp"

#include <postage/schedule/schedule.hpp>

#include <algorithm>
#include <cstdlib>
#include <type_traits>

namespace postage {

/// Ranks from one virtual rank to the next.
inline Index spacing(const PlainNumbering& numbering) {
  if (const auto* linear = std::get_if<LinearNumbering>(&numbering)) {
    return std::max<Index>(std::abs(linear->stride), 1);
  }
  const auto* folded = std::get_if<FoldedNumbering>(&numbering);
  return folded == nullptr ? 1 : folded->stride;
}
inline Index spacing(const Numbering& numbering) {
  return std::visit(
      [](const auto& n) {
        if constexpr (std::is_same_v<std::decay_t<decltype(n)>, GroupedNumbering>) {
          return spacing(n.inner) * n.member_stride;
        } else {
          return spacing(PlainNumbering(n));
        }
      },
      numbering);
}

/// Where the numbering reverses bits, the pairs in the order of ranks have their numbers' bits reversed.
inline bool reverses(const Numbering& numbering, Index count) {
  const auto* folded = std::get_if<FoldedNumbering>(&numbering);
  return folded != nullptr && folded->reversed_bits > 0 && is_power_of_two(count);
}

}  // namespace postage
