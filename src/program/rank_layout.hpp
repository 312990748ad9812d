#pragma once

#include <postage/program/program.hpp>

#include <optional>
#include <vector>

namespace postage {

/// Bytes [begin, end) of a schedule's blocks, taken one after another, and where a rank has them.
struct IovecSegment {
  Bytes begin = 0;
  Bytes end = 0;
  Address at;
};

/// Where a collective's conventions put a rank's blocks: the table of RankBuffers.
struct RankLayout {
  Bytes send_bytes = 0;
  Bytes receive_bytes = 0;
  /// What the rank holds at first.
  IovecSegment initial{};
  /// Where what it must end with belongs, in ascending order.
  std::vector<IovecSegment> results{};
  /// The byte of the layout with which the staging area begins.
  Bytes staging_begin = 0;
};

/// Throws UsageError where the rank cannot work in place. O(1), for alltoall O(P).
[[nodiscard]] RankLayout rank_layout(const Schedule& schedule, Rank rank, bool in_place);

}  // namespace postage
