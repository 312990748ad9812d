#pragma once

#include "preload/call.hpp"
#include "preload/communicator.hpp"

#include <postage/preload/observer.hpp>

#include <mpi.h>

#include <span>
#include <vector>

namespace postage::preload {

/// Bytes of `count` elements; 0 for a datatype that is not given.
[[nodiscard]] Bytes bytes_of(std::int64_t count, MPI_Datatype type);

/// How a collective was carried out.
struct Outcome {
  const char* algorithm = nullptr;  ///< nullptr: the library's own
  Probe probe = Probe::kNone;
};

/// Tells the observer of a collective that began and ended at these times.
void observe_collective(const CollectiveCall& call, Seconds began, Seconds ended, const Outcome& outcome);

/// Point-to-point arguments as the program gave them, by the ranks of `communicator`.
struct PointToPoint {
  Entry entry = Entry::kSend;
  MPI_Comm communicator = MPI_COMM_NULL;
  int target = MPI_PROC_NULL;
  int source = MPI_PROC_NULL;
  int tag = -1;
  Bytes bytes = 0;
  Bytes received_bytes = 0;
};

void observe_message(const PointToPoint& message, Seconds began, std::span<const MPI_Request> started = {});
/// Calls without a communicator: Wait, Test, Start, ...
void observe_requests(Entry entry, Seconds began, std::span<const MPI_Request> requests);

/// Where the program wants no status, one of the library's own, which says what was received.
class StatusRoom {
 public:
  explicit StatusRoom(MPI_Status* wanted) : status_(wanted == MPI_STATUS_IGNORE ? &own_ : wanted) {}
  [[nodiscard]] MPI_Status* get() const { return status_; }
  [[nodiscard]] Bytes bytes() const;

 private:
  MPI_Status own_{};
  MPI_Status* status_;
};

}  // namespace postage::preload
