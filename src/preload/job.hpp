#pragma once

#include <postage/preload/observer.hpp>

#include <mpi.h>

#include <atomic>

namespace postage::preload {

/// What the library knows of the process between MPI_Init and MPI_Finalize.
struct Job {
  std::atomic<bool> is_running{false};
  int keyval = MPI_KEYVAL_INVALID;  ///< of the attribute that holds a communicator's state
  MPI_Comm self = MPI_COMM_NULL;    ///< of this process alone; returns errors
  Observer* observer = nullptr;
  bool more_ranks_than_cores = false;  ///< on this node
};

extern Job the_job;
[[nodiscard]] inline Job& job() {
  return the_job;
}

/// In the wrappers of MPI_Init, with the result of the library's own. The keyval is created here, since all ranks and
/// only one thread are here.
void start_job(int result);
/// In the wrapper of MPI_Finalize.
void finish_job();

[[nodiscard]] Seconds now();

}  // namespace postage::preload
