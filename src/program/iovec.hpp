#pragma once

#include "program/rank_layout.hpp"

#include <postage/program/interval_map.hpp>

#include <vector>

namespace postage {

/// Bytes [begin, end) of the schedule's blocks, taken one after another.
struct ByteRange {
  Bytes begin = 0;
  Bytes end = 0;
};

using Ranges = std::vector<ByteRange>;

/// What a transfer carries, in sending order.
[[nodiscard]] Ranges ranges_of(const Schedule& schedule, const RoundPosition& position, const Transfer& transfer);
[[nodiscard]] Bytes total_bytes(const Ranges& ranges);

/// Ranges with their addresses, in sending order, as an iovec lists them; neighbours that are contiguous both in the
/// layout and in memory are one segment.
using IovecSegments = std::vector<IovecSegment>;

void append(IovecSegments& segments, const IovecSegment& segment);
[[nodiscard]] Region region_of(const IovecSegment& segment);
/// False where the rank has no value.
[[nodiscard]] bool is_assigned(const IovecSegment& segment);
[[nodiscard]] bool all_assigned(const IovecSegments& segments);

/// The segments' memory; those contiguous in memory are one region even if they are not contiguous in the layout.
[[nodiscard]] std::vector<Region> regions_of(const IovecSegments& segments);

/// The addresses of the current values.
using Values = IntervalMap<Address>;

[[nodiscard]] IovecSegments iovec_of(const Values& values, const Ranges& ranges);

}  // namespace postage
