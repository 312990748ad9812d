#include "measure/programs/mpi_common_start.hpp"

#include <algorithm>

namespace postage {
namespace {

constexpr Seconds kLongestLead = 20e-3;
/// A rank that is later by less has begun with the others.
constexpr Seconds kPunctual = 2e-6;
/// Doubled so often, the shortest lead is the longest.
constexpr int kTries = 9;

}  // namespace

void CommonStart::prepare() {
  clock_.synchronise();
  if (clock_.is_one_clock() || is_prepared_) {
    return;
  }
  for (int i = 0; i < kTries; ++i) {
    wait();
    int late = was_late_ ? 1 : 0;
    int any_late = 0;
    MPI_Reduce(&late, &any_late, 1, MPI_INT, MPI_MAX, 0, group_);
    if (any_late != 0) {
      say_earlier();
    }
  }
  is_prepared_ = true;
}

Seconds CommonStart::wait() {
  MPI_Barrier(group_);
  if (clock_.is_one_clock()) {
    return clock_.now();
  }
  Seconds start = clock_.now() + lead_;
  MPI_Bcast(&start, 1, MPI_DOUBLE, 0, group_);
  clock_.wait_until(start);
  was_late_ = clock_.now() > start + kPunctual;
  return start;
}

void CommonStart::say_earlier() {
  lead_ = std::min(2 * lead_, kLongestLead);
}

}  // namespace postage
