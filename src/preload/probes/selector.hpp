#pragma once

#include "preload/decision.hpp"
#include "preload/probes/candidate.hpp"
#include "preload/probes/cell_probes.hpp"

#include <postage/preload/observer.hpp>

#include <mpi.h>

#include <array>
#include <map>
#include <vector>

namespace postage::preload {

/// Selects what carries a communicator's collectives out, by probes: all whose size every rank knows, from
/// least_probed() on. What was selected once holds for later communicators of the same ranks.
class Selector {
 public:
  /// Collective over the communicator, whose ranks share a node. `members`: its ranks in MPI_COMM_WORLD.
  Selector(MPI_Comm communicator, const CommunicatorShape& shape, std::vector<int> members);
  Selector(const Selector&) = delete;
  Selector& operator=(const Selector&) = delete;

  /// What carries a call out; kUnknown: what is built in. Asked once for each call, which ends with end_probe() if
  /// is_timing() then.
  [[nodiscard]] Candidate choose(Entry entry, Bytes bytes) {
    const int size_class = ProbedClass(bytes).number();
    const Candidate chosen = choices_.of(entry, size_class);
    return chosen != Candidate::kUnknown || bytes < least(entry) ? chosen : probe({entry, size_class}, bytes);
  }
  [[nodiscard]] bool is_timing() const { return timed_ != nullptr; }
  /// Of the call that is timed.
  [[nodiscard]] Probe probe_kind() const { return timed_->is_counted() ? Probe::kCounted : Probe::kUncounted; }
  /// Every rank calls it, at the end of the call that was timed. Whether it was the last one of its cell.
  bool end_probe();

  /// Tells them which calls are surely left to the library.
  void note_passed(Decisions& decisions) const;

 private:
  struct Cell {
    Entry entry = Entry::kBarrier;
    int size_class = 0;
    auto operator<=>(const Cell&) const = default;
  };
  [[nodiscard]] Bytes least(Entry entry) const { return least_[static_cast<std::size_t>(entry)]; }
  [[nodiscard]] bool is_probed(Entry entry) const;
  [[nodiscard]] Candidate probe(const Cell& cell, Bytes bytes);
  [[nodiscard]] std::vector<Candidate> candidates(const Cell& cell) const;

  MPI_Comm communicator_;
  CommunicatorShape shape_;
  std::vector<int> members_;
  std::array<Bytes, kCollectiveEntries> least_{};  ///< that are probed, of each collective
  Choices choices_{};
  std::map<Cell, CellProbes> probes_{};
  CellProbes* timed_ = nullptr;
  Cell timed_cell_{};
  Candidate carried_out_by_ = Candidate::kUnknown;
  CellProbes::Nanoseconds entered_ = 0;
  std::array<CellProbes::Nanoseconds, kCandidates> pretended_{};
};

}  // namespace postage::preload
