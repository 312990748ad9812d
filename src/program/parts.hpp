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

/// Ranges with their places, in sending order; neighbours that lie side by side are one.
using Parts = std::vector<Placed>;

void append(Parts& parts, const Placed& part);
[[nodiscard]] Region region_of(const Placed& part);
/// False where there is no value.
[[nodiscard]] bool is_somewhere(const Placed& part);
[[nodiscard]] bool are_somewhere(const Parts& parts);

/// The parts in memory, where neighbours count as one even if they are not neighbours in the layout.
[[nodiscard]] std::vector<Region> regions_of(const Parts& parts);

/// Where the current values are.
using Values = IntervalMap<Address>;

[[nodiscard]] Parts parts_of(const Values& values, const Ranges& ranges);

}  // namespace postage
