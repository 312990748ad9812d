#pragma once

#include "preload/decision.hpp"
#include "preload/job.hpp"
#include "preload/nodes/node_group.hpp"
#include "preload/probes/selector.hpp"
#include "preload/recent.hpp"
#include "preload/schedules/tree_schedules.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace postage::preload {

/// What the library knows of one of the program's communicators: an attribute of it.
struct Communicator {
  MPI_Comm handle = MPI_COMM_NULL;
  std::uint64_t number = 0;  ///< differs from those of all communicators that this process has had
  std::int32_t rank = 0;
  std::int32_t ranks = 1;
  bool is_intercommunicator = false;
  std::uint32_t calls = 0;            ///< blocking collectives until its group is agreed on, the same on all its ranks
  Decisions decisions{};              ///< nothing is replaced until a group is agreed on
  PassedByEntry passed{};             ///< by the decisions, once they are made, unless calls are observed
  std::unique_ptr<NodeGroup> node{};  ///< once it was agreed
  std::unique_ptr<Selector> selector{};    ///< likewise, where probes decide
  std::unique_ptr<TreeSchedules> trees{};  ///< likewise, where there are schedule files for its ranks
  std::vector<int> world_ranks{};          ///< of its ranks (of the remote group's); only for an observer
  std::uint64_t common_number = 0;         ///< CallEvent::common_number; only for an observer

  /// Whether any call may be.
  [[nodiscard]] bool is_replaced() const { return node || trees; }
};

/// The state of a communicator, made where there is none yet; nullptr outside MPI_Init and MPI_Finalize and for
/// MPI_COMM_NULL. A few nanoseconds where the calling thread asked for the same one before.
[[nodiscard]] Communicator* communicator_of(MPI_Comm handle);

/// Its ranks (those of the remote group) in MPI_COMM_WORLD.
[[nodiscard]] std::vector<int> world_ranks_of(const Communicator& communicator);

/// The attribute's delete callback.
int delete_communicator_state(MPI_Comm handle, int keyval, void* state, void* unused);

/// No thread remembers a communicator any more.
void forget_communicators();

[[nodiscard]] Communicator* find_communicator(MPI_Comm handle);

inline Communicator* communicator_of(MPI_Comm handle) {
  const Recent& last = recent;
  if (last.handle == handle && last.generation == communicator_generation.load(std::memory_order_acquire)) {
    return last.communicator;
  }
  return find_communicator(handle);
}

}  // namespace postage::preload
