#pragma once

#include <postage/schedule/schedule.hpp>

namespace postage {

/// Ranks of one group, or of all: pairs and numbering without the groups, and the places from one member to the next.
struct Plain {
  PlainPairs pairs;
  const LinearNumbering* numbering = nullptr;  ///< none where the numbering is not linear
  Index spacing = 1;
};

inline Plain plain_of(const Pattern& pattern) {
  Plain plain;
  if (const auto* grouped = std::get_if<GroupedPairs>(&pattern.pairs)) {
    plain.pairs = grouped->each;
  } else {
    std::visit(
        [&](const auto& pairs) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(pairs)>, GroupedPairs>) {
            plain.pairs = pairs;
          }
        },
        pattern.pairs);
  }
  if (const auto* grouped = std::get_if<GroupedNumbering>(&pattern.numbering)) {
    plain.spacing = grouped->member_stride;
    plain.numbering = grouped->listed.ranks ? nullptr : std::get_if<LinearNumbering>(&grouped->inner);
  } else {
    plain.numbering = std::get_if<LinearNumbering>(&pattern.numbering);
  }
  return plain;
}

/// How far targets move from their sources with every iteration, or both along the ranks; 0 if neither does.
inline Index step_of(const AffinePairs& pairs) {
  return pairs.source_step != 0 ? pairs.source_step : pairs.target_step;
}
inline Index step_of(const ShiftPairs& pairs) {
  return pairs.step;
}
inline Index step_of(const XorPairs& pairs) {
  return pairs.mask_step;
}
template <typename OtherPairs>
inline Index step_of(const OtherPairs& /*pairs*/) {
  return 0;
}
inline Index step_of(const PlainPairs& pairs) {
  return std::visit([](const auto& p) { return step_of(p); }, pairs);
}

}  // namespace postage
