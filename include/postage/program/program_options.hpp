#pragma once

#include <postage/base/strides.hpp>

namespace postage {

/// What a rank's program depends on beside the schedule.
struct ProgramOptions {
  /// MPI_IN_PLACE: see RankBuffers.
  bool in_place = false;
  /// True allows a reduction on either side, which saves copies.
  bool commutative = false;
  /// Of all the rank's memory, so that every message is strided at both ends. The schedule's elements are whole pieces.
  Strides strides{};
};

}  // namespace postage
