#pragma once

namespace postage {

/// What a rank's program depends on beside the schedule.
struct ProgramOptions {
  /// MPI_IN_PLACE: see RankBuffers.
  bool in_place = false;
  /// True allows a reduction on either side, which saves copies.
  bool commutative = false;
};

}  // namespace postage
