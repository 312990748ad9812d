#pragma once

#include <postage/program/program.hpp>

#include <optional>
#include <vector>

namespace postage {

/// Bytes [begin, end) of a schedule's blocks, taken one after another, and where a rank has them.
struct Placed {
  Bytes begin = 0;
  Bytes end = 0;
  Address at;
};

/// Where a collective's conventions put a rank's blocks: the table of RankBuffers.
struct RankLayout {
  Bytes send_bytes = 0;
  Bytes receive_bytes = 0;
  /// What the rank holds at first.
  Placed initial{};
  /// Where what it must end with belongs, in ascending order.
  std::vector<Placed> results{};
  /// The byte of the layout with which the mirror begins.
  Bytes mirror_begin = 0;
};

/// Throws UsageError where the rank cannot work in place. O(1), for alltoall O(P).
[[nodiscard]] RankLayout rank_layout(const Schedule& schedule, Rank rank, bool in_place);

}  // namespace postage
