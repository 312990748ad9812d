#pragma once

#include "predict/rounds/node_load.hpp"
#include "predict/rounds/ungrouped.hpp"

#include <algorithm>

namespace postage {

/// Transfers of a pattern that share an end.
inline Index fan_of(const Pattern& pattern) {
  const PlainPairs pairs = plain_of(pattern).pairs;
  if (const auto* affine = std::get_if<AffinePairs>(&pairs)) {
    return affine->source_stride == 0 || affine->target_stride == 0 ? std::max<Index>(affine->count, 1) : 1;
  }
  const auto* shift = std::get_if<ShiftPairs>(&pairs);
  return shift != nullptr ? std::max<Index>(shift->distances, 1) : 1;
}

/// Adds the transfers of one pattern, those that share an end as one.
inline void add_fans(NodeLoad& load, const NodeLoad& of_pattern, Index fan) {
  const auto fans = [&](Index count) { return (count + fan - 1) / fan; };
  load.leaving += fans(of_pattern.leaving);
  load.entering += fans(of_pattern.entering);
  for (std::size_t channel = 0; channel < kMostChannels; ++channel) {
    load.inside[channel] += fans(of_pattern.inside[channel]);
  }
}

}  // namespace postage
