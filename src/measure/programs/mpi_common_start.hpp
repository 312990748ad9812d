#pragma once

#include "measure/clock_sync.hpp"

#include <mpi.h>

namespace postage {

/// Moments at which all ranks of a group begin. Ranks of one node leave a barrier at nearly the same time. Others leave
/// it as far apart as a message takes, so that a collective may be over for each of them at once by its own clock: they
/// agree on a moment of the clock that they have in common.
class CommonStart {
 public:
  CommonStart(MPI_Comm group, Transport& transport) : group_(group), clock_(transport) {}

  /// Compares the clocks again; the first time rank 0 also finds how long before a moment it has to say it. Collective.
  void prepare();
  /// Waits for the next moment, and returns it. Collective.
  Seconds wait();
  /// True where this rank came later than the last moment.
  [[nodiscard]] bool was_late() const { return was_late_; }
  [[nodiscard]] Seconds now() const { return clock_.now(); }
  /// On rank 0: says moments twice as early from now on.
  void say_earlier();

 private:
  MPI_Comm group_;
  SynchronisedClock clock_;
  Seconds lead_ = 50e-6;
  bool is_prepared_ = false;
  bool was_late_ = false;
};

}  // namespace postage
