#pragma once

#include "preload/decision.hpp"
#include "preload/nodes/across_nodes.hpp"

#include <postage/shm/direct_group.hpp>

#include <mpi.h>

#include <cstdint>
#include <memory>

namespace postage::preload {

/// Keeps the program's other requests going while a rank waits in a replaced collective: MPI_Test on a request that
/// never completes, each communicator's own since threads may not test one request at the same time.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// `self`: a Progress.
  static void advance(void* self);

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// The ranks of a communicator that share this rank's node, and how they reach the others.
class NodeGroup {
 public:
  /// Collective over the communicator, by the library's own collectives. nullptr, on all ranks, where the shared memory
  /// is not to be had on some node, or where nothing would be replaced.
  [[nodiscard]] static std::unique_ptr<NodeGroup> agree(MPI_Comm communicator, std::int32_t rank, std::int32_t ranks);

  NodeGroup(std::int32_t place, std::int32_t ranks_on_node, std::uint64_t number);
  [[nodiscard]] DirectGroup& direct() { return direct_; }
  /// nullptr where all ranks share a node.
  [[nodiscard]] AcrossNodes* across() { return across_.get(); }
  [[nodiscard]] const CommunicatorShape& shape() const { return shape_; }

 private:
  void reach_other_nodes(MPI_Comm communicator, std::int32_t rank, const NodeLayout& layout);

  Progress progress_;
  DirectGroup direct_;
  CommunicatorShape shape_{};
  std::unique_ptr<AcrossNodes> across_;
};

}  // namespace postage::preload
