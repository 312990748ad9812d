#pragma once

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

/// The ranks of a communicator, all of one node.
class NodeGroup {
 public:
  /// Collective over the communicator, by the library's own collectives. nullptr, on all ranks, where they are not all
  /// on one node or the shared memory is not to be had.
  [[nodiscard]] static std::unique_ptr<NodeGroup> agree(MPI_Comm communicator, std::int32_t rank, std::int32_t ranks);

  NodeGroup(std::int32_t rank, std::int32_t ranks, std::uint64_t number);
  [[nodiscard]] DirectGroup& direct() { return direct_; }

 private:
  Progress progress_;
  DirectGroup direct_;
};

}  // namespace postage::preload
