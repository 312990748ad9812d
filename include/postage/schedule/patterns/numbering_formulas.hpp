#pragma once

#include <postage/schedule/patterns/modular.hpp>
#include <postage/schedule/patterns/numbering.hpp>

#include <algorithm>

/// What numbering.hpp answers, for each kind of numbering by itself: for loops that know the kind.
namespace postage::formula {

inline Index image(const LinearNumbering& n, Index v) {
  return n.base + floor_mod(n.offset + n.stride * v, n.ranks);
}
inline Index image(const FoldedNumbering& n, Index v) {
  const Index folded = n.reversed_bits == 0 ? v : reverse_bits(v, n.reversed_bits);
  return n.stride * (folded < n.remainder ? 2 * folded + (n.keep_odd ? 1 : 0) : folded + n.remainder);
}
inline Index image(const ExplicitNumbering& n, Index v) {
  return (*n.ranks)[static_cast<std::size_t>(v)];
}

inline std::optional<Index> preimage(const LinearNumbering& n, Index rank) {
  const Index local = rank - n.base;
  if (local < 0 || local >= n.ranks) {
    return std::nullopt;
  }
  const Index distance = floor_mod(n.stride > 0 ? local - n.offset : n.offset - local, n.ranks);
  const Index step = n.stride > 0 ? n.stride : -n.stride;
  if (step == 1) {
    return distance;
  }
  return distance % step == 0 ? std::optional(distance / step) : std::nullopt;
}

inline std::optional<Index> unfold(const FoldedNumbering& n, Index rank) {
  if (rank >= 2 * n.remainder) {
    return rank - n.remainder;
  }
  const bool odd = rank % 2 == 1;
  return odd == n.keep_odd ? std::optional(rank / 2) : std::nullopt;
}

inline std::optional<Index> preimage(const FoldedNumbering& n, Index rank) {
  if (n.stride != 1 && rank % n.stride != 0) {
    return std::nullopt;
  }
  const std::optional<Index> folded = unfold(n, n.stride == 1 ? rank : rank / n.stride);
  return folded && n.reversed_bits > 0 ? reverse_bits(*folded, n.reversed_bits) : folded;
}

inline std::optional<Index> preimage(const ExplicitNumbering& n, Index rank) {
  const Index v = (*n.virtuals)[static_cast<std::size_t>(rank)];
  return v >= 0 ? std::optional(v) : std::nullopt;
}

// Out of line: the numbering inside the groups, and where the groups are.
[[nodiscard]] Index image(const GroupedNumbering& n, Index v);
[[nodiscard]] std::optional<Index> preimage(const GroupedNumbering& n, Index rank);

}  // namespace postage::formula
