#pragma once

#include <postage/shm/segment.hpp>

#include <mpi.h>

#include <cstdint>

namespace postage {

/// The ranks of a communicator that share a node.
struct NodeGroup {
  ShmSegment segment;
  std::int32_t rank = 0;  ///< of the caller among them, in the communicator's order
};

/// Gives the ranks of each node that `communicator` spans (MPI_COMM_TYPE_SHARED) shared memory, which each of
/// them then opens as ShmEndpoint(group.segment, group.rank). Collective. Throws Error on every rank of a node where
/// the memory is not to be had, and for what MPI reports.
[[nodiscard]] NodeGroup node_group(MPI_Comm communicator, const SegmentOptions& options = {});

}  // namespace postage
